"""Disparity of similarity between groups of nodes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum.embedding.nearest import unit_rows
from residuum.errors import InvalidParameterError
from residuum.evaluation.values import Values, values_of
from residuum.evaluation.vectors import Vectors, as_vectors
from residuum.graph import is_known

__all__ = ["Disparity", "similarity_disparity"]


@dataclass(frozen=True)
class Disparity:
    """Mean cosine of pairs of distinct nodes, by their groups.

    Attributes
    ----------
    groups : array of shape (G,)
        Group labels, sorted.
    similarity : array of shape (G, G)
        Mean cosine of the nodes of two groups; NaN within a group of one node.
    within, between : float
        Mean cosine over all pairs of the same group, and of different groups.

    Examples
    --------
    >>> disparity = similarity_disparity([[1, 0], [2, 0], [0, 1], [0, 3]], ["a", "a", "b", "b"])
    >>> disparity.within, disparity.between, disparity.spread
    (1.0, 0.0, 0.0)
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
        """Highest minus lowest similarity within a group: 0 if all groups are equally cohesive."""
        inside = np.diagonal(self.similarity)
        return float(np.nanmax(inside) - np.nanmin(inside))


def similarity_disparity(vectors: Vectors, groups: Values) -> Disparity:
    """Return the mean of ``cos(u_i, u_j)`` over all pairs of distinct nodes, by their groups.

    The means are exact, not sampled: the sum over pairs is the inner product of sums of unit vectors. Nodes with a zero
    vector or a missing group (None, NaN or an empty string) are ignored.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node.
    groups : array of shape (N,), or mapping of node id to group
        In the order of the vectors if they are an array, by node id if they are an Embedding.

    Returns
    -------
    Disparity
        Mean cosines within and between groups.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> vectors = Residual2Vec(4, random_state=0).fit_transform(graph)
    >>> round(similarity_disparity(vectors, graph.node_attributes["club"]).gap, 1)
    1.0
    """
    u = as_vectors(vectors)
    labels = values_of(vectors, groups, "groups")
    usable = (np.linalg.norm(u, axis=1) > 0) & is_known(labels)
    if usable.sum() < 2:
        raise InvalidParameterError(
            f"groups must label at least two nodes with a nonzero vector; {int(usable.sum())} of {len(u)} nodes have "
            "both."
        )
    names, codes = np.unique(labels[usable], return_inverse=True)
    counts = np.bincount(codes.ravel()).astype(np.float64)
    sums = np.zeros((len(names), u.shape[1]))
    np.add.at(sums, codes.ravel(), unit_rows(u[usable]))
    total = sums @ sums.T - np.diag(counts)
    pairs = np.outer(counts, counts) - np.diag(counts)
    similarity = np.divide(total, pairs, out=np.full_like(total, np.nan), where=pairs > 0)
    return Disparity(names, similarity, *(_mean(total, pairs, same) for same in (True, False)))


def _mean(total: NDArray[np.float64], pairs: NDArray[np.float64], same: bool) -> float:
    selected = np.eye(len(total), dtype=np.bool_) == same
    count = pairs[selected].sum()
    return float(total[selected].sum() / count) if count > 0 else float("nan")
