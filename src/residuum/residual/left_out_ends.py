"""Ends of left-out edges: their coordinates from walks in the graph without the edge."""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from residuum._threads import in_threads
from residuum.graph import Graph
from residuum.residual.linalg import Factors
from residuum.residual.matrix import ResidualMatrix, unscaled
from residuum.residual.noise import remaining_energy
from residuum.residual.tiles import NARROWEST_TILE
from residuum.walks.left_out import probabilities_without

__all__ = ["JOINED", "EdgeEnds", "LocalEnds", "Side", "quotient", "sample_edges", "sample_rows", "usable_edges"]

Side = Literal["rows", "columns"]

#: Share of the largest probability below which rounding leaves the difference of equal probabilities.
JOINED = 16 * np.finfo(np.float32).eps

_TILE_BYTES, _TILE_WIDTH = 64 << 20, 64
# Tiles of the narrowest width above this size are computed one after the other, by all threads.
_TILE_PER_THREAD = 256 << 20


class EdgeEnds(ABC):
    """What left-out edges need of a graph and of the factors of its matrix, on one machine or on a cluster.

    Attributes
    ----------
    matrix : ResidualMatrix
        The factorized matrix.
    values : array of shape (K,)
        Its singular values.
    signs : array of shape (K,)
        Signs of the right singular vectors relative to the left ones, if the matrix is symmetric.
    """

    matrix: ResidualMatrix
    values: NDArray[np.float64]
    signs: NDArray[np.float32]

    @abstractmethod
    def sample(self, n_edges: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Sample edges in proportion to their weights, as :func:`sample_edges`.

        Parameters
        ----------
        n_edges : int
            Maximum number of edges.
        rng : numpy Generator
            Source of randomness.

        Returns
        -------
        int array of shape (n, 2)
            Positions of the ends.
        """

    @abstractmethod
    def is_edge(self, sources: NDArray[np.int64], targets: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which pairs are edges.

        Parameters
        ----------
        sources, targets : int arrays of shape (n,)
            Pairs.

        Returns
        -------
        bool array of shape (n,)
            Whether there is an edge.
        """

    @abstractmethod
    def energy(self) -> float:
        """Return the energy per node beyond the factors, as :func:`residuum.residual.noise.remaining_energy`.

        Returns
        -------
        float
            Mean squared length.
        """

    @abstractmethod
    def vectors(self, nodes: NDArray[np.int64], side: Side) -> NDArray[np.float32]:
        """Return the vectors of some nodes, with lengths ``σ^(1/2)``.

        Parameters
        ----------
        nodes : int array of shape (n,)
            Positions.
        side : {"rows", "columns"}
            As centers or as contexts.

        Returns
        -------
        float32 array of shape (n, K)
            Vectors.
        """

    @abstractmethod
    def coordinates(
        self, edges: NDArray[np.int64], nodes: NDArray[np.int64], side: Side
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return the coordinates of one end of each edge, from walks that do not use it.

        Parameters
        ----------
        edges : int array of shape (n, 2)
            Edges.
        nodes : int array of shape (n,)
            The end of each.
        side : {"rows", "columns"}
            Whether it is a center or a context.

        Returns
        -------
        coordinates : float32 array of shape (n, K)
            ``R̃'_i Φ_r σ^(−1/2)``.
        joined : bool array of shape (n,)
            Whether a walk still joins both ends.
        """

    @abstractmethod
    def quotients(self) -> NDArray[np.float64]:
        """Return ``uᵀAu / uᵀDu`` of each dimension: its correlation between the two ends of an edge.

        Returns
        -------
        array of shape (K,)
            From −1 to 1; 0 for dimensions in which all vectors are zero.
        """

    @property
    def inverse_root(self) -> NDArray[np.float32]:
        """``σ^(−1/2)``, and 0 for values that are zero, shape (K,)."""
        root = np.sqrt(self.values)
        return np.divide(1.0, root, out=np.zeros_like(root), where=root > 0).astype(np.float32)


class LocalEnds(EdgeEnds):
    """Ends of edges of a graph in memory.

    Parameters
    ----------
    matrix : ResidualMatrix
        The factorized matrix.
    factors : Factors
        Its leading factors.
    """

    def __init__(self, matrix: ResidualMatrix, factors: Factors) -> None:
        self.matrix, self.values, self._factors = matrix, factors.values, factors

    @cached_property
    def signs(self) -> NDArray[np.float32]:  # type: ignore[override] # computed on first use
        """Signs of the right singular vectors relative to the left ones."""
        return np.asarray(np.sign((self._factors.left * self._factors.right).sum(axis=0)))

    def sample(self, n_edges: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Sample edges of the graph."""
        return sample_edges(self.matrix.probabilities.graph, n_edges, rng)

    def is_edge(self, sources: NDArray[np.int64], targets: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which pairs are edges."""
        weights = np.asarray(self.matrix.probabilities.graph.adjacency[sources, targets]).ravel()
        return np.asarray(weights != 0)

    def energy(self) -> float:
        """Return the energy per node beyond the factors."""
        return remaining_energy(self.matrix, self._factors)

    def vectors(self, nodes: NDArray[np.int64], side: Side) -> NDArray[np.float32]:
        """Return the vectors of some nodes."""
        root = np.sqrt(self.values).astype(np.float32)
        if side == "rows":
            return unscaled(self._factors.left[nodes] * root, self.matrix.row_scale[nodes])
        return unscaled(self._factors.right[nodes] * root, self.matrix.column_scale[nodes])

    def coordinates(
        self, edges: NDArray[np.int64], nodes: NDArray[np.int64], side: Side
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return the coordinates of one end of each edge."""
        matrix, factors = self.matrix, self._factors
        assert side == "rows" or matrix.erasure is None, "what erasure subtracts is known for rows only"
        found, joined = self._projected(edges, nodes, side)
        if matrix.erasure is not None and factors.erased is not None and matrix.projector is not None:
            correction = matrix.projector.left.towards @ (factors.erased * self.inverse_root)
            found -= (matrix.erasure.columns()[nodes] @ correction).astype(np.float32)
        return found, joined

    def quotients(self) -> NDArray[np.float64]:
        """Return the correlation between the ends of an edge, in each dimension."""
        matrix = self.matrix
        graph = matrix.probabilities.graph
        X = unscaled(self._factors.left.astype(np.float32), matrix.row_scale)
        stepped = np.empty_like(X)
        matrix.probabilities.undirected_step(X, stepped)
        strength = (graph.out_strength / graph.out_strength.max())[:, None]
        return quotient(
            np.sum(strength * X * stepped, axis=0, dtype=np.float64),
            np.sum(strength * X * X, axis=0, dtype=np.float64),
        )

    def _projected(
        self, edges: NDArray[np.int64], nodes: NDArray[np.int64], side: Side
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return the products of residual rows or columns with the readout, in tiles."""
        matrix, factors = self.matrix, self._factors
        readout = factors.left if side == "columns" else factors.right if factors.readout is None else factors.readout
        others = edges.sum(axis=1) - nodes
        scale = (matrix.row_scale if side == "rows" else matrix.column_scale)[nodes]
        width = int(np.clip(_TILE_BYTES // (16 * matrix.n_nodes), NARROWEST_TILE, _TILE_WIDTH))

        def tile(begin: int) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
            part = slice(begin, begin + width)
            observed = probabilities_without(matrix.probabilities, edges[part], nodes[part], side)
            reached = observed[others[part], np.arange(observed.shape[1])]
            is_joined = reached > JOINED * observed.max(axis=0)
            return matrix.residual(observed, nodes[part], side).T @ readout, is_joined

        apply = in_threads if 4 * matrix.n_nodes * width <= _TILE_PER_THREAD else map
        parts, joined = zip(*apply(tile, range(0, len(nodes), width)), strict=True)
        coordinates = np.concatenate(parts) * self.inverse_root / scale[:, None]
        return np.asarray(coordinates, dtype=np.float32), np.concatenate(joined)


def quotient(across: NDArray[np.float64], squares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide the products across edges by the squares.

    Parameters
    ----------
    across, squares : arrays of shape (K,)
        ``uᵀAu`` and ``uᵀDu``.

    Returns
    -------
    array of shape (K,)
        Quotients; 0 where there is nothing to divide.

    Examples
    --------
    >>> quotient(np.array([1.0, 0.0]), np.array([2.0, 0.0]))
    array([0.5, 0. ])
    """
    return np.divide(across, squares, out=np.zeros_like(across), where=squares > 0)


def sample_edges(graph: Graph, n_edges: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Sample edges in proportion to their weights, without self-loops and without the only edge of a node.

    Parameters
    ----------
    graph : Graph
        The graph.
    n_edges : int
        Maximum number of edges.
    rng : numpy Generator
        Source of randomness.

    Returns
    -------
    int array of shape (n, 2)
        Positions of the ends of distinct edges.

    Examples
    --------
    >>> from residuum import datasets
    >>> sample_edges(datasets.karate_club(), 20, np.random.default_rng(0)).shape
    (20, 2)
    """
    matrix = graph.adjacency
    rows, within = sample_rows(graph.out_strength, 4 * n_edges, rng)
    targets = np.empty_like(rows)
    for number, (row, point) in enumerate(zip(rows.tolist(), within.tolist(), strict=True)):
        entries = slice(matrix.indptr[row], matrix.indptr[row + 1])
        cumulative = np.cumsum(matrix.data[entries], dtype=np.float64)
        # Beyond the last entry only by rounding.
        place = min(int(np.searchsorted(cumulative, point, side="right")), len(cumulative) - 1)
        targets[number] = matrix.indices[entries][place]
    edges = np.unique(np.stack([rows, targets], axis=1), axis=0)
    degrees = np.diff(matrix.indptr), np.diff(graph.reversed_adjacency.indptr)
    return rng.permutation(usable_edges(edges, graph.directed, *degrees))[:n_edges]


def sample_rows(
    strength: NDArray[np.float64], n_rows: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Sample rows in proportion to their strength, and a point in each, by which an entry of the row is chosen.

    Parameters
    ----------
    strength : array of shape (N,)
        Sums of the rows.
    n_rows : int
        Number of samples.
    rng : numpy Generator
        Source of randomness.

    Returns
    -------
    rows : int array of shape (n_rows,)
        Rows, with repetitions.
    within : array of shape (n_rows,)
        Points from 0 to the strength of the row.

    Examples
    --------
    >>> rows, within = sample_rows(np.array([0.0, 2.0, 0.0]), 3, np.random.default_rng(0))
    >>> rows.tolist(), bool((within < 2).all())
    ([1, 1, 1], True)
    """
    cumulative = np.cumsum(strength)
    points = rng.random(n_rows) * cumulative[-1]
    last = int(np.flatnonzero(strength)[-1])
    rows = np.minimum(np.searchsorted(cumulative, points, side="right"), last)
    return rows, points - np.where(rows > 0, cumulative[rows - 1], 0.0)


def usable_edges(
    edges: NDArray[np.int64], directed: bool, out_degree: NDArray[np.integer], in_degree: NDArray[np.integer]
) -> NDArray[np.int64]:
    """Return edges once each, without self-loops and without the only edge of a node.

    Parameters
    ----------
    edges : int array of shape (n, 2)
        Edges; of an undirected graph in one or both directions.
    directed : bool
        Whether edges have a direction.
    out_degree, in_degree : int arrays of shape (N,)
        Number of edges of each node.

    Returns
    -------
    int array of shape (m, 2)
        Some of the edges.
    """
    if not directed:
        edges = edges[np.unique(np.sort(edges, axis=1), axis=0, return_index=True)[1]]
    has_others = (out_degree[edges[:, 0]] > 1) & (in_degree[edges[:, 1]] > 1) & (edges[:, 0] != edges[:, 1])
    return np.asarray(edges[has_others])
