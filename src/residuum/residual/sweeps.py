"""Newton sweeps on the likelihood of skip-gram, at a cost that is linear in nodes and edges."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from residuum._checkpoint import Store
from residuum._progress import ProgressCallback, Stage
from residuum._random import random_rows
from residuum._threads import in_threads
from residuum.graph import effective_degrees
from residuum.residual.likelihood import Likelihood, Side
from residuum.residual.linalg import Factors, fix_signs, padded, product, qr
from residuum.residual.matrix import ResidualMatrix, unscaled
from residuum.residual.newton import (
    NewtonStep,
    averaging_share,
    has_settled,
    remaining_error,
    step_length,
    sweep_seeds,
)
from residuum.walks import WindowProbabilities

__all__ = [
    "MOST_SWEEPS",
    "REGULARIZATION",
    "Sweeps",
    "Swept",
    "contexts_per_node",
    "factors_of",
    "random_start",
    "vectors_of",
]

#: Default weight of the prior, in edges.
REGULARIZATION = 0.03

#: Most sweeps; the vectors change no more long before.
MOST_SWEEPS = 10_000

#: Steps of the random projection that sweeps start from, and length of its vectors.
START_STEPS, START_LENGTH = 4, 2.0
# Contexts per node and half sweep: bounds, and the total in between.
_FEWEST_CONTEXTS, _MOST_CONTEXTS, _ALL_CONTEXTS = 64, 1024, 4_000_000


@dataclass(frozen=True)
class Swept:
    """Result of sweeps.

    Attributes
    ----------
    u, v : float32 arrays of shape (N, K)
        Vectors of the nodes as centers and as contexts, averaged over sweeps.
    losses : list of float
        Loss of the starting point and after each sweep, on pairs that no sweep uses.
    first_steps : tuple of float
        Lengths of the steps of the first sweeps.
    """

    u: NDArray[np.float32]
    v: NDArray[np.float32]
    losses: list[float] = field(default_factory=list)
    first_steps: tuple[float, ...] = ()

    @property
    def improved(self) -> bool:
        """Whether the sweeps lowered the loss; if not, the vectors are the starting point."""
        return self.losses[-1] < self.losses[0]

    @property
    def error(self) -> float:
        """Square root of the share of the gain over zero vectors that more sweeps would add, extrapolated."""
        return remaining_error(self.losses, self.first_steps)


@dataclass(frozen=True)
class Sweeps:
    """Raise ``L − ½ λ Σ_i a_i |u_i|² / d_i − ½ λ Σ_j m_j |v_j|² / d_j`` by sweeps over centers, then contexts.

    A half sweep is a damped Newton step for all vectors of one side. The curvature is that of pairs with ``P_d = P_0``
    plus the regularization, the same for all nodes of a degree, so that one eigendecomposition inverts it for all. The
    gradient is estimated from new samples in every sweep, and the vectors are averaged over about the last half of the
    sweeps. λ is the weight of the prior in edges: the vector of a node with few edges is shorter.

    Sweeps end after ``n_sweeps``, or when two in a row lower the loss on held-out pairs by less than ``tolerance`` of
    its difference to zero vectors. A given starting point is returned if no sweep improves it.

    Attributes
    ----------
    likelihood : Likelihood
        The likelihood.
    n_sweeps : int
        Maximum number of sweeps.
    regularization : float
        λ.
    tolerance : float
        Smallest relative improvement of a sweep.
    first_steps : tuple of float
        Lengths of the first steps, in Newton steps; for a starting point that is far from the maximum.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> graph = datasets.karate_club()
    >>> matrix = ResidualMatrix(WindowProbabilities(graph, 5), Configuration().fit(graph, 5), floor=-1.0)
    >>> start = random_start(matrix.probabilities, 4, seed=0)
    >>> sweeps = Sweeps(Likelihood(matrix, n_contexts=100, n_columns=34), n_sweeps=5)
    >>> swept = sweeps.run(start, start, seed=0)
    >>> swept.losses[-1] < swept.losses[0]
    True
    """

    likelihood: Likelihood
    n_sweeps: int
    regularization: float = REGULARIZATION
    tolerance: float = 0.0
    first_steps: tuple[float, ...] = ()

    def run(
        self,
        u: NDArray[np.float32],
        v: NDArray[np.float32],
        seed: int,
        store: Store | None = None,
        progress: ProgressCallback | None = None,
    ) -> Swept:
        """Sweep from a starting point.

        Parameters
        ----------
        u, v : float32 arrays of shape (N, K)
            Starting point.
        seed : int
            Seed of the samples; the same seed gives the same bits for any number of threads.
        store : Store, optional
            Saves the vectors after every sweep, and returns those of an interrupted run.
        progress : callable, optional
            Called after each sweep with the loss.

        Returns
        -------
        Swept
            Averaged vectors and losses.
        """
        u, v = np.ascontiguousarray(u), np.ascontiguousarray(v)
        saved = _Saved(Store(None) if store is None else store)
        state = saved.latest(self.n_sweeps) or _State(u, v, u.copy(), v.copy(), [self.likelihood.loss(u, v)])
        stage = Stage("sweeps", self.n_sweeps, progress)
        stage.advance(state.n_sweeps, loss=state.losses[-1])
        while state.n_sweeps < self.n_sweeps and not has_settled(state.losses, self.tolerance):
            state = self._sweep(state, seed)
            saved.save(state)
            stage.advance(loss=state.losses[-1])
        stage.finish()
        swept = Swept(state.mean_u, state.mean_v, state.losses, self.first_steps)
        return swept if swept.improved else Swept(u, v, state.losses, self.first_steps)

    def _sweep(self, state: "_State", seed: int) -> "_State":
        """Return the state after one more sweep; the averages are updated in place."""
        number = state.n_sweeps + 1
        first, second = sweep_seeds(seed, number)
        length = step_length(number, self.first_steps)
        u = self._half_sweep("centers", state.u, state.v, first, length)
        v = self._half_sweep("contexts", state.v, u, second, length)
        share = averaging_share(number)

        def average(rows: tuple[int, int]) -> None:
            part = slice(*rows)
            state.mean_u[part] += share * (u[part] - state.mean_u[part])
            state.mean_v[part] += share * (v[part] - state.mean_v[part])

        for _ in in_threads(average, self.likelihood.chunks()):
            pass
        loss = self.likelihood.loss(state.mean_u, state.mean_v)
        return _State(u, v, state.mean_u, state.mean_v, [*state.losses, loss])

    @cached_property
    def _priors(self) -> dict[Side, NDArray[np.float32]]:
        """Weight of the prior in each row of both sides, shape (N, 1)."""
        graph = self.likelihood.matrix.probabilities.graph
        out_degrees = effective_degrees(graph.adjacency)
        in_degrees = effective_degrees(graph.reversed_adjacency) if graph.directed else out_degrees
        centers, contexts = (
            (self.regularization / degrees).astype(np.float32)[:, None] for degrees in (out_degrees, in_degrees)
        )
        return {"centers": centers, "contexts": contexts}

    def _half_sweep(
        self, side: Side, X: NDArray[np.float32], Y: NDArray[np.float32], seed: int, length: float
    ) -> NDArray[np.float32]:
        """Return the vectors of one side after a damped Newton step."""
        likelihood = self.likelihood
        mean_square = np.einsum("nk,nk->", X, X, dtype=np.float64) / len(X)
        newton = NewtonStep.of(likelihood.curvature(side, Y), float(mean_square), length)
        prior = self._priors[side]
        draws = likelihood.draws(side, seed)
        out = np.empty_like(X)

        def move(rows: tuple[int, int]) -> None:
            part = slice(*rows)
            out[part] = newton.move(X[part], likelihood.gradient(side, rows, X, Y, draws), prior[part])

        for _ in in_threads(move, likelihood.chunks()):
            pass
        return out


@dataclass(frozen=True)
class _State:
    """Vectors, their averages over sweeps, and the losses so far."""

    u: NDArray[np.float32]
    v: NDArray[np.float32]
    mean_u: NDArray[np.float32]
    mean_v: NDArray[np.float32]
    losses: list[float]

    @property
    def n_sweeps(self) -> int:
        return len(self.losses) - 1


class _Saved:
    """State after the latest sweep, in a store that outlives the process."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def save(self, state: _State) -> None:
        """Save a state in place of the one before."""
        if not self._store.persistent:
            return
        number = state.n_sweeps
        self._store.once(f"losses-{number:04d}", lambda: np.array(state.losses))
        self._store.once(f"sweep-{number:04d}", lambda: np.stack([state.u, state.v, state.mean_u, state.mean_v]))
        for name in ("sweep", "losses"):
            self._store.forget(f"{name}-{number - 1:04d}")

    def latest(self, n_sweeps: int) -> _State | None:
        """Return the state after the last of up to ``n_sweeps`` sweeps that is saved."""
        for number in range(n_sweeps, 0, -1):
            names = f"sweep-{number:04d}", f"losses-{number:04d}"
            if all(name in self._store for name in names):
                vectors, losses = (self._store.once(name, lambda: np.empty(0)) for name in names)
                u, v, mean_u, mean_v = vectors
                return _State(u, v, mean_u, mean_v, losses.tolist())
        return None


def contexts_per_node(n_nodes: int) -> int:
    """Return the default number of contexts per node in one half of a sweep: more if there are few nodes.

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
    >>> contexts_per_node(10_000)
    400
    """
    return int(np.clip(_ALL_CONTEXTS // n_nodes, _FEWEST_CONTEXTS, _MOST_CONTEXTS))


def random_start(probabilities: WindowProbabilities, n_components: int, seed: int) -> NDArray[np.float32]:
    """Return a random projection of where walkers are after four steps, in vectors of length 2.

    Parameters
    ----------
    probabilities : WindowProbabilities
        Graph of the walkers, who ignore edge directions.
    n_components : int
        Number of dimensions K.
    seed : int
        Seed of the projection.

    Returns
    -------
    float32 array of shape (N, K)
        Vectors; zero for isolated nodes.

    Examples
    --------
    >>> from residuum import datasets
    >>> walks = WindowProbabilities(datasets.karate_club(), window=5)
    >>> np.linalg.norm(random_start(walks, 4, seed=0)[0]).round(3).item()
    2.0
    """
    graph = probabilities.graph
    active = (graph.out_strength > 0) | (graph.in_strength > 0)
    X = random_rows(seed, 0, probabilities.n_nodes, n_components)
    step = np.empty_like(X)
    for _ in range(START_STEPS):
        probabilities.undirected_step(X, step)
        X = unit_rows(step, step[active].mean(axis=0, dtype=np.float64), active)
    return np.float32(START_LENGTH) * X


def unit_rows(X: NDArray[np.float32], mean: NDArray[np.float64], active: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return ``(x − mean) / |x − mean|``, and 0 for inactive rows.

    Parameters
    ----------
    X : float32 array of shape (n, K)
        Vectors; overwritten.
    mean : array of shape (K,)
        Mean of the active vectors.
    active : bool array of shape (n,)
        Rows to keep.

    Returns
    -------
    float32 array of shape (n, K)
        Vectors of length 1 or 0.

    Examples
    --------
    >>> unit_rows(np.array([[3.0, 5.0]], dtype=np.float32), np.array([0.0, 1.0]), np.array([True])).round(2)
    array([[0.6, 0.8]], dtype=float32)
    """
    X -= mean.astype(np.float32)
    lengths = np.linalg.norm(X, axis=1, keepdims=True)
    return np.asarray(np.divide(X, lengths, out=np.zeros_like(X), where=active[:, None] & (lengths > 0)))


def vectors_of(factors: Factors, matrix: ResidualMatrix) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return u and v of factors, ``u_i · v_j`` being the entry of the matrix without scales.

    Parameters
    ----------
    factors : Factors
        Factors of the matrix.
    matrix : ResidualMatrix
        Matrix with the scales.

    Returns
    -------
    u, v : float32 arrays of shape (N, K)
        Vectors.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> from residuum.residual.linalg import factorize_dense
    >>> graph = datasets.karate_club()
    >>> matrix = ResidualMatrix(WindowProbabilities(graph, 5), Configuration().fit(graph, 5), floor=-1.0)
    >>> entries = matrix.columns(np.arange(34))
    >>> u, v = vectors_of(factorize_dense(entries, 33, symmetric=True), matrix)
    >>> np.allclose(u @ v.T, entries, atol=0.01)
    True
    """
    root = np.sqrt(factors.values).astype(np.float32)
    return unscaled(factors.left * root, matrix.row_scale), unscaled(factors.right * root, matrix.column_scale)


def factors_of(u: NDArray[np.float32], v: NDArray[np.float32], matrix: ResidualMatrix) -> Factors:
    """Return the factors of ``S U Vᵀ T``, where S and T are the scales of the matrix.

    Parameters
    ----------
    u, v : float32 arrays of shape (N, K)
        Vectors.
    matrix : ResidualMatrix
        Matrix with the scales.

    Returns
    -------
    Factors
        Orthonormal factors, with zero values beyond the rank.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> graph = datasets.karate_club()
    >>> matrix = ResidualMatrix(WindowProbabilities(graph, 5), Configuration().fit(graph, 5), floor=-1.0)
    >>> u = np.random.default_rng(0).random((34, 3), dtype=np.float32)
    >>> factors_of(u, u, matrix).values.shape
    (3,)
    """
    left, coefficients = qr(u * matrix.row_scale[:, None])
    right, right_coefficients = qr(v * matrix.column_scale[:, None])
    inner, values, right_inner = np.linalg.svd(coefficients @ right_coefficients.T, full_matrices=False)
    left, right = product(left, inner.astype(np.float32)), product(right, right_inner.T.astype(np.float32))
    left, right = fix_signs(left, right)
    return padded(Factors(left, values, right), u.shape[1])
