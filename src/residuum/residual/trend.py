"""Erasure of finished vectors: the trend of the attributes is subtracted from long vectors only.

A projection subtracts the trend from all nodes alike. A node whose vector is almost empty, such as a paper that is
hardly ever cited, then ends at minus the trend of its year, which trees recognize. Here, node i takes a share of the
trend in proportion to its weight ``m_i = |x_i|² min(1, |x_i| / r)⁸``, where r² is the mean of ``|x|²`` over the vectors
that are not zero. Short vectors stay as they are. With ``m_i = |x_i|²``, short vectors that were equal differ by the
trends of their years, and trees still predict the year of citations better than before erasure.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum.graph import Graph
from residuum.residual.erasure import Erasure
from residuum.residual.out_of_sample import OutOfSample
from residuum.residual.projector import erased_basis

__all__ = ["DetrendedRows", "Trend", "erases_trend", "length_sums", "radius_of", "subtract_trend", "trend_sums"]

_SHORT_POWER = 8


@dataclass(frozen=True)
class Trend:
    """``x ↦ x − m z C`` with ``m = |x|² min(1, |x| / r)⁸``, which erases attributes with the columns z.

    Attributes
    ----------
    radius : float
        r, the length below which vectors are short.
    coefficients : array of shape (c, K)
        C.

    Examples
    --------
    >>> X, Z = np.array([[0.1], [1.0], [1.0], [0.0]]), np.ones((4, 1))
    >>> radius = radius_of(length_sums(X))
    >>> Trend.of_sums(radius, trend_sums(X, Z, radius)).subtract(X, Z).ravel().round(2)
    array([ 0.1 , -0.05, -0.05,  0.  ], dtype=float32)
    """

    radius: float
    coefficients: NDArray[np.float64]

    @classmethod
    def of_sums(cls, radius: float, sums: NDArray[np.float64], strength: float = 1.0) -> "Trend":
        """Return the trend with ``C = s (Zᵀ M Z)⁺ Zᵀ X``, after which ``Zᵀ X' = (1 − s) Zᵀ X``.

        Parameters
        ----------
        radius : float
            r.
        sums : array of shape (c, c + K)
            Output of :func:`trend_sums` for all nodes.
        strength : float
            Share s of the trend to subtract.

        Returns
        -------
        Trend
            The trend.
        """
        gram, products = sums[:, : len(sums)], sums[:, len(sums) :]
        # Columns at equal lengths, so that groups of short vectors are told from linearly dependent columns.
        lengths = np.sqrt(np.diag(gram))
        inverse = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        if not inverse.any():
            return cls(radius, np.zeros_like(products))
        basis = inverse[:, None] * erased_basis(gram * np.outer(inverse, inverse))
        return cls(radius, np.asarray(strength * (basis @ (basis.T @ products))))

    def subtract(self, X: NDArray[Any], columns: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return the vectors without the trend.

        Parameters
        ----------
        X : array of shape (n, K)
            Vectors.
        columns : array of shape (n, c)
            Columns Z of the attributes of these nodes.

        Returns
        -------
        float32 array of shape (n, K)
            ``x_i − m_i z_i C``; zero vectors stay zero.
        """
        wide = X.astype(np.float64)
        return np.asarray(wide - _weights(wide, self.radius) * (columns @ self.coefficients), dtype=np.float32)


def erases_trend(erasure: Erasure, graph: Graph, floor: float) -> bool:
    """Return whether to subtract the trend from the vectors, rather than to project it out of the matrix.

    The case is a number in a directed graph at ``floor ≥ 0``. Nodes that no path connects have the association
    ``floor``. In a directed graph a node may reach, or be reached by, only few others, and at floor 0 all its other
    associations are 0. At a negative floor they are not 0, and in an undirected graph a node has paths to all others:
    no vector is almost empty, and the projection leaks as much as the subtraction of the trend, or less. Labels alone
    are projected, because their covariances and marginal distributions are made equal afterwards; beside a number,
    they are part of the trend.

    Parameters
    ----------
    erasure : Erasure
        Attributes to erase.
    graph : Graph
        The graph.
    floor : float
        Minimum association.

    Returns
    -------
    bool
        Whether vectors may be almost empty, and an attribute is a number.

    Examples
    --------
    >>> from residuum.nulls import Configuration
    >>> from residuum.residual import build_erasure
    >>> graph = Graph([[0, 1, 1], [0, 0, 1], [0, 0, 0]], directed=True)
    >>> erasure = build_erasure(graph, [1990, 1990, 1991], Configuration().fit(graph, window=2))
    >>> erases_trend(erasure, graph, floor=0.0), erases_trend(erasure, graph, floor=-3.0)
    (True, False)
    """
    return graph.directed and floor >= 0 and any(part.is_number for part in erasure.parts)


def length_sums(X: NDArray[Any]) -> NDArray[np.float64]:
    """Return the sum of ``|x|²`` and the number of vectors that are not zero, which may be added up over parts.

    Parameters
    ----------
    X : array of shape (n, K)
        Vectors.

    Returns
    -------
    array of shape (2,)
        Sum and number.

    Examples
    --------
    >>> length_sums(np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([25.,  1.])
    """
    wide = X.astype(np.float64)
    return np.array([np.vdot(wide, wide), np.count_nonzero(wide.any(axis=1))])


def radius_of(sums: NDArray[np.float64]) -> float:
    """Return r, the root of the mean of ``|x|²`` over the vectors that are not zero.

    Parameters
    ----------
    sums : array of shape (2,)
        Output of :func:`length_sums` for all nodes.

    Returns
    -------
    float
        r; 1 if all vectors are zero.

    Examples
    --------
    >>> radius_of(np.array([25.0, 1.0]))
    5.0
    """
    total, number = sums.tolist()
    return float(np.sqrt(total / number)) if total > 0 else 1.0


def trend_sums(X: NDArray[Any], columns: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    """Return ``Zᵀ (M Z, X)`` with ``M = diag(m)``, which may be added up over parts of the nodes.

    Parameters
    ----------
    X : array of shape (n, K)
        Vectors.
    columns : array of shape (n, c)
        Columns Z of the attributes.
    radius : float
        r, the length below which vectors are short.

    Returns
    -------
    array of shape (c, c + K)
        Both products, side by side.

    Examples
    --------
    >>> trend_sums(np.array([[1.0], [2.0]]), np.ones((2, 1)), radius=1.0)
    array([[5., 3.]])
    """
    wide = X.astype(np.float64)
    return np.concatenate([columns.T @ (columns * _weights(wide, radius)), columns.T @ wide], axis=1)


def subtract_trend(
    u: NDArray[np.float32], v: NDArray[np.float32], rows: OutOfSample, erasure: Erasure
) -> tuple[NDArray[np.float32], NDArray[np.float32], "DetrendedRows"]:
    """Return ``u_i − m_i z_i C`` with ``C = s (Zᵀ M Z)⁺ Zᵀ U``, so that ``Zᵀ U' = (1 − s) Zᵀ U``; v alike.

    Parameters
    ----------
    u, v : arrays of shape (N, K)
        Embedding and context vectors.
    rows : OutOfSample
        Embeds out-of-sample nodes before erasure.
    erasure : Erasure
        Attributes, whose columns are Z, and the strength s.

    Returns
    -------
    u, v : arrays of shape (N, K)
        Vectors after erasure. At s = 1, no linear model predicts the attributes from u or from v.
    rows : DetrendedRows
        Embeds out-of-sample nodes after erasure.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph, years = Graph(datasets.karate_club().adjacency, directed=True), 1990 + np.arange(34) % 5
    >>> model = Residual2Vec(4, floor=0.0, erase=years, random_state=0).fit(graph)
    >>> bool(np.abs(model.embedding_[years == 1990].sum(axis=0)).max() < 1e-5)
    True
    """
    columns = erasure.columns()
    of_u, of_v = (_fit(X, columns, erasure.strength) for X in (u, v))
    return of_u.subtract(u, columns), of_v.subtract(v, columns), DetrendedRows(rows, erasure, of_u)


def _fit(X: NDArray[np.float32], columns: NDArray[np.float64], strength: float) -> Trend:
    radius = radius_of(length_sums(X))
    return Trend.of_sums(radius, trend_sums(X, columns, radius), strength)


def _weights(X: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    """Return ``m_i = |x_i|² min(1, |x_i| / r)⁸`` as a column."""
    squared = np.einsum("ik,ik->i", X, X)
    return np.asarray(squared * np.minimum(squared / radius**2, 1.0) ** (_SHORT_POWER / 2))[:, None]


@dataclass(frozen=True)
class DetrendedRows(OutOfSample):
    """Vectors of out-of-sample nodes, without the trend of the nodes of the graph.

    Attributes
    ----------
    rows : OutOfSample
        Embeds the nodes before erasure.
    erasure : Erasure
        Attributes of the nodes.
    trend : Trend
        Trend of the embedding vectors.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = Graph(datasets.karate_club().adjacency, directed=True)
    >>> model = Residual2Vec(4, floor=0.0, erase="degree", random_state=0).fit(graph)
    >>> model.transform(graph.adjacency[:3]).shape
    (3, 4)
    """

    rows: OutOfSample
    erasure: Erasure
    trend: Trend

    def embed(
        self,
        edges: "sparse.csr_array[Any]",
        groups: ArrayLike | None = None,
        attributes: Mapping[str, ArrayLike] | None = None,
    ) -> NDArray[np.float32]:
        """Return the vectors of out-of-sample nodes."""
        columns = self.erasure.new_columns(attributes, edges, groups)
        return self.trend.subtract(self.rows.embed(edges, groups, attributes), columns)
