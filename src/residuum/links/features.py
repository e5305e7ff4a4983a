"""Features of a pair of nodes for a classifier: association, degrees around both ends, and short paths between them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._kernels.paths import count_paths
from residuum._threads import even_ranges, run_ranges
from residuum.embedding import PairScores
from residuum.models.base import NodeEmbedding

__all__ = ["PairFeatures"]

_SHARED = (
    "association",
    "log of the product of degrees",
    "cosine",
    "common neighbors",
    "common neighbors, weighted",
    "paths of three edges",
    "paths of three edges, weighted",
    "paths of three edges by degrees",
)
_OF_ENDS = ("degree", "degree of neighbors", "degree two steps away", "length of the vector")
_LARGEST = 1e300


class PairFeatures:
    """Numbers that describe pairs of nodes of the graph of a fitted embedding.

    Degrees are in units of the mean. In an undirected graph a pair and its reverse have the same features: the end with
    fewer paths of two edges comes first. In a directed graph the source comes first, degrees are those of outgoing
    edges for the source and of incoming edges for the target, and paths follow the arcs.

    Parameters
    ----------
    model : NodeEmbedding
        Fitted embedding.

    Attributes
    ----------
    names : tuple of str
        Names of the features.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> features = PairFeatures(Residual2Vec(4, random_state=0).fit(datasets.karate_club()))
    >>> values = features(np.array([0, 9]), np.array([33, 1]))
    >>> values.shape, dict(zip(features.names, values[0].tolist()))["common neighbors"]
    ((2, 16), 4.0)
    """

    names = (*_SHARED, *(f"{name}, {end} end" for name in _OF_ENDS for end in ("first", "second")))

    def __init__(self, model: NodeEmbedding) -> None:
        graph = model.graph_
        self._directed = graph.directed
        self._scores = PairScores(model.embedding_, model.context_embedding_, directed=graph.directed)
        adjacency = graph.adjacency
        transposed = adjacency.T.tocsr() if graph.directed else adjacency
        self._rows, self._reverse = ((matrix.indptr, matrix.indices) for matrix in (adjacency, transposed))
        # In units of the mean, whatever the unit of the weights.
        out_degree, in_degree = (degree / degree.mean() for degree in (graph.out_strength, graph.in_strength))
        # Inner nodes of a path are left and entered.
        self._inner = (out_degree + in_degree) / 2
        lowest = float(out_degree[out_degree > 0].min() * in_degree[in_degree > 0].min())
        self._lowest = max(lowest, float(np.finfo(np.float64).tiny))
        around = [_around(matrix, degree) for matrix, degree in ((adjacency, out_degree), (transposed, in_degree))]
        both = (vectors.astype(np.float64) for vectors in (model.embedding_, model.context_embedding_))
        lengths = [np.linalg.norm(vectors, axis=1) for vectors in both]
        self._lengths = lengths if graph.directed else [lengths[0], lengths[0]]
        self._ends = [
            np.column_stack([*columns, length]) for columns, length in zip(around, self._lengths, strict=True)
        ]
        self._reach = adjacency.astype(bool) @ np.diff(adjacency.indptr).astype(np.float64)

    def __call__(self, i: NDArray[np.int64], j: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the features of pairs.

        Parameters
        ----------
        i, j : int arrays of shape (n,)
            Positions of the nodes.

        Returns
        -------
        array of shape (n, number of features)
            Features.
        """
        i, j = np.asarray(i, dtype=np.int64), np.asarray(j, dtype=np.int64)
        if not self._directed:
            # The same order for a pair and its reverse; paths are counted from the end with the smaller surroundings.
            swapped = (self._reach[i] > self._reach[j]) | ((self._reach[i] == self._reach[j]) & (i > j))
            i, j = np.where(swapped, j, i), np.where(swapped, i, j)
        paths = self._paths(i, j)
        association = self._scores.residual(i, j)
        lengths = self._lengths[0][i] * self._lengths[1][j]
        cosine = np.divide(association, lengths, out=np.zeros(len(i)), where=lengths > 0)
        first, second = (end[nodes] for end, nodes in zip(self._ends, (i, j), strict=True))
        # Isolated nodes count as those of the lowest degree.
        product = np.maximum(first[:, 0] * second[:, 0], self._lowest)
        of_ends = np.stack([first, second], axis=2).reshape(len(i), 2 * len(_OF_ENDS))
        features = np.column_stack([association, np.log(product), cosine, paths, paths[:, 2] / product, of_ends])
        # Weights that differ by hundreds of orders of magnitude.
        return np.asarray(np.nan_to_num(features, nan=0.0, posinf=_LARGEST, neginf=-_LARGEST))

    def _paths(self, i: NDArray[np.int64], j: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the numbers of paths of two and three edges, plain and weighted, in shape (n, 4)."""
        order = np.lexsort([i, j])
        sources, targets, counts = i[order], j[order], np.empty((len(i), 4))

        def count(begin: int, end: int) -> None:
            mark = np.full(len(self._inner), -1, dtype=np.int64)
            count_paths(self._rows, self._reverse, self._inner, sources, targets, mark, counts, begin, end)

        run_ranges(count, even_ranges(len(i), float(self._reach[i].sum())))
        result = np.empty_like(counts)
        result[order] = counts
        return result


def _around(matrix: "sparse.csr_array[Any]", degree: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Return degrees, and their means over the neighbors one and two steps away, weighted by the edges."""
    weights = matrix.astype(np.float64)
    weights.data /= weights.data.max()
    strength = np.asarray(weights.sum(axis=1)).ravel()
    columns = [degree]
    for _ in range(2):
        total = weights @ columns[-1]
        columns.append(np.divide(total, strength, out=np.zeros(len(degree)), where=strength > 0))
    return columns
