"""Degree-correlated null model, which removes degree and degree correlations."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum._validation import check_real
from residuum.graph import Bins, Graph
from residuum.nulls.grouped import GroupedNull
from residuum.nulls.grouping import BinGroups, Grouping, StrengthGroups, product_groups, require_numbers

__all__ = ["DegreeCorrelated"]


class DegreeCorrelated(GroupedNull):
    """The dcSBM whose groups are bins of the degree.

    Removes degree and degree correlations: that hubs link to hubs (assortative, as in social networks) or to leaves
    (disassortative, as in the internet). Use it if ``residuum diagnose`` reports a degree assortativity that the
    vectors must not encode. Nodes of a directed graph are binned by out-degree and in-degree; an out-of-sample node
    whose in-degree is not specified (``groups``) is in the bin of most nodes with its out-degree.

    Parameters
    ----------
    ratio : float, default 2.0
        Ratio of the upper to the lower bound of each bin, at least 1.01.

    Examples
    --------
    >>> from residuum.datasets import karate_club
    >>> from residuum.nulls import DegreeCorrelated
    >>> null = DegreeCorrelated().fit(karate_club(), window=10)
    >>> null.block_form.n_groups
    5
    """

    name: ClassVar[str] = "degree-correlated"
    removes: ClassVar[str] = "degree and degree correlations (hubs linked to hubs or to leaves)"
    options: ClassVar[dict[str, str]] = {}

    def __init__(self, ratio: float = 2.0) -> None:
        self.ratio = ratio

    def groups_of(self, graph: Graph) -> tuple[NDArray[np.int32], Grouping]:
        """Return the degree bin of each node."""
        ratio = check_real("ratio", self.ratio, minimum=1.01)
        out_bins = _degree_bins(graph.out_strength, ratio)
        codes = out_bins.codes(graph.out_strength)
        if not graph.directed:
            return codes, StrengthGroups(out_bins)
        in_bins = _degree_bins(graph.in_strength, ratio)
        in_codes = in_bins.codes(graph.in_strength)
        groups, pairs = product_groups((codes, StrengthGroups(out_bins)), (in_codes, BinGroups(in_bins)))
        counts = np.zeros(pairs.number.shape, dtype=np.int64)
        np.add.at(counts, (codes, in_codes), 1)
        return groups, DirectedGroups(out_bins, in_bins, pairs.number, counts)

    def __repr__(self) -> str:
        return f"DegreeCorrelated(ratio={self.ratio:g})"


@dataclass(frozen=True)
class DirectedGroups:
    """Pairs of bins of out-degree and in-degree.

    The edges of an out-of-sample node give its out-degree. Unless its in-degree is specified, it is in the bin of most
    nodes with that out-degree.
    """

    out_bins: Bins
    in_bins: Bins
    number: NDArray[np.int32]
    counts: NDArray[np.int64]

    @property
    def n_groups(self) -> int:
        return int(self.number.max()) + 1

    @property
    def n_columns(self) -> int:
        return 0

    def codes_of(self, values: ArrayLike | None, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
        out_codes = self.out_bins.codes(np.asarray(edges.sum(axis=1, dtype=np.float64)).ravel())
        in_codes = None if values is None else self.in_bins.codes(require_numbers(values, edges.shape[0]))
        pairs = [self._nearest(out, None if in_codes is None else int(in_codes[i])) for i, out in enumerate(out_codes)]
        return self.number[tuple(np.array(pairs, dtype=np.int64).reshape(-1, 2).T)]

    def _nearest(self, out_code: int, in_code: int | None) -> tuple[int, int]:
        """Return the pair of bins that occurs in the graph and is closest to that of the node."""
        outs, ins = np.nonzero(self.counts)
        distance = np.abs(outs - out_code)
        order = -self.counts[outs, ins] if in_code is None else np.abs(ins - in_code)
        best = np.lexsort((order, distance))[0]
        return int(outs[best]), int(ins[best])


def _degree_bins(strength: NDArray[np.float64], ratio: float) -> Bins:
    """Return bins with geometric borders from the smallest positive degree, independent of the scale of weights."""
    # Logarithms, because the ratio of two degrees may exceed the range of floats.
    smallest, largest = np.log(strength[strength > 0].min()), np.log(strength.max())
    count = int(np.floor((largest - smallest) / np.log(ratio) + 1e-9))
    # Slightly below the powers of the ratio, so that rounding does not move a degree that is an exact power.
    return Bins(np.exp(smallest + np.log(ratio) * np.arange(1, count + 1) - 1e-6))
