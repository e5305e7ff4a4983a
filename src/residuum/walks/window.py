"""Window probabilities ``P_d(j | i) ∝ Σ_t w_t (Pᵗ)_ij``, computed in tiles of rows or columns."""

import contextlib
from collections import deque
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum._threads import even_ranges, run_ranges
from residuum._validation import window_weights
from residuum.graph import Graph
from residuum.walks.step import ALL_ROWS, Step

__all__ = ["WindowProbabilities", "tile_width", "undirected_scale"]

# Empty rows are skipped if the share of nonempty rows is below this value.
_MAX_SHARE_TO_SKIP = 0.5
# Tile size that stays in the cache; on 18 k nodes, 128 columns were faster than 256 and 64.
_CACHE_BYTES = 10 << 20
_MIN_WIDTH, _MAX_WIDTH = 64, 256
# Exponent of two up to which the largest strength is left as it is; strengths of other graphs are scaled to it.
_MODERATE_EXPONENT = 60.0
# Smallest unit: a power of two that is a normal float64.
_MIN_UNIT = float(np.finfo(np.float64).tiny)
_MAX_FACTOR, _TINY = float(np.finfo(np.float32).max), float(np.finfo(np.float32).tiny)


class WindowProbabilities:
    """``P_d(j | i) = Σ_t w_t (Pᵗ)_ij / s_i`` with ``P_ij = A_ij / d_i``, without an N × N array.

    A walk ends at a dangling node, which has no out-edges, and ``s_i = Σ_t w_t Σ_j (Pᵗ)_ij`` is the expected weight of
    the steps before that: rows sum to 1, and s_i is 1 if no walk from i ends. The jump of the walker to a new start is
    not recorded (Lambiotte and Rosvall, 2012), so that pairs that no path connects have probability 0.

    Tiles of rows or columns are computed by Horner's rule, ``P (w_1 e + P (w_2 e + … P (w_T e)))``: T products of the
    sparse matrix with a thin dense matrix, in float32; long sums are accumulated in float64.

    Parameters
    ----------
    graph : Graph
        Graph that the walkers move on.
    window : int or array of shape (T,)
        Number of steps T, or one weight for each step; weights are normalized to sum to 1.

    Examples
    --------
    >>> from residuum.datasets import karate_club
    >>> from residuum.walks import WindowProbabilities
    >>> probabilities = WindowProbabilities(karate_club(), window=10)
    >>> probabilities.rows([0])[0, :4].round(3)
    array([0.143, 0.077, 0.065, 0.054], dtype=float32)
    """

    def __init__(self, graph: Graph, window: int | ArrayLike) -> None:
        self.graph = graph
        self.window = window_weights(window)
        self._work_tiles: deque[NDArray[np.float32]] = deque()

    @property
    def n_nodes(self) -> int:
        """Number of nodes N."""
        return self.graph.n_nodes

    @property
    def tile_width(self) -> int:
        """Recommended number of columns per tile."""
        return tile_width(self.n_nodes)

    @cached_property
    def unit(self) -> float:
        """Power of two that edge weights are divided by, so that they and their sums fit into float32."""
        largest = float(np.frexp(max(self.graph.out_strength.max(), self.graph.in_strength.max()))[1])
        return 1.0 if abs(largest) <= _MODERATE_EXPONENT else max(2.0 ** (largest - _MODERATE_EXPONENT), _MIN_UNIT)

    def scaled_weights(self, matrix: "sparse.csr_array[Any]") -> NDArray[np.float32]:
        """Return the weights of a matrix in the unit of this object, in float32.

        Parameters
        ----------
        matrix : csr array of shape (N, N)
            Adjacency of the graph, or its transpose.

        Returns
        -------
        float32 array
            Weights in the order of ``matrix``; copied only if the unit is not 1 or the dtype is another.
        """
        weights = matrix.data if self.unit == 1.0 else matrix.data.astype(np.float64) / self.unit
        return np.asarray(weights.astype(np.float32, copy=False))

    @cached_property
    def _inverse_strength(self) -> NDArray[np.float32]:
        """``unit / d_i``; 0 for nodes whose strength is too small for float32."""
        strength = self.graph.out_strength / self.unit
        return _inverse(strength)

    @cached_property
    def completed(self) -> NDArray[np.float64] | None:
        """``s_i``, the expected weight of the steps before the walk ends, shape (N,); None if no walk ends.

        0 also where s_i is too small for float32, as if no walk took as many steps as the window counts.
        """
        graph = self.graph
        if not np.any((graph.out_strength == 0) & (graph.in_strength > 0)):
            return None
        step: Any = graph.adjacency.astype(np.float64) / self.unit  # 1 / d_i would overflow for tiny strengths
        step = sparse.diags_array(self._inverse_strength.astype(np.float64)) @ step
        remaining = np.ones(self.n_nodes)
        total = np.zeros(self.n_nodes)
        for weight in self.window:
            remaining = step @ remaining
            total += weight * remaining
        total[total < _TINY] = 0.0
        return total

    @property
    def takes_steps(self) -> NDArray[np.bool_]:
        """Whether some walk from each node takes as many steps as the window counts, shape (N,)."""
        return self._inverse_strength > 0 if self.completed is None else self.completed > 0

    @cached_property
    def inverse_completed(self) -> NDArray[np.float32] | None:
        """``1 / s_i``, shape (N,), and 0 for nodes whose walks take no step; None if no walk ends."""
        return None if self.completed is None else _inverse(self.completed)

    @cached_property
    def _forward(self) -> Step:
        """Product with P: row-scaled adjacency."""
        return Step(self.graph.adjacency, self.scaled_weights(self.graph.adjacency), self._inverse_strength)

    @cached_property
    def _backward(self) -> Step:
        """Product with Pᵀ: reversed adjacency with scaled weights."""
        reverse = self.graph.reversed_adjacency
        weights = self.scaled_weights(reverse) * self._inverse_strength[reverse.indices]
        return Step(reverse, weights, np.ones(self.n_nodes, dtype=np.float32))

    def columns(self, columns: ArrayLike) -> NDArray[np.float32]:
        """Return ``P_d(j | i)`` for all centers i and some contexts j.

        Parameters
        ----------
        columns : int array of shape (m,)
            Positions of the contexts j.

        Returns
        -------
        float32 array of shape (N, m)
            Zero for pairs that no walk within the window connects.
        """
        contexts = np.asarray(columns, dtype=np.int64)
        first = sparse.coo_array(self.graph.reversed_adjacency[contexts])
        entries = first.data / self.unit * self._inverse_strength[first.col]
        tile = self._horner(self._forward, contexts, first, entries)
        if self.inverse_completed is not None:
            tile *= self.inverse_completed[:, None]
        return tile

    def rows(self, rows: ArrayLike) -> NDArray[np.float32]:
        """Return ``P_d(j | i)`` for some centers i and all contexts j.

        Parameters
        ----------
        rows : int array of shape (m,)
            Positions of the centers i.

        Returns
        -------
        float32 array of shape (m, N)
            Rows sum to 1; rows of nodes without out-edges, or with a strength too small for float32, are zero.
        """
        centers = np.asarray(rows, dtype=np.int64)
        if self.graph.directed:
            first = sparse.coo_array(self.graph.adjacency[centers])
            entries = first.data / self.unit * self._inverse_strength[centers][first.row]
            tile = self._horner(self._backward, centers, first, entries)
            if self.inverse_completed is not None:
                tile *= self.inverse_completed[centers]
            return tile.T
        # On an undirected graph d_i P_d(j | i) is symmetric, so a row is a scaled column.
        tile = self.columns(centers)
        self.scale_by_strength(tile, self._inverse_strength[centers].astype(np.float64))
        return tile.T

    def scale_by_strength(self, tile: NDArray[np.float32], factors: NDArray[np.float64]) -> None:
        """Multiply entry (j, s) of a tile by ``factors_s d_j / unit``, in place.

        Parameters
        ----------
        tile : float32 array of shape (N, m)
            One row per node; overwritten.
        factors : array of shape (m,)
            One factor per column.
        """
        strength = self.graph.out_strength

        def scale(begin: int, end: int) -> None:
            ratio = np.outer(strength[begin:end] / self.unit, factors)
            # A larger ratio has a tile entry of 0, or one that is too small to be accurate.
            np.minimum(ratio, _MAX_FACTOR, out=ratio)
            tile[begin:end] *= ratio.astype(np.float32)

        run_ranges(scale, even_ranges(len(tile), tile.size))

    def continue_from(self, first: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return ``Σ_t w_t (p Pᵗ⁻¹)_j`` for walkers that are distributed as p after one step, not normalized.

        Parameters
        ----------
        first : float32 array of shape (m, N)
            Distributions p over the nodes, one per row.

        Returns
        -------
        float32 array of shape (m, N)
            One row for each p; rows sum to less than 1 if walks end.
        """
        start = np.ascontiguousarray(first.T)
        tile = np.float32(self.window[-1]) * start
        spare = np.empty_like(tile)
        for weight in self.window[-2::-1]:
            self._backward.multiply(tile, spare)
            spare += np.float32(weight) * start
            tile, spare = spare, tile
        return tile.T

    def rows_from(self, edges: "sparse.csr_array[Any]") -> NDArray[np.float32]:
        """Return ``P_d(j | i)`` for out-of-sample nodes i from their edges.

        The first step follows the edges of the node, ``p = a / d``; later steps stay in the graph.

        Parameters
        ----------
        edges : sparse array of shape (m, N)
            Weights a of the edges to nodes of the graph.

        Returns
        -------
        float32 array of shape (m, N)
            Zero for nodes without edges.
        """
        strength = np.asarray(edges.sum(axis=1, dtype=np.float64)).ravel()
        first = edges.toarray().astype(np.float64) / np.where(strength > 0, strength, 1.0)[:, None]
        rows = self.continue_from(first.astype(np.float32))
        if self.inverse_completed is not None:
            rows *= _inverse(rows.sum(axis=1, dtype=np.float64))[:, None]
        return rows

    def step(self, X: NDArray[np.float32], out: NDArray[np.float32], *, transposed: bool = False) -> None:
        """Compute ``P X``, or ``Pᵀ X``.

        Parameters
        ----------
        X : float32 array of shape (N, m)
            Matrix to multiply.
        out : float32 array of shape (N, m)
            Output array, overwritten with the product.
        transposed : bool
            Whether to multiply by the transpose.
        """
        (self._backward if transposed else self._forward).multiply(X, out)

    def undirected_step(self, X: NDArray[np.float32], out: NDArray[np.float32]) -> None:
        """Compute ``(D_out + D_in)⁻¹ (A + Aᵀ) X``, a step of walkers that ignore edge directions.

        Parameters
        ----------
        X : float32 array of shape (N, m)
            Matrix to multiply.
        out : float32 array of shape (N, m)
            Output array, overwritten with the product.
        """
        adjacency, reverse = self.graph.adjacency, self.graph.reversed_adjacency
        scale = undirected_scale(self.graph, self.unit)
        if not self.graph.directed:
            Step(adjacency, self.edge_weights, 2 * scale).multiply(X, out)
            return
        Step(adjacency, self.edge_weights, scale).multiply(X, out)
        backward = np.empty_like(out)
        Step(reverse, self.scaled_weights(reverse), scale).multiply(X, backward)
        out += backward

    @property
    def edge_weights(self) -> NDArray[np.float32]:
        """Edge weights in float32 and in units of ``unit``, in CSR order of the adjacency."""
        return self._forward.weights

    @property
    def leaving(self) -> NDArray[np.float32]:
        """``unit / d_i``, the factor from :attr:`edge_weights` to step probabilities, shape (N,)."""
        return self._inverse_strength

    def spread(self, source: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return ``Σ_i p_i P_d(j | i)``, the distribution of contexts for a distribution p of centers.

        Parameters
        ----------
        source : array of shape (N,)
            Distribution p.

        Returns
        -------
        array of shape (N,)
            Probability of each context j.
        """
        scaled = source if self.inverse_completed is None else source * self.inverse_completed
        start = np.ascontiguousarray(scaled[:, None], dtype=np.float32)
        first = np.empty_like(start)
        self._backward.multiply(start, first)
        return np.asarray(self.continue_from(first.T)[0], dtype=np.float64)

    def _horner(
        self, step: Step, starts: NDArray[np.int64], first: "sparse.coo_array[Any]", entries: NDArray[Any]
    ) -> NDArray[np.float32]:
        """Return ``Σ_t w_t stepᵗ e_s`` for each start s, as columns.

        The innermost product, with unit vectors, needs no arithmetic: its entries are in ``first``, transposed.
        """
        position = np.arange(len(starts))
        result = np.empty((self.n_nodes, len(starts)), dtype=np.float32)
        # Reused memory is several times faster than new memory, so only the last step writes to the result.
        work = self._take_work_tiles(len(starts)) if len(self.window) > 1 else None
        tile, spare = (result, result) if work is None else work
        tile[...] = 0.0
        tile[first.col, first.row] = self.window[-1] * entries
        nonempty = self._nonempty_rows(starts, first)
        for number in range(len(self.window) - 1, 0, -1):
            tile[starts, position] += np.float32(self.window[number - 1])
            out = result if number == 1 else spare
            step.multiply(tile, out, nonempty)
            tile, spare, nonempty = out, tile, ALL_ROWS
        if work is not None:
            self._work_tiles.append(work)
        return result

    def _take_work_tiles(self, width: int) -> NDArray[np.float32]:
        """Return two work arrays of shape (N, width): those that an earlier call has put back, if the shape fits."""
        with contextlib.suppress(IndexError):
            tiles = self._work_tiles.pop()
            if tiles.shape[2] == width:
                return tiles
        return np.empty((2, self.n_nodes, width), dtype=np.float32)

    def release(self) -> None:
        """Free the work arrays, which are kept for the next tile of the same width."""
        self._work_tiles.clear()

    def __getstate__(self) -> dict[str, Any]:
        """Exclude the work arrays from pickles."""
        return {**self.__dict__, "_work_tiles": deque()}

    def _nonempty_rows(self, starts: NDArray[np.int64], first: "sparse.coo_array[Any]") -> NDArray[np.bool_]:
        """Return a mask of the nodes within one step of the starts, or an empty mask if they are too many to skip."""
        nonempty = np.zeros(self.n_nodes, dtype=np.bool_)
        nonempty[first.col] = nonempty[starts] = True
        return nonempty if nonempty.mean() < _MAX_SHARE_TO_SKIP else ALL_ROWS


def _inverse(values: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return ``1 / values``, and 0 where a value is 0 or too small for float32."""
    return np.divide(1.0, values, out=np.zeros_like(values), where=values >= _TINY).astype(np.float32)


def undirected_scale(graph: Graph, unit: float) -> NDArray[np.float32]:
    """Return ``unit / (d_out + d_in)``, the factor of a step of walkers that ignore edge directions.

    Parameters
    ----------
    graph : Graph
        The graph.
    unit : float
        Unit of the edge weights.

    Returns
    -------
    float32 array of shape (N,)
        Factors; 0 for nodes without edges.
    """
    return _inverse(graph.out_strength / unit + graph.in_strength / unit)


def tile_width(n_nodes: int) -> int:
    """Return the recommended number of columns per tile, so that a tile fits into the cache.

    Parameters
    ----------
    n_nodes : int
        Number of nodes N, the height of a tile.

    Returns
    -------
    int
        Between 64 and 256, but at most N.
    """
    width = _CACHE_BYTES // (4 * n_nodes)
    return int(min(max(width - width % 16, _MIN_WIDTH), _MAX_WIDTH, n_nodes))
