"""Groupings: rules that assign nodes of the graph and out-of-sample nodes to groups."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum.errors import NullModelError
from residuum.graph import Bins, Labels
from residuum.graph.attributes import as_numbers
from residuum.graph.graph import attribute_array

__all__ = [
    "BinGroups",
    "Grouping",
    "LabelGroups",
    "ProductGroups",
    "StrengthGroups",
    "product_groups",
    "require_numbers",
    "require_values",
]


class Grouping(Protocol):
    """Protocol of groupings, which number the groups 0, …, ``n_groups`` − 1 and assign out-of-sample nodes to them."""

    @property
    def n_groups(self) -> int:
        """Number of groups B."""
        ...

    @property
    def n_columns(self) -> int:
        """Number of values that an out-of-sample node needs; 0 if its group follows from its edges."""
        ...

    def codes_of(self, values: ArrayLike | None, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
        """Return the groups of out-of-sample nodes.

        Parameters
        ----------
        values : array of length m or None
            Attribute values of the nodes, specified by the user.
        edges : sparse array of shape (m, N)
            Weights of the edges to nodes of the graph.

        Returns
        -------
        int array of shape (m,)
            Group of each node.
        """
        ...


def require_values(values: ArrayLike | None, n_nodes: int, n_columns: int = 1) -> NDArray[Any]:
    """Check that every out-of-sample node has a value.

    Parameters
    ----------
    values : array of shape (m,) or (m, n_columns), or None
        Attribute values of the nodes.
    n_nodes : int
        Number of out-of-sample nodes m.
    n_columns : int, default 1
        Number of values of a node.

    Returns
    -------
    array of shape (m,) or (m, n_columns)
        The values.

    Raises
    ------
    NullModelError
        If there are no values, or the array has another shape.
    """
    if values is None:
        raise NullModelError(
            "the null model has groups, so out-of-sample nodes need groups, too: use transform(edges, groups=...)."
        )
    array = attribute_array(values)
    if array.shape != ((n_nodes,) if n_columns == 1 else (n_nodes, n_columns)):
        count = "one value" if n_columns == 1 else f"{n_columns} values"
        raise NullModelError(
            f"groups must have {count} for each of the {n_nodes} out-of-sample nodes; got shape {array.shape}."
        )
    return array


def require_numbers(values: ArrayLike | None, n_nodes: int, n_columns: int = 1) -> NDArray[np.float64]:
    """Check that every out-of-sample node has a number; convert time stamps as those of the graph.

    Parameters
    ----------
    values, n_nodes, n_columns : see :func:`require_values`
        Numbers or time stamps of the nodes.

    Returns
    -------
    float array of shape (m,) or (m, n_columns)
        The numbers; days since 1970 for time stamps.

    Raises
    ------
    NullModelError
        If a number is missing.
    """
    numbers = as_numbers(require_values(values, n_nodes, n_columns), "groups")
    if not np.isfinite(numbers).all():
        raise NullModelError(
            "groups must be finite numbers, and an out-of-sample node has none; fill it in, or leave the node out."
        )
    return numbers


@dataclass(frozen=True)
class LabelGroups:
    """One group per label."""

    labels: Labels

    @property
    def n_groups(self) -> int:
        """Number of labels."""
        return len(self.labels)

    @property
    def n_columns(self) -> int:
        """Always 1, the label."""
        return 1

    def codes_of(self, values: ArrayLike | None, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
        """Return the group of each label."""
        return self.labels.codes(require_values(values, edges.shape[0]).tolist(), "groups")


@dataclass(frozen=True)
class BinGroups:
    """One group per bin of a number."""

    bins: Bins

    @property
    def n_groups(self) -> int:
        """Number of bins."""
        return len(self.bins)

    @property
    def n_columns(self) -> int:
        """Always 1, the number."""
        return 1

    def codes_of(self, values: ArrayLike | None, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
        """Return the bin of each number."""
        return self.bins.codes(require_numbers(values, edges.shape[0]))


@dataclass(frozen=True)
class StrengthGroups(BinGroups):
    """One group per bin of the strength, the total weight of the edges of a node."""

    @property
    def n_columns(self) -> int:
        """Always 0, because the strength follows from the edges."""
        return 0

    def codes_of(self, values: ArrayLike | None, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
        """Return the bin of each node's strength."""
        del values
        return self.bins.codes(np.asarray(edges.sum(axis=1)).ravel())


@dataclass(frozen=True)
class ProductGroups:
    """One group per pair of groups; ``number[a, b]`` is the group of the pair, −1 if it does not occur in the graph."""

    first: Grouping
    second: Grouping
    number: NDArray[np.int32]

    @property
    def n_groups(self) -> int:
        """Number of pairs that occur."""
        return int(self.number.max()) + 1

    @property
    def n_columns(self) -> int:
        """Number of columns of both groupings together."""
        return self.first.n_columns + self.second.n_columns

    def codes_of(self, values: ArrayLike | None, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
        """Return the group of each pair; ``values`` has shape (m, n_columns), or (m,) for a single column."""
        first_values, second_values = self._split(values)
        codes = self.number[self.first.codes_of(first_values, edges), self.second.codes_of(second_values, edges)]
        if (codes < 0).any():
            raise NullModelError(
                "an out-of-sample node has a combination of groups that does not occur in the graph, so the null model "
                "is undefined for it; use coarser groups."
            )
        return np.asarray(codes)

    def _split(self, values: ArrayLike | None) -> tuple[Any, Any]:
        """Return the columns of the first and of the second grouping."""
        if values is None:
            return None, None
        array = attribute_array(values)
        if array.dtype.kind == "M":
            # As objects, nanoseconds would become plain integers.
            array = array.astype("datetime64[us]")
        array = array.astype(object)
        columns = array[:, None] if array.ndim == 1 else array
        if columns.ndim != 2 or columns.shape[1] != self.n_columns:
            raise NullModelError(
                f"groups must have shape (m, {self.n_columns}) for m out-of-sample nodes, with one column per "
                f"attribute in the order of the product; got shape {array.shape}."
            )
        border = self.first.n_columns
        return _columns(columns[:, :border]), _columns(columns[:, border:])


def _columns(values: NDArray[Any]) -> NDArray[Any] | None:
    """Return None for no columns, shape (m,) for one column, and the array itself otherwise."""
    if values.shape[1] == 0:
        return None
    return values[:, 0] if values.shape[1] == 1 else values


def product_groups(
    first: tuple[NDArray[np.int32], Grouping], second: tuple[NDArray[np.int32], Grouping]
) -> tuple[NDArray[np.int32], ProductGroups]:
    """Return the product of two groupings, with one group per pair of groups that occurs.

    Parameters
    ----------
    first, second : tuple of an int array of shape (N,) and a Grouping
        Group of each node and the grouping, as returned by ``groups_of``.

    Returns
    -------
    codes : int array of shape (N,)
        Group of each node; groups are numbered in lexicographic order of the pairs.
    grouping : ProductGroups
        Rule that assigns out-of-sample nodes to pairs.
    """
    (first_codes, first_grouping), (second_codes, second_grouping) = first, second
    number = np.full((first_grouping.n_groups, second_grouping.n_groups), -1, dtype=np.int32)
    pairs, codes = np.unique(np.stack([first_codes, second_codes], axis=1), axis=0, return_inverse=True)
    number[pairs[:, 0], pairs[:, 1]] = np.arange(len(pairs))
    return codes.ravel().astype(np.int32), ProductGroups(first_grouping, second_grouping, number)
