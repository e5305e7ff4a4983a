"""The likelihood of skip-gram with negatives from the null model, and its gradient from samples of pairs."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._kernels.likelihood import add_pulls, add_pushes
from residuum._threads import in_threads
from residuum.residual.contexts import Pairs, WalkContexts, null_contexts
from residuum.residual.matrix import ResidualMatrix
from residuum.residual.measured import MEASURED_SEED, column_losses, measured_columns, measured_nodes, pair_losses
from residuum.residual.null_columns import NullColumns, Side, add_column_pushes

__all__ = [
    "N_COLUMNS",
    "Draws",
    "Likelihood",
    "Side",
    "chunk_rows",
]

#: Default number of columns of the null model in a sample.
N_COLUMNS = 256

# Rows of a chunk: bounds, and the number of chunks of a small graph.
_FEWEST_ROWS, _MOST_ROWS, _CHUNKS = 64, 1024, 8


@dataclass(frozen=True)
class Draws:
    """Random numbers of one half of a sweep.

    Attributes
    ----------
    seed : int
        Seed of the walks and of the columns of the null model.
    observed, expected : Pairs or None
        Pairs of all rows that walks and the null model generated; None if they are sampled a chunk at a time.
    """

    seed: int
    observed: Pairs | None = None
    expected: Pairs | None = None


class Likelihood:
    """``L = Σ_i a_i Σ_j [P_d(j | i) ln σ(s_ij) + P_0(j | i) ln σ(−s_ij)]`` with ``s_ij = u_i · v_j``.

    The objective of skip-gram with one negative per pair, sampled from the null model: ``σ(s_ij)`` is the probability
    that a walk, and not the null model, generated the pair. Without a rank constraint the maximum is
    ``s = ln P_d − ln P_0``, as for the matrix. With one, a pair that no walk joins does not have to be at the floor:
    any low score will do. The weights a are the shares of the centers in the total degree.

    No N × N array is needed. Walks of one step are summed over the edges, longer ones are sampled
    (:class:`~residuum.residual.contexts.WalkContexts`), and the sum over the null model is estimated on a sample of
    its columns, one for each chunk of rows, that contains all of them if the graph is small
    (:class:`~residuum.residual.null_columns.NodeSample`).

    Parameters
    ----------
    matrix : ResidualMatrix
        Matrix with the graph, the window and the null model; its floor and weighting do not matter.
    n_contexts : int
        Mean number of sampled contexts per node in one half of a sweep.
    n_columns : int, default 256
        Number of columns of the null model in a sample.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> from residuum.walks import WindowProbabilities
    >>> graph = datasets.karate_club()
    >>> matrix = ResidualMatrix(WindowProbabilities(graph, 5), Configuration().fit(graph, 5), floor=-1.0)
    >>> zero = np.zeros((34, 2), dtype=np.float32)
    >>> likelihood = Likelihood(matrix, n_contexts=100, n_columns=34)
    >>> round(float(likelihood.loss(zero, zero) / np.log(2)), 1)
    2.0
    """

    def __init__(self, matrix: ResidualMatrix, n_contexts: int, n_columns: int = N_COLUMNS) -> None:
        self.matrix = matrix
        self.n_contexts = n_contexts
        probabilities, self.null = matrix.probabilities, matrix.null
        self.n_nodes, self._directed = matrix.n_nodes, probabilities.graph.directed
        weighted = ResidualMatrix(probabilities, self.null, matrix.floor, weighting=1.0)
        shares = weighted.row_scale.astype(np.float64) ** 2
        #: Weights a of the centers, and probability of the contexts under the null model.
        self.shares = shares / shares.sum()
        self._form = self.null.block_form
        self.marginal = np.exp(self.null.offset) if self._form is None else self._form.marginal(self.shares)
        active = weighted.column_scale > 0
        self.mass = np.where(active, (probabilities.spread(self.shares) + self.marginal) / 2, 0.0)
        self.walks = WalkContexts(probabilities, self.shares > 0, n_contexts)
        self.columns = (
            None if self._form is None else NullColumns.of(self._form, self.shares, self.marginal, self.mass, n_columns)
        )
        self._steps = self._first_steps()
        self._measured = self._measured_pairs()

    def _first_steps(self) -> dict[Side, Pairs]:
        """Return the pairs that one step along an edge joins, with their exact weights."""
        probabilities = self.matrix.probabilities
        graph, first = probabilities.graph, np.float32(probabilities.window[0])
        forward, backward = graph.adjacency, graph.reversed_adjacency
        leaving = first * probabilities.leaving
        if probabilities.inverse_completed is not None:
            leaving = leaving * probabilities.inverse_completed
        weights = probabilities.edge_weights * np.repeat(leaving, np.diff(forward.indptr))
        back = probabilities.scaled_weights(backward) * (leaving * self.shares.astype(np.float32))[backward.indices]
        one = np.ones(self.n_nodes, dtype=np.float32)
        return {
            "centers": Pairs(forward.indptr, forward.indices, weights, one),
            "contexts": Pairs(backward.indptr, backward.indices, back, one).rescaled(_inverse(self.mass)),
        }

    def draws(self, side: Side, seed: int) -> Draws:
        """Return the random numbers of one half of a sweep.

        Parameters
        ----------
        side : {"centers", "contexts"}
            Whose vectors the half of the sweep changes.
        seed : int
            Seed.

        Returns
        -------
        Draws
            The seed, and the pairs that have to be sampled for all rows at once: contexts of a directed graph have
            walkers arriving from centers, and null models without a block form are sampled from centers as well.
        """
        observed = expected = None
        if side == "contexts" and self._directed:
            chunks = [np.arange(begin, end) for begin, end in self.chunks()]
            pairs = Pairs.joined(list(in_threads(lambda nodes: self.walks.sample(nodes, seed), chunks)))
            observed = pairs.transposed(self.shares, self.n_nodes).rescaled(_inverse(self.mass))
        if self._form is None:
            expected = null_contexts(self.null, self.shares > 0, self.n_contexts, np.random.default_rng(seed))
            if side == "contexts":
                expected = expected.transposed(self.shares, self.n_nodes).rescaled(_inverse(self.mass))
        return Draws(seed, observed, expected)

    def chunks(self) -> list[tuple[int, int]]:
        """Return ranges of rows, the same for any number of threads.

        Returns
        -------
        list of (int, int)
            Consecutive ranges that cover all nodes.
        """
        rows = chunk_rows(self.n_nodes)
        return [(begin, min(begin + rows, self.n_nodes)) for begin in range(0, self.n_nodes, rows)]

    def gradient(
        self, side: Side, rows: tuple[int, int], X: NDArray[np.float32], Y: NDArray[np.float32], draws: Draws
    ) -> NDArray[np.float32]:
        """Estimate ``∂L/∂x_r``, divided by the weight of the row: ``a_i`` for centers, ``m_j`` for contexts.

        Parameters
        ----------
        side : {"centers", "contexts"}
            Whose gradient to return.
        rows : (int, int)
            Range of rows.
        X, Y : float32 arrays of shape (N, K)
            Vectors of this side, and of the other one.
        draws : Draws
            Random numbers; results depend on nothing else.

        Returns
        -------
        float32 array of shape (n, K)
            Gradient in these rows.
        """
        begin, end = rows
        x = X[begin:end]
        out = np.zeros_like(x)
        for pairs in (self._steps[side].part(begin, end), self._observed(side, begin, end, draws)):
            add_pulls(pairs.borders, pairs.others, pairs.weights, pairs.scale, x, Y, out)
        if draws.expected is not None:
            pairs = draws.expected.part(begin, end)
            add_pushes(pairs.borders, pairs.others, pairs.weights, pairs.scale, x, Y, out)
            return out
        assert self.columns is not None
        nodes, weights = self.columns.draw(side, slice(begin, end), np.random.default_rng([draws.seed, begin]))
        add_column_pushes(x, Y[nodes], weights, out)
        return out

    def _observed(self, side: Side, begin: int, end: int, draws: Draws) -> Pairs:
        if draws.observed is not None:
            return draws.observed.part(begin, end)
        pairs = self.walks.sample(np.arange(begin, end), draws.seed)
        # On an undirected graph a_i P_d(j | i) is symmetric, so that walks from a context find its centers.
        factor = self.shares[begin:end] * _inverse(self.mass[begin:end])
        return pairs if side == "centers" else pairs.rescaled(factor)

    def curvature(self, side: Side, Y: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return ``½ Σ_j b_j y_j y_jᵀ``, the curvature of −L in a row of this side where P_d equals P_0.

        Parameters
        ----------
        side : {"centers", "contexts"}
            The side of the row.
        Y : float32 array of shape (N, K)
            Vectors of the other side.

        Returns
        -------
        array of shape (K, K)
            Curvature, divided by the weight of the row.
        """
        weights = self.marginal if side == "centers" else self.shares
        root = np.sqrt(weights).astype(np.float32)[:, None]

        def part(rows: tuple[int, int]) -> NDArray[np.float32]:
            weighted = root[slice(*rows)] * Y[slice(*rows)]
            return np.asarray(weighted.T @ weighted)

        total = np.zeros((Y.shape[1], Y.shape[1]))
        for product in in_threads(part, self.chunks()):
            total += product
        return total / 2

    def _measured_pairs(self) -> "_Measured":
        """Return nodes and pairs that measure the loss, the same in every run, and never used by a sweep."""
        rng = np.random.default_rng(0)
        nodes, weights = measured_nodes(self.shares, rng)
        first = self._steps["centers"]
        steps = sparse.csr_array((first.weights, first.others, first.borders), shape=2 * (self.n_nodes,))[nodes]
        one = np.ones(len(nodes), dtype=np.float32)
        observed = [Pairs(steps.indptr, steps.indices, steps.data, one), self.walks.sample(nodes, MEASURED_SEED)]
        if self._form is None:
            chosen = np.zeros(self.n_nodes, dtype=np.bool_)
            chosen[nodes] = True
            expected = null_contexts(self.null, chosen, self.n_contexts, rng)
            borders = np.append(expected.borders[nodes], expected.borders[-1])
            pairs = Pairs(borders, expected.others, expected.weights, expected.scale[nodes])
            return _Measured(nodes, weights, observed, pairs)
        assert self.columns is not None
        return _Measured(nodes, weights, observed, None, *measured_columns(self.columns, nodes, rng))

    def loss(self, u: NDArray[np.float32], v: NDArray[np.float32]) -> float:
        """Return ``−L`` on pairs that no sweep uses; about ``2 ln 2`` for zero vectors.

        Parameters
        ----------
        u, v : float32 arrays of shape (N, K)
            Vectors of the nodes as centers and as contexts.

        Returns
        -------
        float
            Estimated loss.
        """
        measured = self._measured
        x = u[measured.nodes]
        total = np.zeros(len(x))
        for pairs in measured.observed:
            total += pair_losses(pairs, x, v, -1.0)
        if measured.expected is not None:
            total += pair_losses(measured.expected, x, v, 1.0)
        else:
            total += column_losses(x, v[measured.columns], measured.table)
        return float(measured.weights @ total)


@dataclass(frozen=True)
class _Measured:
    """Centers with their weights, pairs that walks generated, and pairs or columns of the null model."""

    nodes: NDArray[np.int64]
    weights: NDArray[np.float64]
    observed: list[Pairs]
    expected: Pairs | None
    columns: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    table: NDArray[np.float32] = field(default_factory=lambda: np.empty((0, 0), dtype=np.float32))


def chunk_rows(n_nodes: int) -> int:
    """Return the number of rows that are computed at once.

    Parameters
    ----------
    n_nodes : int
        Number of nodes N.

    Returns
    -------
    int
        From 64 to 1024.

    Examples
    --------
    >>> chunk_rows(4000)
    500
    """
    return int(np.clip(n_nodes // _CHUNKS, _FEWEST_ROWS, _MOST_ROWS))


def _inverse(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(1.0, values, out=np.zeros_like(values), where=values > 0)
