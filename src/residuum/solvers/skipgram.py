"""The skip-gram solver: random walks, with negatives sampled from the null model."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from residuum._validation import check_integer, check_positive, check_real
from residuum.graph import Graph
from residuum.residual import LogisticRows, OutOfSample, ResidualMatrix, Spectrum
from residuum.solvers.base import MeasuredSolver, Needs, Problem, Workspace
from residuum.solvers.solution import Solution
from residuum.solvers.training import SkipGramVectors, train_skipgram
from residuum.walks import RandomWalks

__all__ = ["SkipGram"]

# Alias tables of edges and of the null model, and a chunk of walks.
_BYTES_PER_ENTRY, _BYTES_PER_NODE, _CHUNK_BYTES = 8, 64, 4 << 20


@dataclass(frozen=True)
class SkipGram(MeasuredSolver):
    """``u_i · v_j ≈ ln P_d(j | i) − ln P_0(j | i) − ln k`` by stochastic gradient descent on walks with k negatives.

    For null models that can only be sampled, and for (p, q) walks. ``floor``, ``weighting``, ``power``, ``shrinkage``
    and ``alpha`` of :class:`residuum.Residual2Vec` do not apply. With one thread, results are reproducible to the bit;
    with several, two runs with the same seed differ as if the seeds were different.

    Parameters
    ----------
    n_walks : int, default 10
        Number of walks per node and epoch.
    walk_length : int, default 80
        Number of steps in a walk.
    p, q : float, default 1.0
        Return and in-out parameters of the walks (node2vec).
    n_negatives : int, default 5
        Number of negatives k per pair, sampled from the null model.
    epochs : int, default 5
        Number of epochs, each with new walks; walks are not stored.
    learning_rate : float, default 0.025
        Initial learning rate; it decreases linearly to 1/250 of this value.
    subsample : float, default 0.0
        Threshold t: a visit to a node with a share f of all visits is kept with probability ``min(√(t/f) + t/f, 1)``.
        0 keeps every visit.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> model = Residual2Vec(8, solver=SkipGram(n_walks=2, epochs=1), n_jobs=1, random_state=0)
    >>> model.fit(datasets.karate_club()).solver_
    'skipgram'
    """

    name: ClassVar[str] = "skipgram"
    factorizes: ClassVar[bool] = False
    resumes: ClassVar[bool] = False
    coefficients: ClassVar[tuple[float, ...]] = (0.3, 1.2e-10)

    n_walks: int = 10
    walk_length: int = 80
    p: float = 1.0
    q: float = 1.0
    n_negatives: int = 5
    epochs: int = 5
    learning_rate: float = 0.025
    subsample: float = 0.0

    def __post_init__(self) -> None:
        for name in ("n_walks", "walk_length", "n_negatives", "epochs"):
            check_integer(name, getattr(self, name), minimum=1)
        check_real("subsample", self.subsample, minimum=0.0, maximum=1.0)
        check_positive("learning_rate", check_real("learning_rate", self.learning_rate, minimum=0.0, maximum=1.0))

    def solve(
        self,
        matrix: ResidualMatrix,
        n_components: int,
        work: Workspace,
        walk_groups: NDArray[np.int32] | None = None,
        walk_graph: Graph | None = None,
    ) -> "SkipGramSolution":
        """Train vectors on walks.

        Parameters
        ----------
        matrix : ResidualMatrix
            Matrix with the graph, the window and the null model; its entries are not used.
        n_components : int
            Number of dimensions K.
        work : Workspace
            Memory limit, random generator and progress callback.
        walk_groups : int array of shape (N,), optional
            Group of each node. If set, each step chooses a group of neighbors first, then a neighbor in it (FairWalk).
        walk_graph : Graph, optional
            Graph of the same nodes that walkers move on, instead of the graph of the matrix (CrossWalk).

        Returns
        -------
        SkipGramSolution
            Trained vectors.
        """
        probabilities = matrix.probabilities
        walks = RandomWalks(
            probabilities.graph if walk_graph is None else walk_graph,
            n_walks=self.n_walks,
            walk_length=self.walk_length,
            p=self.p,
            q=self.q,
            groups=walk_groups,
            random_state=work.rng,
        )
        self.check_memory(Problem.of(matrix, n_components, work.memory_limit))
        trained = train_skipgram(
            walks,
            matrix.null,
            probabilities.window,
            n_components,
            epochs=self.epochs,
            n_negatives=self.n_negatives,
            learning_rate=self.learning_rate,
            subsample=self.subsample,
            rng=work.rng,
            progress=work.progress,
        )
        return SkipGramSolution(matrix, trained, self.n_negatives)

    def bytes(self, problem: Problem) -> Needs:
        """Estimate the memory of vectors, alias tables and a chunk of walks."""
        vectors = 2 * problem.n_components * problem.column_bytes
        tables = _BYTES_PER_ENTRY * problem.n_entries + _BYTES_PER_NODE * problem.n_nodes
        return Needs(vectors + tables + _CHUNK_BYTES, vectors + tables + _CHUNK_BYTES)

    def features(self, problem: Problem) -> NDArray[np.float64]:
        """Return 1, and the count of values read and written for all pairs."""
        pairs = 2.0 * problem.window * self.epochs * self.n_walks * self.walk_length * problem.n_nodes
        return np.array([1.0, pairs * (self.n_negatives + 2) * problem.n_components])


@dataclass(frozen=True)
class SkipGramSolution(Solution):
    """Vectors trained by skip-gram.

    Attributes
    ----------
    matrix : ResidualMatrix
        Matrix with the graph, the window and the null model.
    trained : SkipGramVectors
        Vectors and losses.
    n_negatives : int
        Number of negatives k per pair.
    error : None
        Skip-gram has no estimate of its error.
    """

    matrix: ResidualMatrix
    trained: SkipGramVectors
    n_negatives: int
    error: None = None

    @property
    def singular_values(self) -> NDArray[np.float64]:  # type: ignore[override] # computed when needed
        """Singular values of ``U Vᵀ``: square roots of the eigenvalues of ``(UᵀU)(VᵀV)``."""
        vectors = (self.trained.vectors, self.trained.context_vectors)
        grams = [m.T.astype(np.float64) @ m.astype(np.float64) for m in vectors]
        squares = np.linalg.eigvals(grams[0] @ grams[1]).real
        return np.asarray(np.sqrt(np.sort(np.maximum(squares, 0.0))[::-1]))

    @property
    def details(self) -> dict[str, Any]:  # type: ignore[override] # from the trained vectors
        """Number of training pairs, loss per epoch, and the shift ``ln k`` from ``u_i · v_j`` to the association."""
        return {
            "n_pairs": self.trained.n_pairs,
            "losses": self.trained.losses,
            "shift": float(np.log(self.n_negatives)),
        }

    def vectors(self, spectrum: Spectrum) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the trained u and v, times the square root of the scale."""
        root = np.float32(spectrum.scale**0.5)
        return root * self.trained.vectors, root * self.trained.context_vectors

    def out_of_sample(self, spectrum: Spectrum) -> OutOfSample:
        """Return the embedding of out-of-sample nodes by the expected loss of skip-gram."""
        towards = np.full(self.trained.vectors.shape[1], spectrum.scale**0.5)
        return LogisticRows(self.matrix, self.trained.context_vectors, self.n_negatives, towards=towards)
