"""The block approximation of the residual matrix as an operator: ``R̃ ≈ H̃ Zᵀ + C``."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._checkpoint import Store
from residuum._kernels.clusters import add_corrections
from residuum._kernels.products import row_chunks
from residuum._progress import ProgressCallback, Stage
from residuum._threads import run_ranges
from residuum.residual import ResidualMatrix, sparse_product
from residuum.residual.linalg import product, tall_product
from residuum.solvers.block_walk import BlockWalk
from residuum.solvers.cluster_sums import ClusterSums

__all__ = ["BlockOperator", "missed_share", "operator_bytes"]

_TILE_WIDTH = 256
# Arrays of the size of a tile: the tile, the spare array of Horner's rule, the profile of the first step.
_ARRAYS_PER_TILE = 3
_CORRECTIONS = ("corrections", "corrections-back")


def operator_bytes(n_nodes: int, n_entries: int, n_clusters: int, symmetric: bool) -> int:
    """Return the memory of the operator, excluding the tiles that it keeps.

    Parameters
    ----------
    n_nodes, n_entries, n_clusters : int
        Numbers of nodes, of nonzeros of the adjacency matrix, and of clusters.
    symmetric : bool
        Whether the matrix is symmetric.

    Returns
    -------
    int
        Bytes of C and of the working arrays for one tile.
    """
    tiles = _ARRAYS_PER_TILE * 4 * n_nodes * min(_TILE_WIDTH, n_clusters)
    return 4 * n_entries * (1 if symmetric else 2) + tiles


class BlockOperator:
    """``R̃ ≈ S (H̃ Zᵀ + U Zᵀ diag(δ) + C) T``, or the mean of that and its transpose if R̃ is symmetric.

    With P_d of :class:`BlockWalk` and clusters within the groups of the null model, the residual of a pair without an
    edge is ``h[i, b_j] + δ_j``, where ``h_ib = ln P_d(b | i) − ln P_0(b | i)`` is the residual of the cluster and δ_j
    the log ratio of the shares of j in its cluster, in the data and in the null model. δ is zero if θ of the null model
    is proportional to the in-strength. H̃ is h clipped at the floor. Where the floor cuts through a cluster with
    unequal δ, the clipped function of δ is replaced by its chord, so that no value is below the floor and the slope U
    follows from H̃. C is the exact correction on the edges.

    Parameters
    ----------
    matrix : ResidualMatrix
        Matrix with a null model in block form.
    walk : BlockWalk
        Block approximation of P_d.
    memory_limit : int
        Bytes for the columns of H̃ that are kept; the others are recomputed for every product.
    store : Store
        Saves H̃ and C.
    progress : callable, optional
        Called after each tile and each product.
    """

    # Products are cheap whether or not H̃ is kept.
    in_memory = True

    def __init__(
        self,
        matrix: ResidualMatrix,
        walk: BlockWalk,
        memory_limit: int,
        store: Store,
        progress: ProgressCallback | None = None,
    ) -> None:
        form = matrix.null.block_form
        assert form is not None
        n_nodes = matrix.n_nodes
        self.matrix, self.walk, self._form = matrix, walk, form
        self.symmetric = matrix.symmetric
        self.passes = 0
        self._progress = progress
        width = min(_TILE_WIDTH, walk.n_clusters)
        self._bounds = [(begin, min(begin + width, walk.n_clusters)) for begin in range(0, walk.n_clusters, width)]
        self._keep = min(max(memory_limit, 0) // (4 * n_nodes * width), len(self._bounds))
        self._kept: dict[int, NDArray[np.float32]] = {}
        self._member = sparse.csr_array(
            (np.ones(n_nodes, dtype=np.float32), (walk.labels, np.arange(n_nodes))), shape=(walk.n_clusters, n_nodes)
        )
        self._sums = ClusterSums.of(matrix, walk)
        self._build(store)

    @property
    def kept_share(self) -> float:
        """Share of H̃ that fits the memory limit."""
        return self._keep / len(self._bounds)

    def _build(self, store: Store) -> None:
        """Compute every tile once, its part of C before the logarithm; keep the tile if it fits."""
        probabilities = self.matrix.probabilities
        adjacency, reverse = probabilities.graph.adjacency, probabilities.graph.reversed_adjacency
        self._forward_edges = self._backward_edges = _Edges(adjacency)
        weights = [probabilities.edge_weights, probabilities.edge_weights]
        if not self.symmetric:
            self._backward_edges = _Edges(reverse)
            if probabilities.graph.directed:
                weights[1] = probabilities.scaled_weights(reverse)
        stage = Stage(f"{self.walk.n_clusters} clusters", len(self._bounds), self._progress)
        sides = [self._forward_edges] if self.symmetric else [self._forward_edges, self._backward_edges]
        has_corrections = all(name in store for name in _CORRECTIONS[: len(sides)])
        for number in range(len(self._bounds)):
            if number < self._keep:
                if has_corrections:
                    self._kept[number] = store.once(f"clusters-{number}", partial(self._tile, number))
                else:
                    tile = self._tile(number, weights)
                    self._kept[number] = store.once(f"clusters-{number}", partial(np.asarray, tile))
            elif not has_corrections:
                self._tile(number, weights)
            stage.advance()
        for name, edges in zip(_CORRECTIONS, sides, strict=False):
            edges.values = store.once(name, partial(np.asarray, edges.values))

    def _tile(self, number: int, weights: list[NDArray[np.float32]] | None = None) -> NDArray[np.float32]:
        """Return consecutive columns of H̃, shape (N, m); with edge weights, also add their part of C."""
        if number in self._kept:
            return self._kept[number]
        first, last = self._bounds[number]
        tile = self.walk.columns(first, last)
        if weights is not None:
            self._add_edges(tile, first, weights)
        self._sums.to_levels(tile, first, self._form, self.matrix.floor)
        return tile

    def _add_edges(self, arrivals: NDArray[np.float32], first: int, weights: list[NDArray[np.float32]]) -> None:
        """Add to C the difference between edges into the clusters of a tile and the value of the cluster."""
        form, walk, matrix = self._form, self.walk, self.matrix
        probabilities = matrix.probabilities
        first_step = probabilities.leaving * np.float32(probabilities.window[0])
        if walk.inverse_completed is not None:
            first_step *= walk.inverse_completed
        node_columns = (walk.share, form.theta, self._sums.delta, matrix.row_scale, matrix.column_scale)
        nodes = np.stack(node_columns, axis=1, dtype=np.float32, casting="same_kind")
        groups = np.stack([walk.labels, form.groups], axis=1)
        per_cluster = self._sums.per_cluster
        sides = [self._forward_edges, self._backward_edges]
        for edges, values, backward in zip(sides, weights, (False, True), strict=True):
            add = partial(
                add_corrections,
                edges.indptr,
                edges.indices,
                values,
                first_step,
                backward,
                np.float32(0.5 if self.symmetric else 1.0),
                arrivals,
                first,
                nodes,
                groups,
                form.weights.astype(np.float32),
                per_cluster,
                np.float32(matrix.floor),
                edges.values,
            )
            run_ranges(add, row_chunks(edges.indptr, 1))

    def _tiles(self) -> Iterator[tuple[slice, NDArray[np.float32]]]:
        for number, bounds in enumerate(self._bounds):
            yield slice(*bounds), self._tile(number)

    def cluster_part(self, X: NDArray[np.float32], *, forward: bool, backward: bool) -> NDArray[np.float32]:
        """Return ``S (H̃ Zᵀ + U Zᵀ diag(δ)) T X`` (forward), the product with the transpose (backward), or their sum.

        Parameters
        ----------
        X : array of shape (N, k)
            Vectors in columns.
        forward, backward : bool
            Products to include.

        Returns
        -------
        array of shape (N, k)
            The product, without the correction C on the edges.
        """
        down, across = self.matrix.row_scale[:, None], self.matrix.column_scale[:, None]
        delta, is_even = self._sums.delta[:, None], self._sums.is_even
        ahead = np.zeros_like(X)
        levels = np.empty((self.walk.n_clusters, X.shape[1]), dtype=np.float32)
        slopes = np.empty_like(levels)
        scaled = across * X
        by_cluster = self._member @ scaled
        by_delta = None if is_even else self._member @ (delta * scaled)
        back = down * X
        for columns, tile in self._tiles():
            slope = None if by_delta is None else self._sums.slope(tile, columns, self.matrix.floor)
            if forward:
                ahead += product(tile, by_cluster[columns])
                if slope is not None and by_delta is not None:
                    ahead += product(slope, by_delta[columns])
            if backward:
                levels[columns] = tall_product(tile, back)
                if slope is not None:
                    slopes[columns] = tall_product(slope, back)
        result = down * ahead
        if backward:
            labels = self.walk.labels
            result += across * (levels[labels] if is_even else levels[labels] + delta * slopes[labels])
        return result

    def matmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``R̃ X``.

        Parameters
        ----------
        X : array of shape (N, k)
            Vectors in columns.

        Returns
        -------
        array of shape (N, k)
            The product in float32.
        """
        return self._product(X, transposed=False)

    def rmatmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``R̃ᵀ X``.

        Parameters
        ----------
        X : array of shape (N, k)
            Vectors in columns.

        Returns
        -------
        array of shape (N, k)
            The product in float32.
        """
        return self._product(X, transposed=True)

    def _product(self, X: NDArray[Any], *, transposed: bool) -> NDArray[np.float32]:
        X = np.ascontiguousarray(X, dtype=np.float32)
        self.passes += 1
        stage = Stage(f"product {self.passes}", 1, self._progress)
        if self.symmetric:
            result = np.float32(0.5) * self.cluster_part(X, forward=True, backward=True)
        else:
            result = self.cluster_part(X, forward=not transposed, backward=transposed)
        edges = self._backward_edges if transposed else self._forward_edges
        result += edges.multiply(X)
        stage.finish()
        return result

    def gram(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``[R̃ᵀ X, R̃ R̃ᵀ X]``.

        Parameters
        ----------
        X : array of shape (N, k)
            Vectors in columns.

        Returns
        -------
        array of shape (N, 2 k)
            Both products, side by side.
        """
        inner = self.rmatmat(X)
        return np.concatenate([inner, self.matmat(inner)], axis=1)


def missed_share(operator: BlockOperator, n_columns: int, rng: np.random.Generator) -> float:
    """Return ``‖R̃ − approximation‖ / ‖R̃ − c s tᵀ‖`` on random columns, with the scales s and t and the best constant c.

    Parameters
    ----------
    operator : BlockOperator
        Approximation of the matrix.
    n_columns : int
        Number of exact columns to compare.
    rng : numpy Generator
        Chooses the columns.

    Returns
    -------
    float
        Error relative to the variation of the matrix; 0 if it is within rounding error.
    """
    matrix = operator.matrix
    candidates = np.flatnonzero(matrix.column_scale > 0)
    contexts = rng.choice(candidates, min(n_columns, len(candidates)), replace=False)
    exact = matrix.columns(contexts).astype(np.float64)
    one_hot = np.zeros((matrix.n_nodes, len(contexts)), dtype=np.float32)
    one_hot[contexts, np.arange(len(contexts))] = 1.0
    level = np.outer(matrix.row_scale.astype(np.float64), matrix.column_scale[contexts])
    variation = np.linalg.norm(exact - level * (np.sum(exact * level) / np.sum(level**2)))
    missed = np.linalg.norm(exact - operator.matmat(one_hot))
    rounding = (
        3.0 * matrix.resolution * np.linalg.norm(matrix.column_scale[contexts]) / np.linalg.norm(matrix.column_scale)
    )
    return 0.0 if missed <= rounding else float(missed / max(variation, rounding))


class _Edges:
    """Correction C on the edges, stored in CSR order."""

    def __init__(self, matrix: "sparse.csr_array[Any]") -> None:
        self._pattern = matrix
        self.indptr, self.indices = matrix.indptr, matrix.indices
        self.values = np.zeros(matrix.nnz, dtype=np.float32)

    def multiply(self, X: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return ``C X``."""
        return sparse_product(self._pattern, self.values, X)
