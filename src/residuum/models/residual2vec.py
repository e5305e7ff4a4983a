"""residual2vec, the estimator."""

import logging
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum._memory import resolve_memory_limit
from residuum._progress import ProgressCallback
from residuum._random import as_generator
from residuum._threads import thread_limit
from residuum._validation import check_choice, check_integer, check_real
from residuum.errors import InvalidParameterError, NullModelError
from residuum.graph import Graph, as_graph, resolve_teleport
from residuum.models.checkpoints import open_run
from residuum.models.choice import CHOSEN, checked_values, choose, costliest, names_to_choose
from residuum.models.node_embedding import checked_components, resolve_null_model
from residuum.models.notices import warn_of_leak, warn_of_structure
from residuum.models.skipgram_embedding import SkipGramEmbedding
from residuum.models.trials import Trial, as_parameters
from residuum.nulls import NullModel, SampledNull
from residuum.residual import (
    SAMPLED_BY_BLOCKS,
    SOLVERS,
    Estimate,
    Newcomers,
    ProjectedNewcomers,
    Projector,
    RefinedNewcomers,
    ResidualMatrix,
    SolverOptions,
    build_erasure,
    estimate,
    problem_of,
    refine,
    reweighted,
    solve,
    unscaled,
)
from residuum.skipgram import SkipGramOptions
from residuum.walks import WindowProbabilities

__all__ = ["Residual2Vec"]

_log = logging.getLogger("residuum")
_NEWCOMERS_AT_ONCE = 256


class Residual2Vec(SkipGramEmbedding):
    """Vectors of nodes beyond what a random graph of your choice explains.

    ``u_i · v_j ≈ max(ln P_d(j | i) − ln P_0(j | i), floor)``, where P_d is the chance that a random walker goes from
    i to j within the window in the graph, and P_0 the same in the null model.

    Parameters
    ----------
    n_components : int, default 64
        K, the length of the vectors; below the number of nodes.
    null_model : str or null model, default "configuration"
        What the vectors must not say: ``"erdos-renyi"`` (nothing is removed), ``"configuration"`` (degree), or an
        object such as ``DegreeCorrectedSBM(groups=labels)`` (degree and label). With ``Configuration("auto")`` only as
        much of the degree is removed as makes hidden edges found best: for prediction, not for an audit.
    window : int, array or "auto", default 10
        T, the number of steps, or one weight for each step. With "auto" a tenth of the edges is hidden, the rest is
        embedded with more (up to 40) or fewer steps than 5 as long as that helps, and with weights that fall with the
        steps, and what tells the hidden edges best from pairs of the same degrees is taken.
    floor : float or "auto", default -3.0
        The lowest association that is told apart from none; 0 is the paper's setting. With "auto" values from 0 to -10
        are tried on hidden edges, after window and weighting, and what serves the full score, too, is taken.
    weighting : float or "auto", default 0.5
        The fit counts the pair (i, j) with ``(d_i d_j)^weighting``; 0 is the paper's setting, 1 that of skip-gram. With
        "auto" 0 and 1 are tried on hidden edges, too, after the window if that is chosen.
    power : float or "auto", default 1.0
        The smaller a singular value σ, the more of its component is noise: above 1, ``σ^power`` trusts large ones more.
        With "auto" values from 1 to 1.4 are tried on hidden edges; power, shrinkage and scale need no fit for each.
    shrinkage : float or "auto", default 0.0
        The share of the smallest singular value that is taken from all of them (soft thresholding), below 1. With
        "auto" values from 0 to 0.9 are tried on hidden edges.
    scale : float or "auto", default 1.0
        A factor of ``u_i · v_j``, half of it in either vector. Few components hold a part of the association only,
        while what the null model explains is whole, and weighs too much in their sum; with "auto" the factor is taken
        with which the sum tells hidden edges best from all other pairs.
    refine : int or "auto", default 0
        Sweeps over all pairs after the factorisation, each of which brings the vectors closer to the likelihood of
        which skip-gram draws samples. They help where there are more dense groups than components, and take time with
        N². With "auto" 10 are tried on hidden edges, unless N² numbers are above ``memory_limit``, or with ``erase``.
    solver : "auto", "exact", "landmark", "block" or "sgd", default "auto"
        Exact for small graphs, landmarks (a sample of exact columns) for others, and where these would take several
        times as long, blocks: the paper's approximation, which tells targets apart by block, except along edges.
        :meth:`plan` tells what each will take. ``"sgd"`` walks and trains skip-gram with negatives from the null model,
        so that ``u_i · v_j + ln k`` (k negatives) is the association.
    alpha : float, default 0.5
        The share of the singular values in ``embedding_``; the rest is in ``context_embedding_``.
    erase : optional
        What no linear predictor may find in the vectors: ``"degree"``, ``"null"`` (the groups of the null model), the
        name of a node attribute, an array or mapping of labels or numbers, or a list or dict of these.
    n_landmarks : int, optional
        A fixed number of landmarks; by default they are added until ``tolerance`` is met.
    n_blocks : int, optional
        Blocks of the block solver, inside the groups of the null model, each of which has at least one. By default
        1000, or 25 for each group if that is more.
    tolerance : float, default 0.16
        The ``approximation_error_`` at which the landmark solver stops adding landmarks, of which it takes 4,096 at
        most. :data:`residuum.AUTO` has 0.05, for the fit after the choice.
    sgd : mapping, optional
        Options of the ``"sgd"`` solver by name, such as ``{"n_walks": 10, "epochs": 5}``: see
        :class:`residuum.skipgram.SkipGramOptions`. ``floor``, ``weighting``, ``power``, ``shrinkage`` and ``alpha``
        are not for it.
    teleport : float, or pair of a float and a target, optional
        Probability with which the walkers of a directed graph jump, and where to: "out-strength" (default), "uniform",
        or weights. By default 0.05 unless the graph is strongly connected. Dangling nodes always jump.
    memory_limit : int or str, optional
        Bytes, or a text such as ``"8GiB"``, for the arrays of the solver; by default half of what is free.
    checkpoint : path, optional
        A folder in which stages are saved: a run that was stopped goes on from the last one, to the same result. It can
        be removed when the run has ended.
    n_jobs : int, optional
        Threads; by default all cores.
    random_state : int, Generator or None
        The same seed gives the same bits at the same number of threads; with ``"sgd"`` on one thread only.
    progress : callable, optional
        Called with a :class:`residuum.ProgressEvent` as the work goes on.

    Attributes
    ----------
    embedding_, context_embedding_ : float32 arrays of shape (N, K)
        u and v; sources and targets if the graph is directed. Isolated nodes have zero vectors.
    offset_ : array of shape (N,)
        z_j, the log of the null model's marginal probability; −inf for isolated nodes.
    singular_values_ : array of shape (K,)
        Of the factors, before ``power``, ``shrinkage`` and ``scale``; with ``"sgd"`` those of the matrix of all
        ``u_i · v_j``.
    node_ids_ : array of shape (N,)
    solver_ : str
        The solver that was used.
    approximation_error_ : float
        What the solver lost against the best factors, as a share of the norm of the matrix (estimated; 0 if exact,
        None, which is not known, if ``"sgd"``). For blocks, what the block form misses of the matrix before it is
        factorised, which is a good deal more.
    solver_details_ : dict
        Passes, landmarks, blocks, exact steps, share of tiles kept; pairs, losses of the epochs and ``ln k`` ("shift").
    window_ : array of shape (T,)
        The weight of each step.
    weighting_, floor_, power_, shrinkage_, scale_ : float
    refine_ : int
    null_model_ : null model
    chosen_ : dict of str to value
        The parameters that were "auto", and what was taken for them.
    trials_ : list of Trial
        The values that were tried for those parameters that are "auto", with their AUCs.
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
        window: int | ArrayLike | str = 10,
        floor: float | str = -3.0,
        weighting: float | str = 0.5,
        power: float | str = 1.0,
        shrinkage: float | str = 0.0,
        scale: float | str = 1.0,
        refine: int | str = 0,
        solver: str = "auto",
        alpha: float = 0.5,
        erase: Any = None,
        n_landmarks: int | None = None,
        n_blocks: int | None = None,
        tolerance: float = 0.16,
        sgd: Mapping[str, Any] | None = None,
        teleport: Any = None,
        memory_limit: int | str | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        progress: ProgressCallback | None = None,
    ) -> None:
        self.n_components = n_components
        self.null_model = null_model
        self.window = window
        self.floor = floor
        self.weighting = weighting
        self.power = power
        self.shrinkage = shrinkage
        self.scale = scale
        self.refine = refine
        self.solver = solver
        self.alpha = alpha
        self.erase = erase
        self.n_landmarks = n_landmarks
        self.n_blocks = n_blocks
        self.tolerance = tolerance
        self.sgd = sgd
        self.teleport = teleport
        self.memory_limit = memory_limit
        self.checkpoint = checkpoint
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
        options = self._options(graph)
        alpha = check_real("alpha", self.alpha, minimum=0.0, maximum=1.0)
        teleport = resolve_teleport(graph, self.teleport)
        check_choice("solver", self.solver, ["auto", *SOLVERS, "sgd"])
        if self.solver == "block" and isinstance(self.null_model, SampledNull):
            raise NullModelError(SAMPLED_BY_BLOCKS)
        self._choose(graph, options.rng)
        window, floor, weighting = self.window_, self.floor_, self.weighting_
        null = self.null_model_.fit(graph, window, teleport)
        plans = estimate(problem_of(graph, null, window, options))
        solver = self.solver if self.solver != "auto" else next(one.solver for one in plans if one.chosen)
        for one in plans:
            if one.solver == solver:
                _log.info("%s", one)
        erasure = build_erasure(graph, self.erase, null)
        warn_of_structure(graph, teleport, asked=self.teleport is not None)
        if solver == "sgd":
            self._fit_by_walks(graph, window, teleport, null, self._walk_options(), scale=self.scale_)
            return self
        warn_of_leak(null, floor, erasure)

        decisive = {
            "n_components": options.n_components,
            "window": window.tolist(),
            "floor": floor,
            "weighting": weighting,
            "solver": solver,
            "n_landmarks": options.n_landmarks,
            "n_blocks": options.n_blocks,
            "tolerance": options.tolerance,
        }
        store = open_run(
            self.checkpoint,
            graph=graph,
            teleport=teleport,
            null_model=self.null_model_,
            null=null,
            erasure=erasure,
            parameters=decisive,
            rng=options.rng,
            seeded=self.random_state is not None,
        )
        with thread_limit(self.n_jobs), store:
            matrix = ResidualMatrix(WindowProbabilities(graph, window, teleport), null, floor, weighting)
            projector = None if erasure is None else Projector(erasure, matrix)
            solution = solve(matrix, solver, replace(options, projector=projector, store=store))
            factors = solution.factors
            if self.refine_:
                factors = refine(matrix, factors, self.refine_, options.memory_limit, self.progress)

        half = self.scale_**0.5
        kept = reweighted(factors.values, self.power_, self.shrinkage_)
        left, right = half * kept**alpha, half * kept ** (1.0 - alpha)
        vectors = unscaled(factors.left * left.astype(np.float32), matrix.row_scale)
        self._keep(graph, vectors, unscaled(factors.right * right.astype(np.float32), matrix.column_scale), null)
        self.singular_values_ = factors.values
        self.solver_ = solver
        self.approximation_error_ = solution.error
        self.solver_details_ = solution.details
        # R̃ T Φ_r s^α / σ = u: what turns the residual row of a node into its vector.
        towards = left / np.where(factors.values > 0, factors.values, np.inf)
        readout = factors.right if factors.readout is None else factors.readout
        self._newcomers: Newcomers = ProjectedNewcomers(matrix, readout * towards.astype(np.float32))
        if self.refine_:
            root = np.sqrt(factors.values)
            contexts = unscaled(factors.right * root.astype(np.float32), matrix.column_scale)
            self._newcomers = RefinedNewcomers(matrix, contexts, towards * root)
        self.erased_ = [] if erasure is None else erasure.names
        self._erasure = erasure
        if projector is not None and factors.erased is not None:
            # What a newcomer's vector has in the erased directions, for each column of the attribute.
            self._erased_part = projector.left.towards @ (factors.erased * towards)
        return self

    def _choose(self, graph: Graph, rng: np.random.Generator) -> None:
        """Set the values of parameters, as they were given or, if that is "auto", as they find hidden edges best."""
        given: dict[str, Any] = {name: getattr(self, name) for name in CHOSEN}
        names = names_to_choose(self, given)
        # Before the work: a value that was given may be wrong.
        given |= checked_values({name: value for name, value in given.items() if name not in names})
        self.trials_: list[Trial] = []
        self.chosen_: dict[str, Any] = {}
        if names:
            self.trials_, best = choose(self, graph, names, rng, progress=self.progress)
            self.chosen_ = best.parameters
            given |= checked_values(self.chosen_)
        self.null_model_ = resolve_null_model(as_parameters(self.chosen_).get("null_model", self.null_model))
        self.window_: NDArray[np.float64] = given["window"]
        self.refine_: int = given["refine"]
        self.weighting_, self.floor_, self.power_, self.shrinkage_, self.scale_ = (
            float(given[name]) for name in ("weighting", "floor", "power", "shrinkage", "scale")
        )

    def _options(self, graph: Graph) -> SolverOptions:
        n_components = checked_components(self.n_components, graph)
        n_landmarks = self.n_landmarks
        if n_landmarks is not None:
            n_landmarks = check_integer("n_landmarks", n_landmarks, minimum=n_components)
        return SolverOptions(
            n_components=n_components,
            n_landmarks=n_landmarks,
            n_blocks=None if self.n_blocks is None else check_integer("n_blocks", self.n_blocks, minimum=1),
            tolerance=check_real("tolerance", self.tolerance, minimum=0.0),
            memory_limit=resolve_memory_limit(self.memory_limit),
            rng=as_generator(self.random_state),
            progress=self.progress,
        )

    def _walk_options(self) -> SkipGramOptions:
        if self.erase is not None:
            raise InvalidParameterError(
                "erase needs a solver that factorises the matrix, and solver='sgd' does not; "
                "take solver='auto', or leave erase out."
            )
        if self.checkpoint is not None:
            raise InvalidParameterError(
                "checkpoint saves the stages of solvers that factorise the matrix, and solver='sgd' has none; "
                "leave checkpoint out, or take another solver."
            )
        return SkipGramOptions.from_mapping("sgd", self.sgd)

    def plan(self, X: Any) -> list[Estimate]:
        """Return what each solver would take for this graph, the most exact one first, without any work on it.

        Parameters
        ----------
        X : graph
            As for :meth:`fit`.
        """
        graph = as_graph(X)
        window, null_model = costliest(self.window, self.null_model)
        null = null_model.fit(graph, window, resolve_teleport(graph, self.teleport))
        with thread_limit(self.n_jobs):
            return estimate(problem_of(graph, null, window, self._options(graph)))

    def _embed_newcomers(
        self, edges: "sparse.csr_array[Any]", groups: ArrayLike | None, attributes: Mapping[str, ArrayLike] | None
    ) -> NDArray[np.float32]:
        if self.solver_ == "sgd":
            return super()._embed_newcomers(edges, groups, attributes)
        columns = None if self._erasure is None else self._erasure.newcomers(attributes, edges, groups)
        row_groups = self._row_groups(groups, edges)
        vectors = np.empty((edges.shape[0], self.embedding_.shape[1]), dtype=np.float32)
        with thread_limit(self.n_jobs):
            for begin in range(0, edges.shape[0], _NEWCOMERS_AT_ONCE):
                part = slice(begin, begin + _NEWCOMERS_AT_ONCE)
                vectors[part] = self._newcomers.embed(edges[part], row_groups[part])
        if columns is not None:
            vectors -= (columns @ self._erased_part).astype(np.float32)
            vectors[np.diff(edges.indptr) == 0] = 0.0
        return vectors
