"""residual2vec, the estimator."""

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from residuum._memory import resolve_memory_limit
from residuum._progress import ProgressCallback
from residuum._random import as_generator
from residuum._threads import thread_limit
from residuum._validation import check_choice, check_integer, check_real, window_weights
from residuum.embedding import Embedding
from residuum.errors import InvalidParameterError, NullModelError, ResiduumWarning
from residuum.evaluation import auc_roc, uniform_non_edges
from residuum.graph import Graph, as_graph, resolve_teleport
from residuum.models.base import GraphTransformer
from residuum.models.description import describe
from residuum.models.newcomer_edges import edges_of_newcomers
from residuum.models.notices import warn_of_leak, warn_of_structure
from residuum.nulls import BlockNull, NullModel, SampledNull, null_model_from_name
from residuum.residual import (
    SAMPLED_BY_BLOCKS,
    SOLVERS,
    Projector,
    ResidualMatrix,
    SolverOptions,
    build_erasure,
    choose_solver,
    residual_rows_of_newcomers,
    solve,
)
from residuum.walks import WindowProbabilities

__all__ = ["Residual2Vec"]

_NEWCOMERS_AT_ONCE = 256


class Residual2Vec(GraphTransformer):
    """Vectors of nodes beyond what a random graph of your choice explains.

    ``u_i · v_j ≈ max(ln P_d(j | i) − ln P_0(j | i), floor)``, where P_d is the chance that a random walker goes from
    i to j within the window in the graph, and P_0 the same in the null model.

    Parameters
    ----------
    n_components : int, default 64
        K, the length of the vectors; below the number of nodes.
    null_model : str or null model, default "configuration"
        What the vectors must not say: ``"erdos-renyi"`` (nothing is removed), ``"configuration"`` (degree), or an
        object such as ``DegreeCorrectedSBM(groups=labels)`` (degree and label).
    window : int or array, default 10
        T, the number of steps, or one weight for each step.
    floor : float, default -3.0
        The lowest association that is told apart from none; 0 is the paper's setting.
    weighting : float, default 0.5
        The fit counts the pair (i, j) with ``(d_i d_j)^weighting``; 0 is the paper's setting, 1 that of skip-gram.
    solver : "auto", "exact", "landmark" or "block", default "auto"
        Exact for small graphs, landmarks (a sample of exact columns) for others. "block" is the paper's block
        approximation: targets are told apart by block, except along edges.
    alpha : float, default 0.5
        The share of the singular values in ``embedding_``; the rest is in ``context_embedding_``.
    erase : optional
        What no linear predictor may find in the vectors: ``"degree"``, ``"null"`` (the groups of the null model), the
        name of a node attribute, an array or mapping of labels or numbers, or a list or dict of these.
    n_landmarks : int, optional
        A fixed number of landmarks; by default they are added until ``tolerance`` is met.
    n_blocks : int, default 1000
        Blocks of the block solver, inside the groups of the null model; each group has at least one.
    tolerance : float, default 0.16
        The ``approximation_error_`` at which the landmark solver stops adding landmarks.
    teleport : float, or pair of a float and a target, optional
        Probability with which the walkers of a directed graph jump, and where to: "out-strength" (default), "uniform",
        or weights. By default 0.05 unless the graph is strongly connected. Dangling nodes always jump.
    memory_limit : int or str, optional
        Bytes, or a text such as ``"8GiB"``, for the arrays of the solver; by default half of what is free.
    n_jobs : int, optional
        Threads; by default all cores.
    random_state : int, Generator or None
        The same seed gives the same bits at the same number of threads.
    progress : callable, optional
        Called with a :class:`residuum.ProgressEvent` as the work goes on.

    Attributes
    ----------
    embedding_, context_embedding_ : float32 arrays of shape (N, K)
        u and v; sources and targets if the graph is directed. Isolated nodes have zero vectors.
    offset_ : array of shape (N,)
        z_j, the log of the null model's marginal probability; −inf for isolated nodes.
    singular_values_ : array of shape (K,)
    node_ids_ : array of shape (N,)
    solver_ : str
        The solver that was used.
    approximation_error_ : float
        What the solver lost against the best factors, as a share of the norm of the matrix (estimated; 0 if exact).
        For blocks, what the block form misses of the matrix before it is factorised, which is a good deal more.
    solver_details_ : dict
        Passes, landmarks, blocks, exact steps, share of tiles kept.
    erased_ : list of str
        What was erased.
    null_ : fitted null model
    n_features_in_ : int
        Number of nodes.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> model = Residual2Vec(n_components=8, random_state=0)
    >>> vectors = model.fit_transform(datasets.karate_club())
    >>> vectors.shape
    (34, 8)
    >>> model.solver_
    'exact'
    """

    def __init__(
        self,
        n_components: int = 64,
        null_model: str | NullModel = "configuration",
        window: int | ArrayLike = 10,
        floor: float = -3.0,
        weighting: float = 0.5,
        solver: str = "auto",
        alpha: float = 0.5,
        erase: Any = None,
        n_landmarks: int | None = None,
        n_blocks: int = 1000,
        tolerance: float = 0.16,
        teleport: Any = None,
        memory_limit: int | str | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        progress: ProgressCallback | None = None,
    ) -> None:
        self.n_components = n_components
        self.null_model = null_model
        self.window = window
        self.floor = floor
        self.weighting = weighting
        self.solver = solver
        self.alpha = alpha
        self.erase = erase
        self.n_landmarks = n_landmarks
        self.n_blocks = n_blocks
        self.tolerance = tolerance
        self.teleport = teleport
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress

    def fit(self, X: Any, y: Any = None) -> "Residual2Vec":
        """Embed a graph.

        Parameters
        ----------
        X : graph
            A :class:`Graph`, scipy sparse matrix or array, square numpy array, networkx or igraph graph, edge
            table (pandas, polars, pyarrow), or the path of a file.
        y : ignored
        """
        del y
        graph = as_graph(X)
        window = window_weights(self.window)
        options = self._options(graph)
        alpha = check_real("alpha", self.alpha, minimum=0.0, maximum=1.0)
        floor = check_real("floor", self.floor, maximum=0.0, why="a higher one would raise pairs nobody walks")
        weighting = check_real("weighting", self.weighting, minimum=0.0, maximum=1.0)
        teleport = resolve_teleport(graph, self.teleport)
        solver = self._solver(graph, len(window), options.memory_limit)
        null = self._null_model().fit(graph, window, teleport)
        erasure = build_erasure(graph, self.erase, null)
        warn_of_structure(graph, teleport, asked=self.teleport is not None)
        warn_of_leak(null, floor, erasure)

        with thread_limit(self.n_jobs):
            matrix = ResidualMatrix(WindowProbabilities(graph, window, teleport), null, floor, weighting)
            projector = None if erasure is None else Projector(erasure, matrix)
            solution = solve(matrix, solver, replace(options, projector=projector))

        factors = solution.factors
        left, right = factors.values**alpha, factors.values ** (1.0 - alpha)
        self.embedding_ = _unscaled(factors.left * left.astype(np.float32), matrix.row_scale)
        self.context_embedding_ = _unscaled(factors.right * right.astype(np.float32), matrix.column_scale)
        self.offset_ = null.offset
        self.singular_values_ = factors.values
        self.node_ids_ = graph.node_ids
        self.solver_ = solver
        self.approximation_error_ = solution.error
        self.solver_details_ = solution.details
        self.null_ = null
        self.graph_ = graph
        self.n_features_in_ = graph.n_nodes
        self._matrix = matrix
        # R̃ T Φ_r σ^(α−1) = u: what turns the residual row of a node into its vector.
        power = np.where(factors.values > 0, factors.values, np.inf) ** (alpha - 1.0)
        readout = factors.right if factors.readout is None else factors.readout
        self._projection = readout * power.astype(np.float32)
        self.erased_ = [] if erasure is None else erasure.names
        self._erasure = erasure
        if projector is not None and factors.erased is not None:
            # What a newcomer's vector has in the erased directions, for each column of the attribute.
            self._erased_part = projector.left.towards @ (factors.erased * power)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Embed a graph and return ``embedding_``; with pandas output, a data frame with node ids as its index."""
        vectors = super().fit_transform(as_graph(X), y)
        if hasattr(vectors, "index"):
            vectors.index = self.node_ids_
        return vectors

    def _options(self, graph: Graph) -> SolverOptions:
        n_components = check_integer("n_components", self.n_components, minimum=1)
        if n_components >= graph.n_nodes:
            raise InvalidParameterError(
                f"n_components must be below the number of nodes, {graph.n_nodes}; got {n_components}."
            )
        n_landmarks = self.n_landmarks
        if n_landmarks is not None:
            n_landmarks = check_integer("n_landmarks", n_landmarks, minimum=n_components)
        return SolverOptions(
            n_components=n_components,
            n_landmarks=n_landmarks,
            n_blocks=check_integer("n_blocks", self.n_blocks, minimum=1),
            tolerance=check_real("tolerance", self.tolerance, minimum=0.0),
            memory_limit=resolve_memory_limit(self.memory_limit),
            rng=as_generator(self.random_state),
            progress=self.progress,
        )

    def _null_model(self) -> NullModel:
        if isinstance(self.null_model, str):
            return null_model_from_name(self.null_model)
        if not hasattr(self.null_model, "fit"):
            raise InvalidParameterError(
                f"null_model must be a name or an object with fit(graph, window, teleport); got {self.null_model!r}."
            )
        return self.null_model

    def _solver(self, graph: Graph, window: int, memory_limit: int) -> str:
        solver = check_choice("solver", self.solver, ["auto", *SOLVERS])
        if solver == "block" and isinstance(self.null_model, SampledNull):
            raise NullModelError(SAMPLED_BY_BLOCKS)
        return choose_solver(graph, window, memory_limit) if solver == "auto" else solver

    def transform(
        self, X: Any, groups: ArrayLike | None = None, attributes: Mapping[str, ArrayLike] | None = None
    ) -> Any:
        """Return vectors of new nodes, from their edges to nodes of the graph.

        The walkers of a new node make their first step along its edges and go on in the graph; the residual row
        is projected on the context vectors. A node of the graph, asked for by its own edges, gets about its own
        vector.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, N), or edge table
            Weights of the edges from new nodes to the nodes of ``node_ids_``; or a table with the new node in the
            first column, the known one in the second, and perhaps a weight. Vectors come in order of first
            appearance.
        groups : array of shape (m,), optional
            The groups of the new nodes, if the null model has groups.
        attributes : mapping of name to array of shape (m,), optional
            The new nodes' own values of what was erased, by the names in ``erased_``; degree and the null model's
            groups are found by themselves.
        """
        check_is_fitted(self)
        return super().transform(edges_of_newcomers(self.graph_, X), groups, attributes)

    def _embed_newcomers(
        self, edges: "sparse.csr_array[Any]", groups: ArrayLike | None, attributes: Mapping[str, ArrayLike] | None
    ) -> NDArray[np.float32]:
        columns = None if self._erasure is None else self._erasure.newcomers(attributes, edges, groups)
        row_groups = self._row_groups(groups, edges)
        lonely = int(np.count_nonzero(np.diff(edges.indptr) == 0))
        if lonely:
            warnings.warn(
                f"{lonely} of {edges.shape[0]} new nodes have no edge to a known node; their vectors are zero.",
                ResiduumWarning,
                stacklevel=6,
            )
        vectors = np.empty((edges.shape[0], self._projection.shape[1]), dtype=np.float32)
        with thread_limit(self.n_jobs):
            for begin in range(0, edges.shape[0], _NEWCOMERS_AT_ONCE):
                part = slice(begin, begin + _NEWCOMERS_AT_ONCE)
                rows = residual_rows_of_newcomers(self._matrix, edges[part], row_groups[part])
                vectors[part] = rows @ self._projection
        if columns is not None:
            vectors -= (columns @ self._erased_part).astype(np.float32)
            vectors[np.diff(edges.indptr) == 0] = 0.0
        return vectors

    def _row_groups(self, groups: ArrayLike | None, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
        if isinstance(self.null_, BlockNull):
            return self.null_.row_groups_of(groups, edges)
        return np.zeros(edges.shape[0], dtype=np.int32)

    def score_pairs(self, i: Any, j: Any, mode: str = "residual", vectors: str = "both") -> NDArray[np.float64]:
        """Score pairs of nodes, given by their ids.

        Parameters
        ----------
        i, j : arrays of node ids, of the same length
        mode : "residual", "null" or "full"
            What the null model does not explain; what it does (``z_i + z_j`` for the configuration model, the log of
            the expected joint probability in general); or the sum of both, which predicts links as they are.
        vectors : "both" or "embedding"
            ``(u_i · v_j + u_j · v_i) / 2``, signed, or ``u_i · u_j``, the paper's score. In a directed graph
            ``u_i · v_j``, the association from i to j.
        """
        check_is_fitted(self)
        check_choice("mode", mode, ["residual", "null", "full"])
        check_choice("vectors", vectors, ["both", "embedding"])
        rows, columns = self.graph_.positions(i), self.graph_.positions(j)
        if len(rows) != len(columns):
            raise InvalidParameterError(f"i and j must have the same length; got {len(rows)} and {len(columns)}.")
        score = np.zeros(len(rows))
        if mode != "null":
            score += self._residual_score(rows, columns, vectors)
        if mode != "residual":
            score += self._null_score(rows, columns)
        return score

    def _residual_score(self, rows: NDArray[np.int64], columns: NDArray[np.int64], vectors: str) -> NDArray[np.float64]:
        u, v = self.embedding_, self.context_embedding_
        if vectors == "embedding":
            return _dot(u[rows], u[columns])
        forward = _dot(u[rows], v[columns])
        if self.graph_.directed:
            return forward
        return (forward + _dot(u[columns], v[rows])) / 2

    def _null_score(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the log of the null's joint probability of the pair, the mean of both directions if undirected."""
        forward = self.null_.log_probability(rows, columns) + self.null_.source_offset[rows]
        if self.graph_.directed:
            return forward
        backward = self.null_.log_probability(columns, rows) + self.null_.source_offset[columns]
        return (forward + backward) / 2

    def score(self, X: Any, y: Any = None) -> float:
        """Return the AUC of the full score for the edges of X against as many pairs that are no edges.

        Edges with a node that was not in the training graph are left out. With an edge table as input this
        makes ``GridSearchCV(Residual2Vec(), ...)`` hide edges and ask for them.
        """
        del y
        check_is_fitted(self)
        asked = as_graph(X)
        known = np.isin(asked.node_ids, self.node_ids_)
        entries = asked.adjacency.tocoo()
        use = known[entries.row] & known[entries.col] & (entries.row != entries.col)
        if not use.any():
            raise InvalidParameterError("no edge of X joins two nodes of the training graph; nothing to score.")
        ends = asked.node_ids[entries.row[use]], asked.node_ids[entries.col[use]]
        other = uniform_non_edges(self.graph_, int(use.sum()), np.random.default_rng(0))
        non_edges = self.node_ids_[other[:, 0]], self.node_ids_[other[:, 1]]
        return auc_roc(self.score_pairs(*ends, mode="full"), self.score_pairs(*non_edges, mode="full"))

    def to_embedding(self) -> Embedding:
        """Return ids, vectors, context vectors, offsets and how they were made, to be saved."""
        check_is_fitted(self)
        return Embedding(self.node_ids_, self.embedding_, self.context_embedding_, self.offset_, describe(self))

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])


def _dot(left: NDArray[np.float32], right: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the inner products of matching rows."""
    return np.asarray(np.einsum("pk,pk->p", left, right, dtype=np.float64))


def _unscaled(vectors: NDArray[np.float32], scale: NDArray[np.float32]) -> NDArray[np.float32]:
    """Undo the weights of the fit; rows that were left out of it stay zero."""
    return np.divide(vectors, scale[:, None], out=np.zeros_like(vectors), where=scale[:, None] > 0)
