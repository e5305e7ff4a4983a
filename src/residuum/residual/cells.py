"""Cells: groups of nodes with the same erased attributes, which erasure makes indistinguishable."""

import warnings
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.errors import InvalidParameterError, ResiduumWarning
from residuum.residual.erasure import Erasure, LabelColumns

__all__ = ["Cells", "build_cells", "label_cells"]

# Smaller cells are merged.
_MIN_NODES = 10
# Numbers are divided into at most this many bins, and into fewer if cells would have fewer nodes than the second.
_MOST_BINS = 32
_NODES_PER_CELL = 20


@dataclass(frozen=True)
class Cells:
    """Combinations of values of the erased attributes; small ones are merged into one cell.

    Attributes
    ----------
    erasure : Erasure
        The erased attributes.
    n_bins : int
        Maximum number of bins of each number.
    cell_of : dict of tuple of int to int
        Cell of each combination of codes of the attributes.
    unseen : int
        Cell of combinations that no node of the graph has: the merged cell, or the largest.
    codes : array of shape (N,)
        Cell of each node of the graph.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> from residuum.residual import build_erasure
    >>> graph = datasets.karate_club()
    >>> erasure = build_erasure(graph, "club", Configuration().fit(graph, window=5))
    >>> np.bincount(build_cells(erasure).codes)
    array([17, 17])
    """

    erasure: Erasure
    n_bins: int
    cell_of: dict[tuple[int, ...], int]
    unseen: int
    codes: NDArray[np.int64]

    @property
    def merged(self) -> frozenset[int]:
        """Cells with more than one combination."""
        times = Counter(self.cell_of.values())
        return frozenset(cell for cell, count in times.items() if count > 1)

    def new_codes(
        self, attributes: Mapping[str, Any] | None, edges: "sparse.csr_array[Any]", groups: Any
    ) -> NDArray[np.int64]:
        """Return the cells of out-of-sample nodes.

        Parameters
        ----------
        attributes : mapping of attribute name to array of shape (m,), or None
            Attribute values; not needed for attributes that follow from edges or groups.
        edges : sparse array of shape (m, N)
            Edge weights to the nodes of the graph.
        groups : array of length m, or None
            Groups in the null model.

        Returns
        -------
        array of shape (m,)
            Cell of each node.
        """
        values = self.erasure.new_values(attributes, edges, groups)
        combinations = _combinations(self.erasure, values, self.n_bins)
        return np.array([self.cell_of.get(tuple(row), self.unseen) for row in combinations.tolist()], dtype=np.int64)


def build_cells(erasure: Erasure) -> Cells:
    """Divide the nodes into cells with the same values of all erased attributes.

    Parameters
    ----------
    erasure : Erasure
        Labels are used as they are, numbers by bins of equal counts.

    Returns
    -------
    Cells
        At least two cells, each with at least ten nodes. Smaller cells are merged into one, with a warning: nodes
        within it remain distinguishable from each other, but not from nodes of other cells.

    Raises
    ------
    InvalidParameterError
        If there are not two such cells, or most nodes would be in the merged one.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> from residuum.residual import build_erasure
    >>> graph = datasets.karate_club()
    >>> erasure = build_erasure(graph, "club", Configuration().fit(graph, window=5))
    >>> build_cells(erasure).n_bins
    2
    """
    cells, n_merged = _divide(erasure)
    _check_sizes(erasure, np.bincount(cells.codes), n_merged)
    return cells


def label_cells(erasure: Erasure) -> Cells | None:
    """Divide the nodes into cells with the same labels, without a minimum size.

    Parameters
    ----------
    erasure : Erasure
        The erased attributes.

    Returns
    -------
    Cells or None
        Cells; None if an attribute is a number, or all nodes are in one cell.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> from residuum.residual import build_erasure
    >>> graph = datasets.karate_club()
    >>> label_cells(build_erasure(graph, "degree", Configuration().fit(graph, window=5))) is None
    True
    """
    if not all(isinstance(part.encoder, LabelColumns) for part in erasure.parts):
        return None
    cells, _ = _divide(erasure)
    return cells if cells.codes.any() else None


def _divide(erasure: Erasure) -> tuple[Cells, int]:
    """Return the cells, small ones merged, and how many were merged."""
    values = [part.values for part in erasure.parts]
    n_nodes, n_parts = len(values[0]), len(values)
    n_bins = int(np.clip((n_nodes / _NODES_PER_CELL) ** (1.0 / n_parts), 2, _MOST_BINS))
    combinations = _combinations(erasure, values, n_bins)
    distinct, inverse, counts = np.unique(combinations, axis=0, return_inverse=True, return_counts=True)
    n_merged = _n_merged(np.sort(counts))
    order = np.argsort(counts, kind="stable")
    cell = np.empty(len(counts), dtype=np.int64)
    cell[order] = np.maximum(np.arange(len(counts)) - max(n_merged - 1, 0), 0)
    codes = cell[inverse.ravel()]
    unseen = 0 if n_merged else int(np.bincount(codes).argmax())
    cell_of = dict(zip(map(tuple, distinct.tolist()), cell.tolist(), strict=True))
    return Cells(erasure, n_bins, cell_of, unseen, codes), n_merged


def _combinations(erasure: Erasure, values: list[NDArray[Any]], n_bins: int) -> NDArray[np.int64]:
    """Return the codes of all attributes, shape (m, number of attributes)."""
    parts = zip(erasure.parts, values, strict=True)
    codes = [part.encoder.codes(value, part.values, n_bins) for part, value in parts]
    return np.stack(codes, axis=1).astype(np.int64)


def _n_merged(sorted_counts: NDArray[np.int64]) -> int:
    """Return how many of the smallest cells to merge, so that all cells and the merged one are large enough."""
    n_small = int(np.sum(sorted_counts < _MIN_NODES))
    if n_small == 0:
        return 0
    totals = np.cumsum(sorted_counts)
    return max(n_small, int(np.searchsorted(totals, _MIN_NODES)) + 1)


def _check_sizes(erasure: Erasure, sizes: NDArray[np.int64], n_merged: int) -> None:
    names = " and ".join(map(repr, erasure.names))
    if len(sizes) < 2 or (n_merged and sizes[0] > sizes.sum() / 2):
        raise InvalidParameterError(
            f"erase: {names} must divide the nodes into at least two groups of {_MIN_NODES} or more nodes that hold "
            f"most of the nodes at level 'distribution'; got {len(sizes) - (n_merged > 0)} such groups. "
            "Erase fewer attributes, use labels with fewer values, or erase_level='linear'."
        )
    if n_merged:
        warnings.warn(
            f"erase: {n_merged} small groups of {names} ({int(sizes[0])} nodes, most groups with fewer than "
            f"{_MIN_NODES}) are merged into one: vectors no longer tell them from other groups, but may tell them from "
            "each other.",
            ResiduumWarning,
            stacklevel=2,
        )
