"""Pair scores, computed from vectors and offsets."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum.errors import InvalidParameterError

__all__ = ["PairScore", "PairScores", "paired_positions"]

PairScore = Callable[[NDArray[np.int64], NDArray[np.int64]], ArrayLike]
_CHUNK = 1 << 16


class PairScores:
    """Residual, null, full and cosine scores of pairs (i, j) of rows.

    ``residual`` is ``(u_i · v_j + u_j · v_i) / 2``, the signed association of the model; ``null`` is the expectation of
    the null model, ``p_i + z_j`` averaged over both directions; ``full`` is their sum, which predicts observed links.
    In a directed graph, residual and null are those of the edge from i to j.

    Parameters
    ----------
    vectors : array of shape (N, K)
        u.
    context_vectors : array of shape (N, K), optional
        v; u by default.
    offsets : array of shape (N,), optional
        z, the log marginal probability of contexts under the null model; 0 by default.
    source_offsets : array of shape (N,), optional
        p, the log marginal probability of centers. The default is z for an undirected graph and 0 for a directed graph,
        where the full score then ranks the contexts of a center.
    directed : bool, default False
        Whether the graph is directed.
    log_null : callable, optional
        ``ln P_0(j | i)`` of pairs, which replaces ``z_j`` for null models with groups.

    Examples
    --------
    >>> import numpy as np
    >>> from residuum.embedding import PairScores
    >>> scores = PairScores([[1.0, 0.0], [2.0, 2.0]], offsets=[-1.0, -2.0])
    >>> i, j = np.array([0]), np.array([1])
    >>> scores.residual(i, j).item(), scores.null(i, j).item(), scores.full(i, j).item()
    (2.0, -3.0, -1.0)
    """

    def __init__(
        self,
        vectors: ArrayLike,
        context_vectors: ArrayLike | None = None,
        offsets: ArrayLike | None = None,
        source_offsets: ArrayLike | None = None,
        *,
        directed: bool = False,
        log_null: PairScore | None = None,
    ) -> None:
        self._u = np.asarray(vectors)
        self._v = self._u if context_vectors is None else np.asarray(context_vectors)
        n_nodes = len(self._u)
        self._z = np.zeros(n_nodes) if offsets is None else np.asarray(offsets, dtype=np.float64)
        default = np.zeros(n_nodes) if directed else self._z
        self._p = default if source_offsets is None else np.asarray(source_offsets, dtype=np.float64)
        checks = (
            ("context_vectors", self._v, self._u.shape),
            ("offsets", self._z, (n_nodes,)),
            ("source_offsets", self._p, (n_nodes,)),
        )
        for name, array, shape in checks:
            if array.shape != shape:
                raise InvalidParameterError(
                    f"{name} must have shape {shape} to match vectors; got shape {array.shape}."
                )
        self._directed = directed
        self._log_null = log_null

    def residual(self, i: NDArray[np.int64], j: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the association of pairs beyond the null model, ``(u_i · v_j + u_j · v_i) / 2``.

        Parameters
        ----------
        i, j : int arrays of shape (n,)
            Rows of centers and contexts.

        Returns
        -------
        array of shape (n,)
            Residual score of each pair.
        """
        forward = _dot(self._u, self._v, i, j)
        if self._directed or self._v is self._u:
            return forward
        return (forward + _dot(self._u, self._v, j, i)) / 2

    def null(self, i: NDArray[np.int64], j: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the expectation of the null model for pairs, ``p_i + z_j`` averaged over both directions.

        Parameters
        ----------
        i, j : int arrays of shape (n,)
            Rows of centers and contexts.

        Returns
        -------
        array of shape (n,)
            Null score of each pair.
        """
        forward = self._expected(i, j)
        return forward if self._directed else (forward + self._expected(j, i)) / 2

    def _expected(self, i: NDArray[np.int64], j: NDArray[np.int64]) -> NDArray[np.float64]:
        log_context = self._z[j] if self._log_null is None else np.asarray(self._log_null(i, j))
        return np.asarray(self._p[i] + log_context)

    def full(self, i: NDArray[np.int64], j: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the sum of the residual and null scores.

        Parameters
        ----------
        i, j : int arrays of shape (n,)
            Rows of centers and contexts.

        Returns
        -------
        array of shape (n,)
            Full score of each pair.
        """
        return self.residual(i, j) + self.null(i, j)

    def dot(self, i: NDArray[np.int64], j: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return ``u_i · u_j``, the paper's score, which loses the sign of negative eigenvalues.

        Parameters
        ----------
        i, j : int arrays of shape (n,)
            Rows of centers and contexts.

        Returns
        -------
        array of shape (n,)
            Dot product of each pair.
        """
        return _dot(self._u, self._u, i, j)

    def cosine(self, i: NDArray[np.int64], j: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the cosine of ``u_i`` and ``u_j``, or 0 if a vector is zero.

        Parameters
        ----------
        i, j : int arrays of shape (n,)
            Rows of centers and contexts.

        Returns
        -------
        array of shape (n,)
            Cosine of each pair.
        """
        length = np.linalg.norm(self._u, axis=1).astype(np.float64)
        product = length[i] * length[j]
        return np.asarray(np.divide(self.dot(i, j), product, out=np.zeros(len(i)), where=product > 0))

    def by_dimension(self, i: NDArray[np.int64], j: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the terms of the residual score of pairs, one per dimension.

        Parameters
        ----------
        i, j : int arrays of shape (n,)
            Rows of centers and contexts.

        Returns
        -------
        array of shape (n, K)
            Terms, whose sum over each row is the residual score.
        """
        u, v = self._u, self._v
        products = u[i] * v[j] if self._directed else (u[i] * v[j] + u[j] * v[i]) / 2
        return np.asarray(products, dtype=np.float64)

    def residual_row(self, i: int) -> NDArray[np.float64]:
        """Return the residual scores of a node with all nodes.

        Parameters
        ----------
        i : int
            Row of the center.

        Returns
        -------
        array of shape (N,)
            Residual score of (i, j) for every row j.
        """
        forward = self._v @ self._u[i]
        row = forward if self._directed or self._v is self._u else (forward + self._u @ self._v[i]) / 2
        return np.asarray(row, dtype=np.float64)

    def rows(self, rows: NDArray[np.int64], mode: str) -> NDArray[np.float64]:
        """Return the scores of some nodes with all nodes.

        Parameters
        ----------
        rows : int array of shape (m,)
            Rows of the centers.
        mode : {"residual", "null", "full"}
            Which score.

        Returns
        -------
        array of shape (m, N)
            Score of (i, j) for every row j.
        """
        total = np.zeros((len(rows), len(self._u)))
        if mode != "null":
            forward = self._u[rows] @ self._v.T
            one_way = self._directed or self._v is self._u
            total += forward if one_way else (forward + self._v[rows] @ self._u.T) / 2
        if mode != "residual":
            total += self.null(rows[:, None], np.arange(len(self._u))[None, :])
        return total

    def cosine_row(self, i: int) -> NDArray[np.float64]:
        """Return the cosine of ``u_i`` with all vectors, or 0 if a vector is zero.

        Parameters
        ----------
        i : int
            Row of the center.

        Returns
        -------
        array of shape (N,)
            Cosine of (i, j) for every row j.
        """
        length = np.linalg.norm(self._u, axis=1).astype(np.float64)
        product = length * length[i]
        dots = np.asarray(self._u @ self._u[i], dtype=np.float64)
        return np.asarray(np.divide(dots, product, out=np.zeros(len(dots)), where=product > 0))


def _dot(
    left: NDArray[np.floating], right: NDArray[np.floating], i: NDArray[np.int64], j: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return ``left[i] · right[j]`` in float64, in chunks of pairs to limit memory."""
    result = np.empty(len(i))
    for start in range(0, len(i), _CHUNK):
        chunk = slice(start, start + _CHUNK)
        result[chunk] = np.einsum("pk,pk->p", left[i[chunk]], right[j[chunk]], dtype=np.float64)
    return result


def paired_positions(
    i: Any, j: Any, positions: Callable[[Iterable[Any]], NDArray[np.int64]]
) -> tuple[NDArray[np.int64], NDArray[np.int64], bool]:
    """Return the rows of pairs of nodes; a single node is paired with each of the others.

    Parameters
    ----------
    i, j : node id, or sequence of node ids
        Centers and contexts. A string, a number and a tuple that is a node id are single nodes.
    positions : callable
        Rows of several node ids; raises a KeyError for other ids.

    Returns
    -------
    rows, columns : int arrays of shape (n,)
        Rows of the centers and of the contexts.
    single : bool
        Whether both are single nodes.

    Raises
    ------
    InvalidParameterError
        If two sequences differ in length.

    Examples
    --------
    >>> rows, columns, single = paired_positions("a", ["b", "c"], lambda ids: np.array(["abc".index(x) for x in ids]))
    >>> rows.tolist(), columns.tolist(), single
    ([0, 0], [1, 2], False)
    """
    singles = [_is_single(ids, positions) for ids in (i, j)]
    rows, columns = (positions([ids] if single else ids) for ids, single in zip((i, j), singles, strict=True))
    if not any(singles) and len(rows) != len(columns):
        raise InvalidParameterError(f"i and j must have the same length; got {len(rows)} and {len(columns)}.")
    rows, columns = np.broadcast_arrays(rows, columns)
    return rows, columns, all(singles)


def _is_single(ids: Any, positions: Callable[[Iterable[Any]], NDArray[np.int64]]) -> bool:
    if isinstance(ids, str) or not isinstance(ids, Iterable):
        return True
    if not isinstance(ids, tuple):
        return False
    try:
        positions([ids])
    except (KeyError, TypeError):
        return False
    return True
