"""Parity of similarity by graph distance: nodes that are equally far apart, in the same group or not."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._random import as_generator
from residuum._validation import check_integer
from residuum.embedding.nearest import unit_rows
from residuum.errors import InvalidParameterError
from residuum.evaluation.values import Values, values_of
from residuum.evaluation.vectors import Vectors, as_vectors
from residuum.graph import Graph, Labels

__all__ = ["DistanceParity", "distance_parity"]

_CENTERS_AT_ONCE = 32


@dataclass(frozen=True)
class DistanceParity:
    """Mean cosine of pairs by their graph distance, within and between groups.

    Attributes
    ----------
    distance : array of shape (D,)
        Numbers of steps 1, 2, …, D between the nodes of a pair.
    within, between : arrays of shape (D,)
        Mean cosine of pairs in the same group, and in different groups; NaN if there are none.
    n_within, n_between : arrays of shape (D,)
        Numbers of such pairs.

    Examples
    --------
    >>> parity = DistanceParity(*map(np.array, ([1, 2], [0.5, 0.2], [0.4, 0.2], [10, 30], [10, 50])))
    >>> parity.gaps.round(2), round(parity.gap, 3)
    (array([0.1, 0. ]), 0.025)
    """

    distance: NDArray[np.int64]
    within: NDArray[np.float64]
    between: NDArray[np.float64]
    n_within: NDArray[np.int64]
    n_between: NDArray[np.int64]

    @property
    def gaps(self) -> NDArray[np.float64]:
        """``within − between`` at each distance: 0 if a common group makes no difference at equal distance."""
        return self.within - self.between

    @property
    def gap(self) -> float:
        """Mean of the gaps, weighted by the number of pairs in the same group; NaN if there is no gap."""
        defined = ~np.isnan(self.gaps)
        return float(np.average(self.gaps[defined], weights=self.n_within[defined])) if defined.any() else float("nan")


def distance_parity(
    vectors: Vectors,
    groups: Values,
    graph: Graph,
    *,
    max_distance: int = 4,
    n_centers: int = 200,
    random_state: int | np.random.Generator | None = 0,
) -> DistanceParity:
    """Compare the similarity of pairs in the same group with that of other pairs at the same graph distance.

    Members of a group are close to each other in a homophilous graph, so that their vectors are similar even if the
    embedding only follows the edges. At equal distance, a common group should make no difference. Distances count edges
    and ignore weights and directions. Nodes with a zero vector or a missing group (None, NaN or an empty string) are
    not compared, but paths lead through them.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node of the graph.
    groups : array of shape (N,), or mapping of node id to group
        An array follows the order of the graph's nodes.
    graph : Graph
        The embedded graph.
    max_distance : int
        Largest distance D.
    n_centers : int
        Maximum number of nodes, sampled at random, whose pairs with all others are measured.
    random_state : int, Generator or None
        Seed of the sample.

    Returns
    -------
    DistanceParity
        Mean cosines by distance.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> vectors = Residual2Vec(4, random_state=0).fit_transform(graph)
    >>> bool(distance_parity(vectors, graph.node_attributes["club"], graph).gap > 0.2)
    True
    """
    check_integer("max_distance", max_distance, minimum=1)
    check_integer("n_centers", n_centers, minimum=1)
    u = as_vectors(vectors, graph)
    codes = Labels.of(values_of(vectors, groups, "groups", graph))[1]
    compared = u.any(axis=1) & (codes >= 0)
    if compared.sum() < 2:
        raise InvalidParameterError(
            f"groups must label at least two nodes with a nonzero vector; {int(compared.sum())} of {len(u)} nodes have "
            "both."
        )
    unit = np.zeros_like(u, dtype=np.float64)
    unit[compared] = unit_rows(u[compared])
    steps = _steps(graph)
    centers = as_generator(random_state).permutation(np.flatnonzero(compared))[:n_centers]
    sums, counts = np.zeros((2, max_distance, 2))
    for begin in range(0, len(centers), _CENTERS_AT_ONCE):
        chunk = centers[begin : begin + _CENTERS_AT_ONCE]
        distance = _distances(steps, chunk, max_distance)
        same = codes[:, None] == codes[chunk]
        rows, columns = np.nonzero((distance > 0) & compared[:, None])
        cosine = (unit @ unit[chunk].T)[rows, columns]
        cell = 2 * (distance[rows, columns] - 1) + ~same[rows, columns]
        sums += np.bincount(cell, cosine, minlength=2 * max_distance).reshape(-1, 2)
        counts += np.bincount(cell, minlength=2 * max_distance).reshape(-1, 2)
    means = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
    n_pairs = counts.astype(np.int64)
    return DistanceParity(np.arange(1, max_distance + 1), means[:, 0], means[:, 1], n_pairs[:, 0], n_pairs[:, 1])


def _steps(graph: Graph) -> "sparse.csr_array[np.float32]":
    """Return the adjacency without weights and directions."""
    adjacency = sparse.csr_array(graph.adjacency, copy=True)
    adjacency.data = np.ones(adjacency.nnz, dtype=np.float32)
    return sparse.csr_array(adjacency + adjacency.T) if graph.directed else adjacency


def _distances(
    steps: "sparse.csr_array[np.float32]", centers: NDArray[np.int64], max_distance: int
) -> NDArray[np.int64]:
    """Return the distance of each node, in rows, from the centers, in columns; 0 for a center and beyond the limit."""
    shape = (steps.shape[0], len(centers))
    distance, reached = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.bool_)
    reached[centers, np.arange(len(centers))] = True
    new = reached
    for number in range(1, max_distance + 1):
        new = (steps @ new.astype(np.float32) > 0) & ~reached
        distance[new] = number
        reached = reached | new
    return distance
