"""Vectors of out-of-sample nodes, computed from their edges to nodes of the graph.

The first step of a walk follows the edges of the out-of-sample node, later steps those of the graph:
``P_d(j | new) ∝ Σ_t w_t (p Pᵗ⁻¹)_j``, where p is the distribution after the first step.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum.graph import effective_degrees
from residuum.nulls import BlockNull
from residuum.residual.matrix import ResidualMatrix

__all__ = ["LogisticRows", "OutOfSample", "ProjectedRows"]

_NODES_AT_ONCE = 256
_NEWTON_STEPS = 50
_SETTLED = 1e-5
# Keeps vectors finite in directions that only the negatives determine.
_RIDGE = 1e-5
_LARGEST_LOG = float(np.log(np.finfo(np.float32).max))


class OutOfSample(Protocol):
    """Embeds out-of-sample nodes from their edges."""

    def embed(
        self,
        edges: "sparse.csr_array[Any]",
        groups: ArrayLike | None = None,
        attributes: Mapping[str, ArrayLike] | None = None,
    ) -> NDArray[np.float32]:
        """Return the vectors of out-of-sample nodes.

        Parameters
        ----------
        edges : sparse array of shape (m, N)
            Edge weights to the nodes of the graph; a node without edges gets a zero vector.
        groups : array of length m, optional
            Groups in the null model.
        attributes : mapping of name to array of shape (m,), optional
            Values of the erased attributes.

        Returns
        -------
        array of shape (m, K)
            Vectors in the space of the embedding.
        """
        ...


@dataclass(frozen=True)
class ProjectedRows(OutOfSample):
    """Residual rows times a projection, for vectors from a factorization.

    Attributes
    ----------
    matrix : ResidualMatrix
        Matrix of the graph.
    readout : float32 array of shape (N, K)
        ``T Φ_r``, shared with the factors.
    towards : float32 array of shape (K,)
        ``s^α / σ``, from coordinates to the embedding.
    erased : array of shape (c, K), optional
        Correction for each column of the erased attributes.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> from residuum.walks import WindowProbabilities
    >>> graph = datasets.karate_club()
    >>> matrix = ResidualMatrix(WindowProbabilities(graph, 5), Configuration().fit(graph, 5), floor=-1.0)
    >>> rows = ProjectedRows(matrix, np.eye(34, dtype=np.float32), np.ones(34, dtype=np.float32))
    >>> np.allclose(rows.embed(graph.adjacency[:3]), matrix.rows([0, 1, 2]), atol=1e-5)
    True
    """

    matrix: ResidualMatrix
    readout: NDArray[np.float32]
    towards: NDArray[np.float32]
    erased: NDArray[np.float64] | None = None

    def embed(
        self,
        edges: "sparse.csr_array[Any]",
        groups: ArrayLike | None = None,
        attributes: Mapping[str, ArrayLike] | None = None,
    ) -> NDArray[np.float32]:
        """Return the vectors of out-of-sample nodes."""
        erasure = self.matrix.erasure
        columns = None if erasure is None else erasure.new_columns(attributes, edges, groups)
        null_groups = _null_groups(self.matrix, groups, edges)
        chunks = [np.empty((0, self.readout.shape[1]), dtype=np.float32)]
        for chunk in _chunks(edges):
            observed, expected = self.matrix.new_rows(edges[chunk], null_groups[chunk])
            # As in the tiles of the matrix: P_0 and the largest ratio are those of float32.
            residual = np.full_like(expected, self.matrix.floor)
            joined = (observed > 0) & (expected.astype(np.float32) > 0)
            difference = np.log(observed[joined], dtype=np.float64) - np.log(expected[joined])
            residual[joined] = np.clip(difference, self.matrix.floor, _LARGEST_LOG)
            rows = np.where(observed.any(axis=1, keepdims=True), residual * self.matrix.column_scale, 0.0)
            chunks.append(rows.astype(np.float32) @ self.readout)
        vectors = np.concatenate(chunks) * self.towards
        if columns is not None and self.erased is not None:
            vectors -= (columns @ self.erased).astype(np.float32)
            vectors[np.diff(edges.indptr) == 0] = 0.0
        return np.asarray(vectors)


@dataclass(frozen=True)
class LogisticRows(OutOfSample):
    """``argmin_u Σ_j P_d(j) ln(1 + exp(−u·v_j)) + k P_0(j) ln(1 + exp(u·v_j)) + ½ λ |u|² / d``, by Newton's method.

    The maximum-likelihood vector of an out-of-sample node, for vectors that maximize a likelihood.

    Attributes
    ----------
    matrix : ResidualMatrix
        Matrix of the graph.
    contexts : float32 array of shape (N, K)
        Context vectors v.
    n_negatives : float
        Number of negatives k per pair.
    regularization : float
        λ, the weight of the prior in edges; d is the effective degree of the new node.
    towards : array of shape (K,), optional
        Factor of each dimension from u to the embedding.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> model = Residual2Vec(4, refine=5, random_state=0).fit(graph)
    >>> model.transform(graph.adjacency[:3]).shape
    (3, 4)
    """

    matrix: ResidualMatrix
    contexts: NDArray[np.float32]
    n_negatives: float = 1.0
    regularization: float = 0.0
    towards: NDArray[np.float64] | None = None

    def embed(
        self,
        edges: "sparse.csr_array[Any]",
        groups: ArrayLike | None = None,
        attributes: Mapping[str, ArrayLike] | None = None,
    ) -> NDArray[np.float32]:
        """Return the vectors of out-of-sample nodes."""
        del attributes
        null_groups = _null_groups(self.matrix, groups, edges)
        V = self.contexts.astype(np.float64)
        vectors = np.zeros((edges.shape[0], V.shape[1]))
        degrees = effective_degrees(edges)
        for chunk in _chunks(edges):
            observed, expected = self.matrix.new_rows(edges[chunk], null_groups[chunk])
            for row in np.flatnonzero(np.diff(edges.indptr)[chunk]):
                positive, negative = observed[row].astype(np.float64), expected[row]
                prior = _RIDGE + self.regularization / degrees[chunk.start + row]
                vectors[chunk.start + row] = _minimize(V, positive, self.n_negatives * negative, prior)
        return np.asarray(vectors if self.towards is None else vectors * self.towards, dtype=np.float32)


def _chunks(edges: "sparse.csr_array[Any]") -> list[slice]:
    return [slice(begin, begin + _NODES_AT_ONCE) for begin in range(0, edges.shape[0], _NODES_AT_ONCE)]


def _null_groups(matrix: ResidualMatrix, groups: ArrayLike | None, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
    if isinstance(matrix.null, BlockNull):
        return matrix.null.groups_of(groups, edges)
    return np.zeros(edges.shape[0], dtype=np.int32)


def _minimize(
    V: NDArray[np.float64], positive: NDArray[np.float64], negative: NDArray[np.float64], ridge: float
) -> NDArray[np.float64]:
    """Minimize the convex function ``−Σ positive ln σ(V u) − Σ negative ln σ(−V u) + ridge |u|²/2`` over u."""
    total = positive + negative

    def loss(x: NDArray[np.float64], u: NDArray[np.float64]) -> float:
        return float(positive @ np.logaddexp(0.0, -x) + negative @ np.logaddexp(0.0, x) + ridge * (u @ u) / 2)

    u = np.zeros(V.shape[1])
    for _ in range(_NEWTON_STEPS):
        x = V @ u
        sigma = 1.0 / (1.0 + np.exp(-x))
        gradient = V.T @ (total * sigma - positive) + ridge * u
        curvature = (V * (total * sigma * (1.0 - sigma))[:, None]).T @ V + ridge * np.eye(len(u))
        step = np.linalg.solve(curvature, gradient)
        before, share = loss(x, u), 1.0
        while share > 1e-6 and loss(V @ (u - share * step), u - share * step) > before:
            share /= 2.0
        u = u - share * step
        if np.abs(step).max() < _SETTLED:
            break
    return u
