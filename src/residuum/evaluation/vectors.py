"""Vectors in whatever form they come: an array, or an embedding that knows whose they are."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.neighbors import NearestNeighbors

from residuum._validation import check_integer
from residuum.embedding import Embedding
from residuum.errors import InvalidParameterError
from residuum.graph import Graph

__all__ = ["PairScore", "Vectors", "as_vectors", "nearest_rows", "pair_scores", "unit_rows"]

Vectors = ArrayLike | Embedding
_PAIRS_AT_ONCE = 1 << 16
PairScore = Callable[[NDArray[np.int64], NDArray[np.int64]], ArrayLike]


def as_vectors(vectors: Vectors, graph: Graph | None = None) -> NDArray[np.float64]:
    """Return finite vectors, one row for each node; those of an embedding in the order of the graph's nodes.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
    graph : Graph, optional
        With it an array must have a row for each node, and an embedding a vector for each id of the graph.

    Examples
    --------
    >>> as_vectors(Embedding(["b", "a"], [[1.0], [2.0]]), Graph([[0, 1], [1, 0]], ["a", "b"]))
    array([[2.],
           [1.]])
    """
    rows = vectors.vectors[_order(vectors, graph)] if isinstance(vectors, Embedding) else vectors
    result = np.asarray(rows, dtype=np.float64)
    if result.ndim != 2:
        raise InvalidParameterError(f"vectors must be an array of shape (nodes, components); got {result.shape}.")
    if graph is not None and len(result) != graph.n_nodes:
        raise InvalidParameterError(
            f"vectors must have one row for each of the {graph.n_nodes} nodes of the graph; got {len(result)}."
        )
    if not np.isfinite(result).all():
        bad = int(np.flatnonzero(~np.isfinite(result).all(axis=1))[0])
        raise InvalidParameterError(f"vectors must be finite numbers; row {bad} is not.")
    return result


def _order(embedding: Embedding, graph: Graph | None) -> NDArray[np.int64]:
    if graph is None:
        return np.arange(len(embedding))
    # Files of other tools know ids as text only.
    ids = (one if one in embedding or str(one) not in embedding else str(one) for one in graph.node_ids.tolist())
    return np.fromiter((embedding.position(one) for one in ids), dtype=np.int64, count=graph.n_nodes)


def unit_rows(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``u_i / |u_i|``; zero vectors stay zero."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0))


def nearest_rows(vectors: NDArray[np.float64], n_neighbors: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the n rows that are not zero, and for each the other rows of highest cosine, nearest first.

    A zero vector has no direction: it is no one's neighbour, and has none. Shapes (n,) and (n, n_neighbors).
    """
    check_integer("n_neighbors", n_neighbors, minimum=1)
    present = np.flatnonzero(vectors.any(axis=1))
    if n_neighbors >= len(present):
        raise InvalidParameterError(
            f"n_neighbors must be below the number of nodes whose vector is not zero, {len(present)}; "
            f"got {n_neighbors}."
        )
    index = NearestNeighbors(n_neighbors=n_neighbors, algorithm="brute").fit(unit_rows(vectors)[present])
    return present, present[index.kneighbors(return_distance=False)]


def pair_scores(
    vectors: Vectors,
    context_vectors: ArrayLike | None = None,
    offsets: ArrayLike | None = None,
    *,
    graph: Graph | None = None,
) -> dict[str, PairScore]:
    """Return what vectors say of pairs: residual, null, full and cosine, each a function of (rows, columns).

    ``residual`` is ``(u_i · v_j + u_j · v_i) / 2``, or ``u_i · u_j`` without context vectors; ``null`` is
    ``z_i + z_j``, 0 without offsets; ``full`` is the sum of both.

    In a directed graph ``residual`` is ``u_i · v_j`` and ``null`` is ``z_j``: offsets are those of targets, and say
    nothing of how many edges leave i. ``full`` then ranks the targets of one source, as ``ln P_d(j | i)`` does. To
    rank pairs of different sources, take ``score_pairs`` of the model, which knows the offsets of sources, too.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        An embedding brings its context vectors and offsets along, and takes no others.
    context_vectors : array of shape (N, K), optional
    offsets : array of shape (N,), optional
        In the order of the vectors.
    graph : Graph, optional
        Rows and columns are positions in it.

    Examples
    --------
    >>> scores = pair_scores([[1.0, 0.0], [2.0, 2.0]], offsets=[-1.0, -2.0])
    >>> first, second = np.array([0]), np.array([1])
    >>> [scores[name](first, second).item() for name in ("residual", "null", "full")]
    [2.0, -3.0, -1.0]
    """
    if isinstance(vectors, Embedding):
        if context_vectors is not None or offsets is not None:
            raise InvalidParameterError(
                "context_vectors and offsets must be left out with an Embedding, which brings its own; "
                "give Embedding.vectors, an array, to use others."
            )
        order = _order(vectors, graph)
        context_vectors = None if vectors.context_vectors is None else vectors.context_vectors[order]
        offsets = None if vectors.offsets is None else vectors.offsets[order]
    u = as_vectors(vectors, graph)
    v = u if context_vectors is None else as_vectors(context_vectors, graph)
    z = np.zeros(len(u)) if offsets is None else np.asarray(offsets, dtype=np.float64)
    for name, array, shape in (("context_vectors", v, u.shape), ("offsets", z, u.shape[:1])):
        if array.shape != shape:
            raise InvalidParameterError(
                f"{name} must have shape {shape}, in the order of the vectors; got {array.shape}."
            )
    unit = unit_rows(u)
    directed = graph is not None and graph.directed

    def residual(i: NDArray[np.int64], j: NDArray[np.int64]) -> NDArray[np.float64]:
        forward = _dot(u, v, i, j)
        return forward if directed or v is u else (forward + _dot(u, v, j, i)) / 2

    def null(i: NDArray[np.int64], j: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(z[j] if directed else z[i] + z[j])

    return {
        "residual": residual,
        "null": null,
        "full": lambda i, j: residual(i, j) + null(i, j),
        "cosine": lambda i, j: _dot(unit, unit, i, j),
    }


def _dot(
    left: NDArray[np.float64], right: NDArray[np.float64], i: NDArray[np.int64], j: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return ``left[i] · right[j]`` for each pair, some at a time: the rows of all at once may not fit."""
    result = np.empty(len(i))
    for start in range(0, len(i), _PAIRS_AT_ONCE):
        part = slice(start, start + _PAIRS_AT_ONCE)
        result[part] = np.einsum("pk,pk->p", left[i[part]], right[j[part]])
    return result
