"""The likelihood solver: Newton sweeps on the likelihood of skip-gram, from a random start."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from residuum._validation import check_integer, check_real
from residuum.residual import (
    MOST_SWEEPS,
    N_COLUMNS,
    REGULARIZATION,
    ResidualMatrix,
    Sweeps,
    chunk_rows,
    contexts_per_node,
    factors_of,
    random_start,
)
from residuum.residual import Likelihood as Objective
from residuum.residual.newton import FIRST_STEPS
from residuum.solvers.base import MeasuredSolver, Needs, Problem, Workspace
from residuum.solvers.solution import FactorSolution

__all__ = ["Likelihood"]

# Arrays of the size of the vectors: u, v, their averages, the next u or v, and one for the factors.
_ARRAYS = 7
# Bytes per entry of the graph and per node: weights of first steps on both sides, alias tables; masses and shares.
_BYTES_PER_ENTRY, _BYTES_PER_NODE = 16, 80
# Bytes per pair that is sampled for all rows at once, and transposed.
_BYTES_PER_PAIR = 24
# Dimensions of the graph per dimension of the vectors beyond which a factorization loses more than sampling does.
_LONG_SPECTRUM = 2.0
# In smaller graphs factors are exact, or nearly so, and all parameters apply to them. With 11,000 nodes and rank 370
# the AUC is 0.002 to 0.010 above that of landmarks.
_FEWEST_NODES = 10_000


@dataclass(frozen=True)
class Likelihood(MeasuredSolver):
    """Maximize ``Σ_i d_i Σ_j [P_d(j | i) ln σ(u_i · v_j) + P_0(j | i) ln σ(−u_i · v_j)]`` by Newton sweeps.

    The likelihood of skip-gram, whose maximum is ``u_i · v_j = ln P_d − ln P_0`` if the rank is high enough. For large
    graphs with more communities than dimensions: a pair that no walk joins only needs a low score, not a particular
    one, so that the rank limits the vectors less than in a factorization. Each sweep samples new contexts by walks;
    time and memory are linear in nodes and edges. ``floor`` and ``weighting`` of :class:`residuum.Residual2Vec` do not
    apply. The same seed gives the same bits for any number of threads.

    Parameters
    ----------
    n_sweeps : int, default 6
        Maximum number of sweeps, each over all centers and then all contexts; at most 10,000.
    n_contexts : int, optional
        Mean number of contexts per node that walks sample in half a sweep; more for nodes of high degree. By default
        4 million in all, but 64 to 1024 per node.
    regularization : float, default 0.03
        Weight of a Gaussian prior, in edges: vectors of nodes with few edges are shorter.
    tolerance : float, default 0.003
        Stop when two sweeps in a row lower the loss on held-out pairs by less than this share of its difference to zero
        vectors.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> model = Residual2Vec(8, solver=Likelihood(n_sweeps=3), random_state=0).fit(datasets.karate_club())
    >>> model.solver_, len(model.solver_details_["losses"])
    ('likelihood', 4)
    """

    name: ClassVar[str] = "likelihood"
    factorizes: ClassVar[bool] = False
    patience: ClassVar[float] = 4.0
    coefficients: ClassVar[tuple[float, ...]] = (0.3, 6.0e-9, 6.0e-10, 1.2e-10)

    n_sweeps: int = 6
    n_contexts: int | None = None
    regularization: float = REGULARIZATION
    tolerance: float = 0.003

    def __post_init__(self) -> None:
        check_integer("n_sweeps", self.n_sweeps, minimum=1, maximum=MOST_SWEEPS)
        if self.n_contexts is not None:
            check_integer("n_contexts", self.n_contexts, minimum=1)
        check_real("regularization", self.regularization, minimum=0.0)
        check_real("tolerance", self.tolerance, minimum=0.0)

    def solve(self, matrix: ResidualMatrix, n_components: int, work: Workspace) -> FactorSolution:
        """Return vectors that maximize the likelihood, as factors of ``U Vᵀ``."""
        problem = Problem.of(matrix, n_components, work.memory_limit)
        self.check_memory(problem)
        seed = int(work.rng.integers(2**63))
        start = random_start(matrix.probabilities, n_components, seed)
        objective = Objective(matrix, self._contexts(problem))
        sweeps = Sweeps(objective, self.n_sweeps, self.regularization, self.tolerance, FIRST_STEPS)
        swept = sweeps.run(start, start, seed, work.store, work.progress)
        factors = factors_of(swept.u, swept.v, matrix)
        return FactorSolution(
            matrix,
            factors,
            swept.error,
            {"losses": swept.losses, "n_contexts": objective.n_contexts},
            is_refined=True,
            regularization=self.regularization,
        )

    def refusal(self, problem: Problem) -> str | None:
        """Refuse to erase attributes, which sweeps would reintroduce."""
        if not problem.erases:
            return None
        return "solver='likelihood' cannot project attributes out of the vectors; use erase_level='distribution'."

    def is_better(self, problem: Problem) -> bool:
        """Return whether a large undirected graph has clearly more dimensions than the vectors, which limits factors.

        In a directed graph, pairs that no walk joins may be unknown rather than avoided, which the floor respects.
        """
        is_large = problem.n_nodes >= _FEWEST_NODES
        return is_large and not problem.directed and problem.effective_rank > _LONG_SPECTRUM * problem.n_components

    def bytes(self, problem: Problem) -> Needs:
        """Estimate the memory of vectors, edges and chunks of rows; and of all pairs if they are sampled at once."""
        contexts = self._contexts(problem)
        vectors = _ARRAYS * problem.n_components * problem.column_bytes
        graph = _BYTES_PER_ENTRY * problem.n_entries + _BYTES_PER_NODE * problem.n_nodes
        row = 4 * (4 * problem.n_components + 2 * N_COLUMNS + 4 * contexts)
        sampled = problem.directed + (problem.n_groups == 0)
        pairs = sampled * _BYTES_PER_PAIR * contexts * problem.n_nodes
        total = vectors + graph + problem.threads * chunk_rows(problem.n_nodes) * row + pairs
        return Needs(total, total)

    def features(self, problem: Problem) -> NDArray[np.float64]:
        """Return 1, and the counts of steps, of values read for contexts and edges, and of products with columns."""
        pairs = 2.0 * self.n_sweeps * problem.n_nodes * self._contexts(problem)
        steps = pairs * max(1.0, problem.window / 4)
        values = (pairs + 2.0 * self.n_sweeps * problem.n_entries) * problem.n_components
        products = 2.0 * self.n_sweeps * problem.n_nodes * problem.n_components * N_COLUMNS
        return np.array([1.0, steps, values, products])

    def _contexts(self, problem: Problem) -> int:
        return self.n_contexts or contexts_per_node(problem.n_nodes)
