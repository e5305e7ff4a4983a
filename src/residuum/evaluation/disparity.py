"""Disparity: whether similarity depends on the groups of two nodes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum.errors import InvalidParameterError
from residuum.evaluation.values import Values, is_known, values_of
from residuum.evaluation.vectors import Vectors, as_vectors, unit_rows

__all__ = ["Disparity", "similarity_disparity"]


@dataclass(frozen=True)
class Disparity:
    """Mean cosine of pairs of different nodes, by their groups.

    Attributes
    ----------
    groups : array of shape (G,)
    similarity : array of shape (G, G)
        Mean cosine of a node of one group with a node of the other; NaN within a group of one node.
    within, between : float
        The same over all pairs of the same group, and of different ones.
    """

    groups: NDArray[Any]
    similarity: NDArray[np.float64]
    within: float
    between: float

    @property
    def gap(self) -> float:
        """``within − between``: 0 if a common group makes no difference."""
        return self.within - self.between

    @property
    def spread(self) -> float:
        """The highest minus the lowest similarity inside a group: 0 if all groups are equally close-knit."""
        inside = np.diagonal(self.similarity)
        return float(np.nanmax(inside) - np.nanmin(inside))


def similarity_disparity(vectors: Vectors, groups: Values) -> Disparity:
    """Return the mean of ``cos(u_i, u_j)`` over all pairs of different nodes, by their groups.

    All pairs are counted, none is drawn: the sum over pairs is the inner product of the sums of unit vectors. Nodes
    with a zero vector, or whose group is missing (None, NaN or an empty text), are left out.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
    groups : array of shape (N,), or mapping of node id to group
        An array is in the order of the vectors; a mapping is for an embedding.

    Examples
    --------
    >>> similarity_disparity([[1, 0], [2, 0], [0, 1], [0, 3]], ["a", "a", "b", "b"]).gap
    1.0
    """
    u = as_vectors(vectors)
    given = values_of(vectors, groups, "groups")
    present = (np.linalg.norm(u, axis=1) > 0) & is_known(given)
    if present.sum() < 2:
        raise InvalidParameterError(
            "groups must be known for at least two nodes whose vector is not zero; "
            f"of {len(u)} they are for {int(present.sum())}."
        )
    names, codes = np.unique(given[present], return_inverse=True)
    counts = np.bincount(codes.ravel()).astype(np.float64)
    sums = np.zeros((len(names), u.shape[1]))
    np.add.at(sums, codes.ravel(), unit_rows(u[present]))
    total = sums @ sums.T - np.diag(counts)
    pairs = np.outer(counts, counts) - np.diag(counts)
    similarity = np.divide(total, pairs, out=np.full_like(total, np.nan), where=pairs > 0)
    return Disparity(names, similarity, *(_mean(total, pairs, same) for same in (True, False)))


def _mean(total: NDArray[np.float64], pairs: NDArray[np.float64], same: bool) -> float:
    here = np.eye(len(total), dtype=np.bool_) == same
    count = pairs[here].sum()
    return float(total[here].sum() / count) if count > 0 else float("nan")
