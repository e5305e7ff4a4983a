"""The residual matrix in terms of blocks, as an operator: ``R̃ ≈ H̃ Zᵀ + C``."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import LinearOperator

from residuum._memory import format_bytes
from residuum._progress import ProgressCallback, Stage
from residuum._store import Store
from residuum._threads import log_in_place
from residuum.errors import MemoryLimitError
from residuum.residual._block_kernels import add_corrections, to_block_residual
from residuum.residual._residual_kernels import divide_by_expected
from residuum.residual.block_chain import BlockChain
from residuum.residual.matrix import ResidualMatrix
from residuum.walks._window_kernels import row_chunks, walk_step

__all__ = ["BlockResidual", "check_memory", "missed_share"]

_TILE_WIDTH = 256
# While a tile is made: itself, the spare of Horner's rule, the profile of the first step.
_BLOCKS_PER_TILE = 3
_CORRECTIONS = ("corrections", "corrections-back")


def check_memory(matrix: ResidualMatrix, n_blocks: int, memory_limit: int) -> int:
    """Return the bytes that the operator needs beside the tiles that it keeps; more than the limit is an error."""
    n_entries = matrix.probabilities.graph.adjacency.nnz
    tiles = _BLOCKS_PER_TILE * 4 * matrix.n_nodes * min(_TILE_WIDTH, n_blocks)
    needed = int(4 * n_entries * (1 if matrix.symmetric else 2) + tiles)
    if needed > memory_limit:
        raise MemoryLimitError(
            f"the block solver needs at least {format_bytes(needed)} for {matrix.n_nodes} nodes, {n_entries} entries "
            f"and {n_blocks} blocks, but memory_limit leaves {format_bytes(max(memory_limit, 0))}. "
            "Raise memory_limit, or ask for fewer components."
        )
    return needed


class BlockResidual(LinearOperator):
    """``R̃ ≈ S (H̃ Zᵀ + U Zᵀ diag(δ) + C) T``, or the mean of that and its transpose if R̃ is symmetric.

    With P_d of :class:`BlockChain` and blocks inside the null model's groups, the residual of a pair that no edge
    joins is ``h[i, b_j] + δ_j``: ``h_ib = ln P_d(b | i) − ln P_0(b | i)`` of the whole block, and δ_j by how much more
    j has of the block's share in the data than in the null model. δ is zero where the null model's θ follows the
    in-strength. H̃ is h, cut at the floor; where a floor cuts through a block with different δ, the kink is replaced by
    its chord, so that no value is below the floor and U, the slope, follows from H̃. C holds what edges add, exactly.

    With teleportation δ is that of the marginals: the share of jumps in single pairs is told by block only.

    Parameters
    ----------
    matrix : ResidualMatrix
        Its null model has blocks.
    chain : BlockChain
    memory_limit : int
        Bytes for the columns of H̃: those that do not fit are computed again at every product.
    store : Store
        Where H̃ and C are saved.
    progress : callable, optional
    """

    def __init__(
        self,
        matrix: ResidualMatrix,
        chain: BlockChain,
        memory_limit: int,
        store: Store,
        progress: ProgressCallback | None = None,
    ) -> None:
        n_nodes = matrix.n_nodes
        super().__init__(dtype=np.dtype(np.float32), shape=(n_nodes, n_nodes))  # type: ignore[call-arg] # the stubs miss it
        self.matrix = matrix
        self.chain = chain
        self.symmetric = matrix.symmetric
        self.passes = 0
        self._progress = progress
        width = min(_TILE_WIDTH, chain.n_blocks)
        tile_bytes = 4 * n_nodes * width
        left = memory_limit - check_memory(matrix, chain.n_blocks, memory_limit)
        self._bounds = [(begin, min(begin + width, chain.n_blocks)) for begin in range(0, chain.n_blocks, width)]
        self._keep = min(left // tile_bytes, len(self._bounds))
        self._kept: dict[int, NDArray[np.float32]] = {}
        self._member = sparse.csr_array(
            (np.ones(n_nodes, dtype=np.float32), (chain.labels, np.arange(n_nodes))), shape=(chain.n_blocks, n_nodes)
        )
        self._read_null()
        self._build(store)

    @property
    def kept_share(self) -> float:
        """Share of H̃ that the memory limit allows to keep."""
        return self._keep / len(self._bounds)

    @property
    def at_hand(self) -> bool:
        """Products are cheap whether H̃ is kept or not."""
        return True

    def _read_null(self) -> None:
        """Sum the null model over blocks, and find δ."""
        blocks, chain = self.matrix.null.blocks, self.chain
        assert blocks is not None
        group = np.zeros(chain.n_blocks, dtype=np.int32)
        group[chain.labels] = blocks.groups
        n_rows = blocks.weights.shape[0]
        self._groups, self._row_groups = group, blocks.row_groups
        self._expected = blocks.weights.astype(np.float32)
        self._expected_jump = np.zeros(n_rows, np.float32) if blocks.jump is None else blocks.jump.astype(np.float32)
        self._theta = chain.sum_by_block(blocks.theta).astype(np.float32)
        self._jumps = chain.jumps()
        self._delta = self._deviations()
        self._low, self._high = np.zeros((2, chain.n_blocks), dtype=np.float32)
        np.minimum.at(self._low, chain.labels, self._delta)
        np.maximum.at(self._high, chain.labels, self._delta)
        self._even = not self._delta.any()

    def _deviations(self) -> NDArray[np.float32]:
        """Return ``δ_j = ln (m_j / m_b) − ln (p_j / p_b)``, m the marginal of the data and p that of the null model."""
        chain, null, probabilities = self.chain, self.matrix.null, self.matrix.probabilities
        found = chain.share
        if probabilities.teleport is not None:
            source = np.exp(null.source_offset)
            by_jump = float(source @ self._jumps)
            by_edge = chain.sum_by_block(probabilities.spread(source)) - by_jump * chain.target_mass
            found = chain.share * np.maximum(by_edge, 0.0)[chain.labels] + by_jump * chain.target
        usual = np.exp(null.offset)
        known = (found > 0) & (usual > 0) & (self.matrix.column_scale > 0)
        delta = np.zeros(len(found))
        for marginal, sign in ((found, 1.0), (usual, -1.0)):
            total = chain.sum_by_block(np.where(known, marginal, 0.0))[chain.labels]
            delta[known] += sign * np.log(marginal[known] / total[known])
        # What is left of rounding where the null model follows the in-strength is none.
        return np.where(np.abs(delta) > 1e-5, delta, 0.0).astype(np.float32)

    def _build(self, store: Store) -> None:
        """Make every tile once: its part of C is read off before the logarithm, and the tile kept if there is room."""
        probabilities = self.matrix.probabilities
        adjacency, reverse = probabilities.graph.adjacency, probabilities.graph.reversed_adjacency
        self._forward_edges = self._backward_edges = _Edges(adjacency)
        weights = [probabilities.edge_weights, probabilities.edge_weights]
        if not self.symmetric:
            self._backward_edges = _Edges(reverse)
            if probabilities.graph.directed:
                weights[1] = reverse.data.astype(np.float32, copy=False)
        stage = Stage(f"{self.chain.n_blocks} blocks", len(self._bounds), self._progress)
        sides = [self._forward_edges] if self.symmetric else [self._forward_edges, self._backward_edges]
        known = all(name in store for name in _CORRECTIONS[: len(sides)])
        for number in range(len(self._bounds)):
            if number < self._keep:
                if known:
                    self._kept[number] = store.once(f"blocks-{number}", partial(self._tile, number))
                else:
                    tile = self._tile(number, weights)
                    self._kept[number] = store.once(f"blocks-{number}", partial(np.asarray, tile))
            elif not known:
                self._tile(number, weights)
            stage.advance()
        for name, edges in zip(_CORRECTIONS, sides, strict=False):
            edges.values = store.once(name, partial(np.asarray, edges.values))

    def _tile(self, number: int, weights: list[NDArray[np.float32]] | None = None) -> NDArray[np.float32]:
        """Return the columns of H̃ of a run of blocks, shape (N, m); with edge weights, add their part of C."""
        if number in self._kept:
            return self._kept[number]
        first, last = self._bounds[number]
        tile = self.chain.columns(first, last)
        if weights is not None:
            self._add_edges(tile, first, weights)
        columns = slice(first, last)
        target = self.chain.target_mass[columns].astype(np.float32)
        if self.matrix.probabilities.teleport is not None:
            tile += np.outer(self._jumps, target)
            jump = self._expected_jump[self._row_groups]
        else:
            jump = target = np.empty(0, dtype=np.float32)
        floor = self.matrix.floor
        divide_by_expected(
            tile,
            np.ones(len(tile), dtype=np.float32),
            self._theta[columns],
            self._expected,
            self._row_groups,
            self._groups[columns],
            jump,
            target,
            np.float32(np.exp(floor - float(self._high.max())) * (1 - 1e-6)),
        )
        log_in_place(tile)
        to_block_residual(tile, first, self._low, self._high, np.float32(floor))
        return tile

    def _add_edges(self, arrivals: NDArray[np.float32], first: int, weights: list[NDArray[np.float32]]) -> None:
        """Add what the edges into the blocks of a tile have beyond the block's value to C."""
        blocks, chain, matrix = self.matrix.null.blocks, self.chain, self.matrix
        assert blocks is not None
        node_columns = (chain.share, chain.target, blocks.theta, self._delta, matrix.row_scale, matrix.column_scale)
        nodes = np.stack(node_columns, axis=1, dtype=np.float32, casting="same_kind")
        groups = np.stack([chain.labels, blocks.groups, blocks.row_groups], axis=1)
        per_block = np.stack([self._theta, chain.target_mass, self._low, self._high], axis=1).astype(np.float32)
        sides = [self._forward_edges, self._backward_edges]
        for edges, values, backward in zip(sides, weights, (False, True), strict=True):
            add_corrections(
                edges.indptr,
                edges.indices,
                values,
                matrix.probabilities.leaving * np.float32(matrix.probabilities.window[0]),
                backward,
                np.float32(0.5 if self.symmetric else 1.0),
                arrivals,
                first,
                self._jumps,
                nodes,
                groups,
                self._expected,
                self._expected_jump,
                per_block,
                np.float32(matrix.floor),
                row_chunks(edges.indptr, 8 * numba.get_num_threads()),
                edges.values,
            )

    def _tiles(self) -> Iterator[tuple[slice, NDArray[np.float32]]]:
        for number, bounds in enumerate(self._bounds):
            yield slice(*bounds), self._tile(number)

    def _slope(self, tile: NDArray[np.float32], columns: slice) -> NDArray[np.float32]:
        """Return ``U = min((H̃ − floor) / −min δ, 1)``, and 0 in blocks whose nodes do not differ."""
        span = -self._low[columns]
        inverse = np.divide(1.0, span, out=np.zeros_like(span), where=span > 0)
        slope: NDArray[np.float32] = np.minimum((tile - np.float32(self.matrix.floor)) * inverse, np.float32(1.0))
        return slope

    def block_part(self, X: NDArray[np.float32], *, forward: bool, backward: bool) -> NDArray[np.float32]:
        """Return the product of ``S (H̃ Zᵀ + U Zᵀ diag(δ)) T`` (forward), of its transpose (backward), or their sum."""
        down, across = self.matrix.row_scale[:, None], self.matrix.column_scale[:, None]
        delta = self._delta[:, None]
        ahead = np.zeros_like(X)
        levels = np.empty((self.chain.n_blocks, X.shape[1]), dtype=np.float32)
        slopes = np.empty_like(levels)
        scaled = across * X
        by_block = self._member @ scaled
        by_delta = None if self._even else self._member @ (delta * scaled)
        back = down * X
        for columns, tile in self._tiles():
            slope = None if by_delta is None else self._slope(tile, columns)
            if forward:
                ahead += tile @ by_block[columns]
                if slope is not None and by_delta is not None:
                    ahead += slope @ by_delta[columns]
            if backward:
                levels[columns] = tile.T @ back
                if slope is not None:
                    slopes[columns] = slope.T @ back
        result = down * ahead
        if backward:
            labels = self.chain.labels
            result += across * (levels[labels] if self._even else levels[labels] + delta * slopes[labels])
        return result

    def _product(self, X: NDArray[Any], *, transposed: bool) -> NDArray[np.float32]:
        X = np.ascontiguousarray(X, dtype=np.float32)
        self.passes += 1
        stage = Stage(f"product {self.passes}", 1, self._progress)
        if self.symmetric:
            result = np.float32(0.5) * self.block_part(X, forward=True, backward=True)
        else:
            result = self.block_part(X, forward=not transposed, backward=transposed)
        edges = self._backward_edges if transposed else self._forward_edges
        result += edges.multiply(X)
        stage.finish()
        return result

    def _matmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        return self._product(X, transposed=False)

    def _rmatmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        return self._product(X, transposed=True)

    def _matvec(self, x: NDArray[Any]) -> NDArray[np.float32]:
        return self._matmat(x.reshape(-1, 1))

    def _rmatvec(self, x: NDArray[Any]) -> NDArray[np.float32]:
        return self._rmatmat(x.reshape(-1, 1))

    def gram(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``(R̃ᵀ X, R̃ R̃ᵀ X)`` side by side."""
        inner = self._rmatmat(X)
        return np.concatenate([inner, self._matmat(inner)], axis=1)


def missed_share(operator: BlockResidual, n_columns: int, rng: np.random.Generator) -> float:
    """Return ``‖R̃ − block form‖ / ‖R̃ − c s tᵀ‖`` on some exact columns: what blocks miss of all that varies."""
    matrix = operator.matrix
    candidates = np.flatnonzero(matrix.column_scale > 0)
    chosen = rng.choice(candidates, min(n_columns, len(candidates)), replace=False)
    exact = matrix.columns(chosen).astype(np.float64)
    one_hot = np.zeros((matrix.n_nodes, len(chosen)), dtype=np.float32)
    one_hot[chosen, np.arange(len(chosen))] = 1.0
    level = np.outer(matrix.row_scale.astype(np.float64), matrix.column_scale[chosen])
    varies = np.linalg.norm(exact - level * (np.sum(exact * level) / np.sum(level**2)))
    return float(np.linalg.norm(exact - operator.matmat(one_hot)) / varies) if varies > 0 else 0.0


class _Edges:
    """C on the edges, in the order of a CSR matrix."""

    def __init__(self, matrix: "sparse.csr_array[Any]") -> None:
        self.indptr, self.indices = matrix.indptr, matrix.indices
        self.values = np.zeros(matrix.nnz, dtype=np.float32)

    def multiply(self, X: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return ``C X``."""
        out = np.empty_like(X)
        walk_step(
            self.indptr,
            self.indices,
            self.values,
            np.ones(len(X), dtype=np.float32),
            X,
            np.empty(0, dtype=np.bool_),
            np.empty(0, dtype=np.float32),
            np.empty(0, dtype=np.float32),
            row_chunks(self.indptr, 8 * numba.get_num_threads()),
            out,
        )
        return out
