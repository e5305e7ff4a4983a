"""The residual2vec estimator."""

import os
from typing import Any, ClassVar

from numpy.typing import ArrayLike

from residuum._progress import ProgressCallback
from residuum._validation import check_choice, check_integer, check_positive, check_real, window_weights
from residuum.models.null_embedding import ERASE_LEVELS, NullEmbedding, Settings, resolve_null_model
from residuum.nulls import NullModel
from residuum.residual import MOST_SWEEPS, Spectrum
from residuum.solvers import Solver, resolve_solver

__all__ = ["Residual2Vec"]

_WEIGHTING = 0.5


class Residual2Vec(NullEmbedding):
    """``u_i · v_j ≈ max(ln P_d(j | i) − ln P_0(j | i), floor)``: node vectors debiased by a null model.

    P_d(j | i) is the probability that a random walker in the graph goes from i to j within the window, and P_0(j | i)
    the same probability in the null model.

    Parameters
    ----------
    n_components : int, default 64
        K, the number of dimensions; below the number of nodes.
    null_model : str or NullModel, default "configuration"
        Structure to remove from the vectors: ``"erdos-renyi"`` (nothing), ``"configuration"`` (degree), or an object
        such as ``DegreeCorrectedSBM(groups=labels)`` (degree and label).
    window : int, array or None, default None
        T, the maximum number of steps between center and context, or one weight per step. By default weights
        that fall geometrically, with a mean step that follows from the mean degree: 1.3 in dense graphs, up to 14 in
        sparse ones; about 6 in denser undirected graphs in which degrees explain most of the triangles.
    floor : float, optional
        Clip associations below this value; at most 0, which is the paper's setting. Pairs that no walk connects have
        this value. The default is -3, or 0 in a directed graph most of whose arcs are part of no cycle, such as
        citations, where most pairs cannot be connected.
    weighting : float, default 0.5
        Weight the pair (i, j) by ``(d_i d_j)^weighting`` in the fit; 0 is the paper's setting, 1 that of skip-gram.
    power : float, default 1.0
        Exponent of the singular values, ``σ^power``; above 1 damps dimensions with small σ, which are noisier.
    shrinkage : float, optional
        Subtract this share of the smallest singular value from all of them (soft thresholding); above 1, weak
        dimensions become zero. By default it is read from a sample of edges, which are scored by vectors of their ends
        in the graph without them: about 0 in large graphs, above 1 where K is more than the graph can support.
    scale : float, optional
        Factor of ``u_i · v_j``, from 1e-6 to 1e6. K dimensions capture only part of the association, while the null
        score is complete and otherwise dominates their sum, the full score. By default the maximum-likelihood factor of
        that sample.
        Not read from solvers that do not factorize the matrix, or with ``refine``: there the defaults are 0 and 1,
        and 0.5 for ``alpha``, as for directed graphs.
    refine : int, default 0
        Newton sweeps on the likelihood of skip-gram that start from the factorization, at the cost of
        ``solver="likelihood"``. They help on graphs with more dense communities than dimensions. Where they do not
        raise the likelihood on held-out walks, the vectors are those of ``refine=0``. At most 10,000.
    solver : str or Solver, default "auto"
        ``"exact"``, ``"landmark"`` (a sample of exact columns), ``"block"`` (the paper's block approximation),
        ``"likelihood"`` (Newton sweeps on the likelihood of skip-gram, without ``floor`` and ``weighting``),
        ``"skipgram"`` (walks, with negatives from the null model), or an object with parameters such as
        ``residuum.solvers.Landmark(tolerance=0.05)``. ``"auto"`` is exact for small graphs, landmark for larger graphs,
        block where landmark would be several times slower, and likelihood for large graphs with at least twice as many
        communities as dimensions, unless ``floor``, ``weighting``, ``refine`` or linear erasure ask for a
        factorization; :meth:`plan` estimates the costs.
    alpha : float, optional
        Share of the singular values in ``embedding_``: ``u = σ^α Φ_l`` and ``v = σ^(1−α) Φ_r``. By default 0.5, plus
        half the share of the dimensions that are noise, which a larger share makes shorter in u; in ``u · v`` nothing
        changes. A dimension is noise if the two ends of an edge agree in it no more than in a random graph. Always
        0.5 with groups in the null model or ``erase``, where fewer dimensions would keep more of what is removed.
    erase : str, array, mapping or list, optional
        Attribute to erase from the vectors: ``"degree"``, ``"null"`` (the groups of the null model), the name of a node
        attribute, labels, numbers or time stamps by node id or as an array, or a list or dict of these.
    erase_level : {"linear", "distribution"}, default "linear"
        What erasure guarantees for the nodes of the graph. ``"linear"``: groups have the same mean vector, so no linear
        model predicts the attribute, and labels have equal covariances and marginal distributions; nearest neighbors
        and other non-linear models may still predict it, in most graphs no better than before erasure. Numbers in a
        directed graph at floor 0 are erased from the long vectors only. ``"distribution"``: groups have the same
        distribution of vectors, so no model of any kind predicts it from the vectors. The latter costs more accuracy in
        link prediction. Neither protects from an attacker who has the graph. Groups with fewer than ten nodes are
        merged.
    erase_strength : float, default 1.0
        From 0, no erasure, to 1, the guarantee of the level. Between, each node moves part of the way, which trades
        leakage for accuracy.
    memory_limit : int or str, optional
        Memory for the solver's arrays, in bytes or as a string such as ``"8GiB"``; half of the free memory by default.
    checkpoint : path, optional
        Folder for intermediate results. An interrupted run resumes from it and ends with the same result; delete it
        when the run is complete.
    n_jobs : int, optional
        Number of threads; all cores by default.
    random_state : int, Generator or None
        Seed. The same seed gives identical results at any number of threads; with ``"skipgram"`` only at one.
    progress : callable, optional
        Called with a :class:`residuum.ProgressEvent` during the fit.

    Attributes
    ----------
    embedding_, context_embedding_ : float32 arrays of shape (N, K)
        u and v; source and target vectors of a directed graph. Nodes without out-edges have zero source vectors, nodes
        without in-edges zero target vectors.
    offset_ : array of shape (N,)
        z_j, the log marginal probability of each node under the null model; −inf for isolated nodes.
    singular_values_ : array of shape (K,)
        Singular values of the factors, before ``power``, ``shrinkage`` and ``scale``; with ``"skipgram"``, those of the
        matrix of all ``u_i · v_j``.
    node_ids_ : array of shape (N,)
        Node ids, in the order of the rows.
    solver_ : str
        Name of the solver used.
    approximation_error_ : float or None
        Square root of the share of what the best factors of the same rank capture, beyond the common level, and these
        do not: near 0 for the best factors, 1 if they capture nothing, above 1 if they are worse than nothing; None if
        unknown. ``"exact"`` estimates it from its residuals, ``"landmark"`` measures it on columns that take no part in
        the fit. For ``"block"``, the error of the block approximation of the matrix, which is considerably larger;
        for ``"likelihood"``, the share of the gain in likelihood that more sweeps would add, extrapolated.
    solver_details_ : dict
        Depending on the solver: passes, landmarks, clusters, exact steps and share of tiles kept; or number of pairs,
        loss per epoch and ``ln k`` ("shift"); or the loss on held-out pairs after each sweep. "check" is the error of
        the factors on exact rows of the matrix. What the defaults were read from: "effective_degree",
        "noise_eigenvalue" and "triangles_by_degree" (window; the share of the triangles that degrees explain, if that
        made the window longer), "weight_in_cycles" (floor, of directed graphs), "left_out_edges" and
        "remaining_dimensions" (shrinkage and scale), "signal_dimensions" (alpha), "noise_leakage" (how much of an edge
        the weakest dimension contains beyond the rows of its ends: 0 far above the noise of the spectrum, 1 at its
        edge).
    window_ : array of shape (T,)
        Weight of each step.
    floor_ : float
        Floor in use.
    shrinkage_, scale_, alpha_ : float
        Shrinkage, scale and alpha in use.
    null_model_ : NullModel
        The null model, unfitted.
    null_ : FittedNull
        The fitted null model.
    erased_ : list of str
        Names of the erased attributes.
    n_features_in_ : int
        Number of nodes.

    See Also
    --------
    residuum.Residual2VecCV : Tunes window, floor and other parameters on held-out edges.

    References
    ----------
    Kojaku, Yoon, Constantino, Ahn: Residual2Vec: Debiasing graph embedding with random graphs. NeurIPS 2021.

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

    method_name: ClassVar[str] = "residual2vec"
    method_summary: ClassVar[str] = "random walks relative to a null model of your choice (default)"

    def __init__(
        self,
        n_components: int = 64,
        *,
        null_model: str | NullModel = "configuration",
        window: int | ArrayLike | None = None,
        floor: float | None = None,
        weighting: float = _WEIGHTING,
        power: float = 1.0,
        shrinkage: float | None = None,
        scale: float | None = None,
        refine: int = 0,
        solver: str | Solver = "auto",
        alpha: float | None = None,
        erase: Any = None,
        erase_level: str = "linear",
        erase_strength: float = 1.0,
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
        self.erase_level = erase_level
        self.erase_strength = erase_strength
        self.memory_limit = memory_limit
        self.checkpoint = checkpoint
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress

    def _settings(self) -> Settings:
        return Settings(
            null_model=resolve_null_model(self.null_model),
            window=None if self.window is None else window_weights(self.window),
            solver=resolve_solver(self.solver),
            floor=None
            if self.floor is None
            else check_real("floor", self.floor, maximum=0.0, why="otherwise unreachable pairs score too high"),
            weighting=check_real("weighting", self.weighting, minimum=0.0, maximum=1.0),
            spectrum=Spectrum(
                alpha=0.5 if self.alpha is None else check_real("alpha", self.alpha, minimum=0.0, maximum=1.0),
                power=check_positive("power", self.power),
                shrinkage=0.0 if self.shrinkage is None else check_real("shrinkage", self.shrinkage, minimum=0.0),
                scale=1.0
                if self.scale is None
                else check_real("scale", self.scale, minimum=1e-6, maximum=1e6, why="vectors are in single precision"),
            ),
            to_read=frozenset(name for name in self._readable() if getattr(self, name) is None),
            refine=check_integer("refine", self.refine, minimum=0, maximum=MOST_SWEEPS),
            erase=self.erase,
            erase_level=check_choice("erase_level", self.erase_level, ERASE_LEVELS),
            erase_strength=check_real("erase_strength", self.erase_strength, minimum=0.0, maximum=1.0),
            by_likelihood=self._by_likelihood(),
            memory_limit=self.memory_limit,
            checkpoint=self.checkpoint,
        )

    def _readable(self) -> tuple[str, ...]:
        """Return the names of what is read off the graph after the factorization; erasure is tested at alpha 1/2."""
        return ("shrinkage", "scale", "alpha") if self.erase is None else ("shrinkage", "scale")

    def _by_likelihood(self) -> bool:
        """Return whether the defaults of what only a factorization has are unchanged."""
        projects = self.erase is not None and self.erase_level == "linear"
        return self.floor is None and (self.weighting, self.refine) == (_WEIGHTING, 0) and not projects
