"""Window probabilities ``P_d(j | i) = Σ_t w_t (Pᵗ)_ij``, a few rows or columns at a time."""

from functools import cached_property
from typing import Any

import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum._validation import window_weights
from residuum.graph import Graph, Teleport
from residuum.walks._window_kernels import row_chunks, walk_step

__all__ = ["WindowProbabilities", "tile_width"]

# Share of rows with entries below which passing over the others pays.
_WORTH_SKIPPING = 0.5
# A block of this size is read again from the cache; measured on 18 k nodes, 128 columns beat 256 and 64.
_CACHE_BYTES = 10 << 20
_NARROWEST, _WIDEST = 64, 256
_no_rows = np.empty(0, dtype=np.bool_)


class WindowProbabilities:
    """``P_d(j | i) = Σ_t w_t (Pᵗ)_ij`` with ``P_ij = (1 − τ_i) A_ij / d_i + τ_i v_j``, without an N × N array.

    Rows and columns come in tiles by Horner's rule,
    ``P (w_1 e + P (w_2 e + … P (w_T e)))``: T products of the sparse matrix with a thin dense block, in float32,
    threaded over rows; long sums run in float64.

    Parameters
    ----------
    graph : Graph
    window : int or array of shape (T,)
        Number of steps, or their weights.
    teleport : Teleport, optional
        How the walkers of a directed graph jump.

    Examples
    --------
    >>> path = Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> WindowProbabilities(path, window=2).rows([0])
    array([[0.25, 0.5 , 0.25]], dtype=float32)
    """

    def __init__(self, graph: Graph, window: int | ArrayLike, teleport: Teleport | None = None) -> None:
        self.graph = graph
        self.window = window_weights(window)
        self.teleport = teleport
        self._blocks: NDArray[np.float32] | None = None

    @property
    def n_nodes(self) -> int:
        """Number of nodes N."""
        return self.graph.n_nodes

    @property
    def tile_width(self) -> int:
        """Number of columns that are best computed at once."""
        return tile_width(self.n_nodes)

    @cached_property
    def _inverse_strength(self) -> NDArray[np.float32]:
        strength = self.graph.out_strength
        leaving = np.divide(1.0, strength, out=np.zeros_like(strength), where=strength > 0)
        if self.teleport is not None:
            leaving *= 1.0 - self.teleport.probability
        return leaving.astype(np.float32)

    @cached_property
    def _forward(self) -> "_Step":
        """P: the adjacency with scaled rows, and the jumps."""
        step = _Step(self.graph.adjacency, self._inverse_strength)
        if self.teleport is not None:
            step.jump, step.land = self.teleport.probability.astype(np.float32), self.teleport.target
        return step

    @cached_property
    def _backward(self) -> "_Step":
        """Pᵀ: the reversed adjacency with the scale inside its weights, and the jumps backwards."""
        reverse = self.graph.reversed_adjacency
        weights = reverse.data.astype(np.float32) * self._inverse_strength[reverse.indices]
        scaled = sparse.csr_array((weights, reverse.indices, reverse.indptr), shape=reverse.shape)
        step = _Step(scaled, np.ones(self.n_nodes, dtype=np.float32))
        if self.teleport is not None:
            step.jump, step.land = self.teleport.target.astype(np.float32), self.teleport.probability
        return step

    def columns(self, columns: ArrayLike) -> NDArray[np.float32]:
        """Return ``P_d(j | i)`` for every centre i and the given targets j, shape (N, m)."""
        targets = np.asarray(columns, dtype=np.int64)
        first = sparse.coo_array(self.graph.reversed_adjacency[targets])
        entries = first.data * self._inverse_strength[first.col]
        return self._horner(self._forward, targets, first, entries)

    def rows(self, rows: ArrayLike) -> NDArray[np.float32]:
        """Return ``P_d(j | i)`` for the given centres i and every target j, shape (m, N)."""
        centers = np.asarray(rows, dtype=np.int64)
        if self.graph.directed:
            first = sparse.coo_array(self.graph.adjacency[centers])
            entries = first.data * self._inverse_strength[centers][first.row]
            return self._horner(self._backward, centers, first, entries).T
        # d_i P_d(j | i) is symmetric on an undirected graph: a row is a scaled column.
        scale = np.outer(self.graph.out_strength, self._inverse_strength[centers])
        return (self.columns(centers) * scale.astype(np.float32)).T

    def continue_from(self, first: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return ``Σ_t w_t (p Pᵗ⁻¹)_j`` for walkers whose first step led to the distributions p, shape (m, N).

        Parameters
        ----------
        first : array of shape (m, N)
            One distribution a row.
        """
        arrived = np.ascontiguousarray(first.T)
        block = np.float32(self.window[-1]) * arrived
        spare = np.empty_like(block)
        for weight in self.window[-2::-1]:
            self._backward.multiply(block, spare)
            spare += np.float32(weight) * arrived
            block, spare = spare, block
        return block.T

    def step(self, X: NDArray[np.float32], out: NDArray[np.float32]) -> None:
        """Write ``P X`` into ``out``; both have shape (N, m)."""
        self._forward.multiply(X, out)

    def mingle(self, X: NDArray[np.float32], out: NDArray[np.float32]) -> None:
        """Write ``(D_out + D_in)⁻¹ (A + Aᵀ) X`` into ``out``: a step of a walker that minds no direction."""
        adjacency, reverse = self.graph.adjacency, self.graph.reversed_adjacency
        strength = self.graph.out_strength + self.graph.in_strength
        both = np.divide(1.0, strength, out=np.zeros_like(strength), where=strength > 0).astype(np.float32)
        if not self.graph.directed:
            _Step(adjacency, 2 * both).multiply(X, out)
            return
        _Step(adjacency, both).multiply(X, out)
        back = np.empty_like(out)
        _Step(reverse, both).multiply(X, back)
        out += back

    @property
    def edge_weights(self) -> NDArray[np.float32]:
        """The weights of the adjacency in float32, in the order of its CSR form; a copy only if they were not."""
        return self._forward.weights

    @property
    def leaving(self) -> NDArray[np.float32]:
        """``(1 − τ_i) / d_i``: what makes the weight of an edge its probability. Shape (N,)."""
        return self._inverse_strength

    def spread(self, source: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return ``Σ_i p_i P_d(j | i)`` for a distribution p over the centres, shape (N,)."""
        block = np.ascontiguousarray(source[:, None], dtype=np.float32)
        first = np.empty_like(block)
        self._backward.multiply(block, first)
        return np.asarray(self.continue_from(first.T)[0], dtype=np.float64)

    def walk_ends(self, starts: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return where walkers are after a number of steps drawn from the window, one for each start.

        Walkers without an edge to take, who do not jump either, stay where they are: ``rows`` is 0 for them.
        """
        here = np.array(starts, dtype=np.int64)
        steps = 1 + np.searchsorted(np.cumsum(self.window), rng.random(len(here)), side="right")
        steps = np.minimum(steps, len(self.window))
        matrix = self.graph.adjacency
        cumulative = np.concatenate([[0.0], np.cumsum(matrix.data, dtype=np.float64)])
        for number in range(1, len(self.window) + 1):
            moving = np.flatnonzero(steps >= number)
            at = here[moving]
            begin, end = cumulative[matrix.indptr[at]], cumulative[matrix.indptr[at + 1]]
            point = begin + rng.random(len(at)) * (end - begin)
            edge = np.searchsorted(cumulative, point, side="right") - 1
            edge = np.clip(edge, matrix.indptr[at], np.maximum(matrix.indptr[at + 1] - 1, 0))
            there = matrix.indices[np.minimum(edge, matrix.nnz - 1)].astype(np.int64)
            there = np.where(matrix.indptr[at] == matrix.indptr[at + 1], at, there)
            if self.teleport is not None:
                jumps = rng.random(len(at)) < self.teleport.probability[at]
                landing = np.searchsorted(np.cumsum(self.teleport.target), rng.random(int(jumps.sum())), side="right")
                there[jumps] = np.minimum(landing, self.n_nodes - 1)
            here[moving] = there
        return here

    def _horner(
        self, step: "_Step", starts: NDArray[np.int64], first: "sparse.coo_array[Any]", entries: NDArray[Any]
    ) -> NDArray[np.float32]:
        """Return ``Σ_t w_t stepᵗ e_s`` for each start s, as columns.

        The innermost product is with unit vectors: its entries are read off the matrix (``first``, transposed).
        """
        position = np.arange(len(starts))
        result = np.empty((self.n_nodes, len(starts)), dtype=np.float32)
        # Memory that was written before is several times faster than new one: only the last step goes to the result.
        block, spare = self._work_space(len(starts)) if len(self.window) > 1 else (result, result)
        block[...] = 0.0
        block[first.col, first.row] = self.window[-1] * entries
        if step.land is not None:
            block += np.outer(step.jump, (self.window[-1] * step.land[starts]).astype(np.float32))
        filled = _no_rows if step.land is not None else self._filled(starts, first)
        for number in range(len(self.window) - 1, 0, -1):
            block[starts, position] += np.float32(self.window[number - 1])
            target = result if number == 1 else spare
            step.multiply(block, target, filled)
            block, spare, filled = target, block, _no_rows
        return result

    def _work_space(self, width: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return two blocks of N × width numbers, the same ones at every call."""
        if self._blocks is None or self._blocks.shape[2] != width:
            self._blocks = np.empty((2, self.n_nodes, width), dtype=np.float32)
        return self._blocks[0], self._blocks[1]

    def __getstate__(self) -> dict[str, Any]:
        """Leave the work space out of pickles."""
        return {**self.__dict__, "_blocks": None}

    def _filled(self, starts: NDArray[np.int64], first: "sparse.coo_array[Any]") -> NDArray[np.bool_]:
        """Return which nodes the first step has reached, or nothing if they are too many to be worth the look."""
        filled = np.zeros(self.n_nodes, dtype=np.bool_)
        filled[first.col] = filled[starts] = True
        return filled if filled.mean() < _WORTH_SKIPPING else _no_rows


def tile_width(n_nodes: int) -> int:
    """Return how many columns of N nodes are best computed at once: as many as stay in the cache, within reason."""
    width = _CACHE_BYTES // (4 * n_nodes)
    return int(min(max(width - width % 16, _NARROWEST), _WIDEST, n_nodes))


class _Step:
    """``X ↦ scale ∘ (A X) + jump ⊗ (land · X)``: one step of all walkers."""

    def __init__(self, matrix: "sparse.csr_array[Any]", scale: NDArray[np.float32]) -> None:
        self.indptr = matrix.indptr
        self.indices = matrix.indices
        self.weights = matrix.data.astype(np.float32, copy=False)
        self.scale = scale
        self.jump = np.empty(0, dtype=np.float32)
        self.land: NDArray[np.float64] | None = None

    def multiply(self, X: NDArray[np.float32], out: NDArray[np.float32], filled: NDArray[np.bool_] = _no_rows) -> None:
        """Write one step from X into ``out``; ``filled`` marks the rows of X that are not empty, if few are."""
        landing = np.empty(0) if self.land is None else self.land @ X
        chunks = row_chunks(self.indptr, 8 * numba.get_num_threads())
        walk_step(
            self.indptr,
            self.indices,
            self.weights,
            self.scale,
            X,
            filled,
            self.jump,
            landing.astype(np.float32),
            chunks,
            out,
        )
