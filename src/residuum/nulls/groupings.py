"""How nodes fall into groups, for the nodes of the graph and for newcomers alike."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum.errors import NullModelError

__all__ = ["BinGroups", "Grouping", "LabelGroups", "ProductGroups", "StrengthGroups", "product_groups"]

Edges = "sparse.csr_array[Any]"


class Grouping(Protocol):
    """Numbers the groups 0, …, ``n_groups`` − 1, and finds the group of nodes that come later."""

    @property
    def n_groups(self) -> int:
        """Number of groups B."""
        ...

    @property
    def n_columns(self) -> int:
        """Number of values that must be said of a newcomer; 0 if its edges say all."""
        ...

    def codes_of(self, values: ArrayLike | None, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
        """Return the groups of newcomers, from what the user says of them or from their edges to known nodes.

        Parameters
        ----------
        values : array of length m, or None
        edges : sparse array of shape (m, N)
        """
        ...


def _require(values: ArrayLike | None, n_nodes: int) -> NDArray[Any]:
    if values is None:
        raise NullModelError(
            "the null model has groups, so that new nodes need theirs: transform(edges, groups=values)."
        )
    array = np.asarray(values)
    if array.shape[:1] != (n_nodes,):
        raise NullModelError(
            f"groups must have one value for each of the {n_nodes} new nodes; got shape {array.shape}."
        )
    return array


@dataclass(frozen=True)
class LabelGroups:
    """One group for each label."""

    labels: NDArray[Any]

    @property
    def n_groups(self) -> int:
        """Number of labels."""
        return len(self.labels)

    @property
    def n_columns(self) -> int:
        """One label."""
        return 1

    def codes_of(self, values: ArrayLike | None, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
        """Return the number of each label."""
        array = _require(values, edges.shape[0])
        number = {label: code for code, label in enumerate(self.labels.tolist())}
        unknown = [label for label in array.tolist() if label not in number]
        if unknown:
            raise NullModelError(
                f"the group {unknown[0]!r} of a new node was not in the graph, so that the null model "
                f"expects nothing of it; known groups are such as {', '.join(map(repr, self.labels[:5].tolist()))}."
            )
        return np.array([number[label] for label in array.tolist()], dtype=np.int32)


@dataclass(frozen=True)
class BinGroups:
    """Numbers between two neighbouring ``edges`` are one group; those beyond fall into the end bins."""

    edges: NDArray[np.float64]

    @property
    def n_groups(self) -> int:
        """Number of bins."""
        return len(self.edges) + 1

    @property
    def n_columns(self) -> int:
        """One number."""
        return 1

    def bins(self, values: ArrayLike) -> NDArray[np.int32]:
        """Return the bin of each number."""
        return np.searchsorted(self.edges, np.asarray(values, dtype=np.float64), side="right").astype(np.int32)

    def codes_of(self, values: ArrayLike | None, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
        """Return the bin of each number."""
        return self.bins(_require(values, edges.shape[0]))


@dataclass(frozen=True)
class StrengthGroups:
    """Bins of the strength; a newcomer's is the sum of its edges, so that nothing need be said of it."""

    bins: BinGroups

    @property
    def n_groups(self) -> int:
        """Number of bins."""
        return self.bins.n_groups

    @property
    def n_columns(self) -> int:
        """None."""
        return 0

    def codes_of(self, values: ArrayLike | None, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
        """Return the bin of the strength of each newcomer."""
        del values
        return self.bins.bins(np.asarray(edges.sum(axis=1)).ravel())


@dataclass(frozen=True)
class ProductGroups:
    """Pairs of groups; ``number[a, b]`` is the group of the pair, −1 if no node of the graph has it."""

    first: Grouping
    second: Grouping
    number: NDArray[np.int32]

    @property
    def n_groups(self) -> int:
        """Number of pairs that occur."""
        return int(self.number.max()) + 1

    @property
    def n_columns(self) -> int:
        """Those of the first grouping, then those of the second."""
        return self.first.n_columns + self.second.n_columns

    def codes_of(self, values: ArrayLike | None, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
        """Return the groups of pairs; ``values`` has ``n_columns`` columns, or is flat if that is one."""
        one, two = self._split(values)
        codes = self.number[self.first.codes_of(one, edges), self.second.codes_of(two, edges)]
        if (codes < 0).any():
            raise NullModelError(
                "a new node has a combination of groups that was not in the graph, so that the null model expects "
                "nothing of it; take coarser groups."
            )
        return np.asarray(codes)

    def _split(self, values: ArrayLike | None) -> tuple[Any, Any]:
        """Return the columns of the first grouping and those of the second."""
        if values is None:
            return None, None
        array = np.asarray(values, dtype=object)
        columns = array[:, None] if array.ndim == 1 else array
        if columns.ndim != 2 or columns.shape[1] != self.n_columns:
            raise NullModelError(
                f"the null model is a product that needs {self.n_columns} values of each new node, one column for "
                f"each in the order of the product: groups of shape (m, {self.n_columns}); got shape {array.shape}."
            )
        border = self.first.n_columns
        return _columns(columns[:, :border]), _columns(columns[:, border:])


def _columns(part: NDArray[Any]) -> NDArray[Any] | None:
    """Return columns as one grouping takes them: None if there are none, flat if there is one."""
    if part.shape[1] == 0:
        return None
    return part[:, 0] if part.shape[1] == 1 else part


def product_groups(
    first: tuple[NDArray[np.int32], Grouping], second: tuple[NDArray[np.int32], Grouping]
) -> tuple[NDArray[np.int32], ProductGroups]:
    """Return numbers for the pairs of groups that occur, and their grouping, from two of the kind."""
    (one, grouping_one), (two, grouping_two) = first, second
    number = np.full((grouping_one.n_groups, grouping_two.n_groups), -1, dtype=np.int32)
    pairs, codes = np.unique(np.stack([one, two], axis=1), axis=0, return_inverse=True)
    number[pairs[:, 0], pairs[:, 1]] = np.arange(len(pairs))
    return codes.ravel().astype(np.int32), ProductGroups(grouping_one, grouping_two, number)
