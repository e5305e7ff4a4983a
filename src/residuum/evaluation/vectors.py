"""Vectors as an array or an Embedding: order of rows, and pair scores."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum.embedding import Embedding, PairScores
from residuum.errors import InvalidParameterError
from residuum.graph import Graph

__all__ = ["Vectors", "as_vectors", "pair_scores"]

Vectors = ArrayLike | Embedding


def as_vectors(vectors: Vectors, graph: Graph | None = None) -> NDArray[np.float64]:
    """Return finite vectors, one row per node; with a graph, an Embedding is put in the order of its nodes.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node.
    graph : Graph, optional
        Graph of N nodes: an array must have N rows, and an Embedding a vector for each node id.

    Returns
    -------
    array of shape (N, K)
        Vectors as float64.

    Examples
    --------
    >>> as_vectors(Embedding(["b", "a"], [[1.0], [2.0]]), Graph([[0, 1], [1, 0]], ["a", "b"]))
    array([[2.],
           [1.]])
    """
    rows = vectors.vectors[_order(vectors, graph)] if isinstance(vectors, Embedding) else vectors
    result = np.asarray(rows, dtype=np.float64)
    if result.ndim != 2:
        raise InvalidParameterError(f"vectors must be an array of shape (nodes, dimensions); got {result.shape}.")
    if graph is not None and len(result) != graph.n_nodes:
        raise InvalidParameterError(
            f"vectors must have one row for each of the {graph.n_nodes} nodes of the graph; got {len(result)} rows."
        )
    if not np.isfinite(result).all():
        row = int(np.flatnonzero(~np.isfinite(result).all(axis=1))[0])
        raise InvalidParameterError(f"vectors must be finite; row {row} has NaN or infinite entries.")
    return result


def _order(embedding: Embedding, graph: Graph | None) -> NDArray[np.int64]:
    if graph is None:
        return np.arange(len(embedding))
    # Files of other tools store all ids as strings.
    ids = (node if node in embedding or str(node) not in embedding else str(node) for node in graph.node_ids.tolist())
    return np.fromiter((embedding.position(node) for node in ids), dtype=np.int64, count=graph.n_nodes)


def pair_scores(
    vectors: Vectors,
    context_vectors: ArrayLike | None = None,
    offsets: ArrayLike | None = None,
    *,
    graph: Graph | None = None,
) -> PairScores:
    """Return the residual, null, full and cosine scores of pairs, each a function of (rows, columns).

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        Center vectors u. An Embedding also provides context vectors and offsets.
    context_vectors : array of shape (N, K), optional
        Context vectors v; without them the residual score is ``u_i · u_j``.
    offsets : array of shape (N,), optional
        Offsets z, in the order of the vectors; 0 by default.
    graph : Graph, optional
        Graph whose node positions are the rows and columns; scores are directed if it is.

    Returns
    -------
    PairScores
        Scores as methods ``residual``, ``null``, ``full`` and ``cosine``.

    Examples
    --------
    >>> scores = pair_scores([[1.0, 0.0], [2.0, 2.0]], offsets=[-1.0, -2.0])
    >>> scores.full(np.array([0]), np.array([1])).item()
    -1.0
    """
    directed = graph is not None and graph.directed
    if not isinstance(vectors, Embedding):
        context = None if context_vectors is None else as_vectors(context_vectors, graph)
        return PairScores(as_vectors(vectors, graph), context, offsets, directed=directed)
    if context_vectors is not None or offsets is not None:
        raise InvalidParameterError(
            "context_vectors and offsets must be None if vectors is an Embedding, which has its own; "
            "pass the array Embedding.vectors to use others."
        )
    order = _order(vectors, graph)
    optional = (vectors.context_vectors, vectors.offsets, vectors.source_offsets)
    parts = (None if part is None else part[order] for part in optional)
    return PairScores(as_vectors(vectors, graph), *parts, directed=directed or (graph is None and vectors.directed))
