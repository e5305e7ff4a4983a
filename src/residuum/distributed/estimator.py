"""The residual2vec estimator on a Dask cluster."""

import os
import shutil
import tempfile
import weakref
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._checkpoint import open_checkpoint
from residuum._progress import ProgressCallback, check_progress
from residuum._random import as_generator
from residuum._threads import thread_limit
from residuum._validation import check_integer, import_extra
from residuum._version import __version__
from residuum.distributed.attributes import as_numbers
from residuum.distributed.cluster import Cluster
from residuum.distributed.equalizing import equalize_parts
from residuum.distributed.factors import PartitionedFactors
from residuum.distributed.graph import PartitionedGraph
from residuum.distributed.inputs import shared_graph
from residuum.distributed.matrix import PartitionedMatrix, PartitionedWindow
from residuum.distributed.solving import chosen_solver, read_spectrum, solve
from residuum.distributed.stages import Stages
from residuum.distributed.support import check_support
from residuum.distributed.trend import subtract_trend_of_parts
from residuum.distributed.vectors import PartitionedVectors, VectorPart
from residuum.errors import ClusterError, InvalidParameterError
from residuum.models import Residual2Vec
from residuum.models.base import checked_components
from residuum.models.erasing import plan_erasure
from residuum.models.estimator import Estimator
from residuum.models.notices import warn_about_groups, warn_about_structure
from residuum.models.null_embedding import Settings
from residuum.models.record import checksum, describe, null_record, restore_generator
from residuum.nulls import NullModel
from residuum.residual import Erasure, Spectrum
from residuum.solvers import Solver

__all__ = ["DaskResidual2Vec"]

# Parameters that Residual2Vec does not have.
_OWN = {"client", "n_partitions"}
# Parameters that a clone shares.
_SHARED = ("client", "progress")


class DaskResidual2Vec(Estimator):
    """:class:`residuum.Residual2Vec` for graphs that do not fit one machine, on the workers of a Dask cluster.

    The same random state gives the vectors of :class:`residuum.Residual2Vec` with the same solver, up to rounding,
    whatever the number of workers and partitions. The adjacency matrix is partitioned by rows and columns into files on
    storage that client and workers share; workers run the kernels of the local solvers on these. The client holds
    vectors of the size of the nodes, and never anything of the size of the edges or of the embedding. Workers that are
    lost are replaced by others, and a run that is started again with the same ``checkpoint`` continues after the last
    complete stage.

    Parameters
    ----------
    n_components : int, default 64
        K, the number of dimensions.
    client : dask.distributed.Client, optional
        Connection to the scheduler; the current client by default.
    null_model : str or NullModel, default "configuration"
        Structure to remove from the vectors; any null model in block form whose groups are set.
    window : int, array or None, default None
        As in :class:`residuum.Residual2Vec`.
    floor : float, optional
        Clip associations below this value. The default is -3 for undirected graphs; directed graphs need a value.
    weighting, power : float
        As in :class:`residuum.Residual2Vec`.
    shrinkage, scale : float, optional
        As in :class:`residuum.Residual2Vec`; read from left-out edges by default.
    refine : int, default 0
        Number of likelihood sweeps after a factorization.
    solver : {"auto", "landmark", "block", "likelihood"} or Solver, default "auto"
        Solver by name or as an object, such as ``Landmark(n_landmarks=…)``. "auto" maximizes the likelihood where
        :class:`residuum.Residual2Vec` would, and uses landmarks otherwise.
    alpha : float, optional
        As in :class:`residuum.Residual2Vec`.
    erase : str, array, mapping or list, optional
        Attribute to erase from the vectors, as in :class:`residuum.Residual2Vec`.
    erase_level : {"linear", "distribution"}, default "linear"
        As in :class:`residuum.Residual2Vec`.
    erase_strength : float, default 1.0
        From 0, no erasure, to 1.
    n_partitions : int, optional
        Number of parts of the nodes; the matrix has its square of blocks. More parts need less memory per worker, and
        exchange more between workers. By default as few as the memory of the workers allows.
    checkpoint : path, optional
        Folder on storage that client and workers share, for the partitioned graph, sampled columns and vectors. An
        interrupted run resumes from it. By default a temporary folder, which all workers must see.
    random_state : int, Generator or None
        Seed.
    progress : callable, optional
        Called with a :class:`residuum.ProgressEvent` during the fit.

    Attributes
    ----------
    vectors_ : PartitionedVectors
        Vectors on shared storage; ``vectors_.write(folder)`` writes them as parquet files with node ids.
    singular_values_, window_, floor_, shrinkage_, scale_, alpha_, solver_, approximation_error_, solver_details_
        Outcome of the fit, as in :class:`residuum.Residual2Vec`.
    graph_ : PartitionedGraph
        The training graph.
    n_features_in_ : int
        Number of nodes.

    Examples
    --------
    >>> import pyarrow as pa, pyarrow.parquet as pq
    >>> from distributed import Client
    >>> from residuum import datasets
    >>> from residuum.solvers import Landmark
    >>> edges = datasets.planted_groups(300, 3, random_state=0).to_pandas()
    >>> with tempfile.TemporaryDirectory() as folder, Client(processes=False, dashboard_address=":0") as client:
    ...     pq.write_table(pa.Table.from_pandas(edges), f"{folder}/edges.parquet")
    ...     model = DaskResidual2Vec(2, client=client, window=3, solver=Landmark(n_landmarks=250), random_state=0)
    ...     model.fit(f"{folder}/edges.parquet").vectors_.write(f"{folder}/vectors")
    ...     pq.read_table(f"{folder}/vectors").num_rows
    300
    """

    def __init__(
        self,
        n_components: int = 64,
        *,
        client: Any = None,
        null_model: str | NullModel = "configuration",
        window: int | ArrayLike | None = None,
        floor: float | None = None,
        weighting: float = 0.5,
        power: float = 1.0,
        shrinkage: float | None = None,
        scale: float | None = None,
        refine: int = 0,
        solver: str | Solver = "auto",
        alpha: float | None = None,
        erase: Any = None,
        erase_level: str = "linear",
        erase_strength: float = 1.0,
        n_partitions: int | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        random_state: Any = None,
        progress: ProgressCallback | None = None,
    ) -> None:
        self.n_components = n_components
        self.client = client
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
        self.n_partitions = n_partitions
        self.checkpoint = checkpoint
        self.random_state = random_state
        self.progress = progress

    def __sklearn_clone__(self) -> "DaskResidual2Vec":
        """Return an unfitted copy for :func:`sklearn.base.clone`; it shares the connection, which cannot be copied."""
        parameters = self.get_params(deep=False)
        copied = {name: deepcopy(value) for name, value in parameters.items() if name not in _SHARED}
        return type(self)(**{name: parameters[name] for name in _SHARED}, **copied)

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        directed: bool | None = None,
        source: str | None = None,
        target: str | None = None,
        weight: str | None = None,
    ) -> Self:
        """Embed a graph.

        Parameters
        ----------
        X : path, dask DataFrame or PartitionedGraph
            Folder of parquet files with one edge per row, as Spark, Polars or DuckDB write them; an ``.r2g`` folder; or
            a dask data frame. Files are read by the workers, so they must see them under this path.
        y : ignored
            Present for compatibility with scikit-learn.
        directed : bool, optional
            Whether edges have a direction; by default as an ``.r2g`` says, otherwise False.
        source, target, weight : str, optional
            Names of the columns; detected by default.

        Returns
        -------
        self
            The fitted estimator.
        """
        del y
        check_progress(self.progress)
        settings, rng = self._settings(), as_generator(self.random_state)
        if isinstance(X, PartitionedGraph):
            graph = X
        else:
            graph = self._partitioned(X, directed, {"source": source, "target": target, "weight": weight})
        with thread_limit(None):
            self._fit(graph, settings, graph.grid.home.folder.parent, rng)
        return self

    def _settings(self) -> Settings:
        """Return the checked parameters; refuse what only one machine can do."""
        if self.n_partitions is not None:
            check_integer("n_partitions", self.n_partitions, minimum=1)
        shared = {name: value for name, value in self.get_params(deep=False).items() if name not in _OWN}
        settings = Residual2Vec(**shared)._settings()
        check_support(settings, self.solver)
        return settings

    def _partitioned(self, X: Any, directed: bool | None, columns: dict[str, str | None]) -> PartitionedGraph:
        """Return the graph on shared storage; a temporary folder is deleted with the last object that uses it."""
        cluster = Cluster(_client(self.client))
        if self.checkpoint is not None:
            home = Path(self.checkpoint).absolute()
            home.mkdir(parents=True, exist_ok=True)
            return shared_graph(cluster, home, X, directed, self.n_partitions, columns, self.progress)
        home = Path(tempfile.mkdtemp(prefix="residuum-"))
        try:
            graph = shared_graph(cluster, home, X, directed, self.n_partitions, columns, self.progress)
        except BaseException:
            shutil.rmtree(home, ignore_errors=True)
            raise
        weakref.finalize(graph.grid.home, shutil.rmtree, home, ignore_errors=True)
        return graph

    def _fit(self, graph: PartitionedGraph, settings: Settings, home: Path, rng: np.random.Generator) -> None:
        n_components = checked_components(self.n_components, graph)
        if settings.floor is None and graph.directed:
            raise InvalidParameterError(
                "floor must be set for a directed graph on a cluster, because the share of its arcs that are part of a "
                "cycle is not computed there; use floor=0 for citations and other graphs in order of time, else "
                "floor=-3 (--floor)."
            )
        (window, of_window), (floor, of_floor) = settings.window_on(graph), settings.floor_on(graph)
        null = settings.null_model.fit(graph, window)
        erasing = plan_erasure(graph, null, floor, settings.erase, settings.erase_level, settings.erase_strength)
        erasure = erasing.erasure
        warn_about_structure(graph, count_connected=False)
        if self.random_state is None:
            restore_generator(home / "fit", rng)
        run = {
            "n_components": n_components,
            "window": window.tolist(),
            "floor": floor,
            "null_model": null_record(settings.null_model, null),
            "generator": rng.bit_generator.state,
        }
        open_checkpoint(home / "fit", run | _run_record(settings, erasure))
        graph.grid = replace(graph.grid, stages=Stages(home / "fit"))
        walks = PartitionedWindow(graph, window)
        matrix = PartitionedMatrix(walks, null, floor, settings.weighting, erasing.projected)
        # Drawn first, as on one machine, so that the landmarks are the same.
        cells = erasing.cells()
        moves = None if cells is None else np.random.default_rng(rng.integers(2**63))
        solver = settings.solver or chosen_solver(matrix, settings, n_components)
        if solver.factorizes:
            warn_about_groups(null, floor, erasure)
        factors = solve(matrix, solver, n_components, settings.refine, rng, self.progress)
        spectrum, reading = read_spectrum(matrix, factors, settings.spectrum, settings.to_read)
        self._set_solution(graph, matrix, settings, factors, spectrum)
        self.solver_, self.erased_ = solver.name, [] if erasure is None else erasure.names
        self.solver_details_ = {**factors.details, **of_window, **of_floor, **reading}
        part = self._vectors(graph, matrix, spectrum, factors)
        if erasing.by_trend and erasure is not None:
            part = subtract_trend_of_parts(graph.cluster, part, erasure)
        if cells is not None and moves is not None:
            strength, keep_means = settings.erase_strength, erasing.keeps_means
            part = equalize_parts(graph.cluster, part, cells, strength, moves, keep_means=keep_means)
        self.vectors_ = PartitionedVectors(graph.cluster, part, graph.directed, describe(self))

    def _set_solution(
        self,
        graph: PartitionedGraph,
        matrix: PartitionedMatrix,
        settings: Settings,
        factors: PartitionedFactors,
        spectrum: Spectrum,
    ) -> None:
        self.graph_, self.n_features_in_ = graph, graph.n_nodes
        self.window_, self.floor_ = matrix.probabilities.window, matrix.floor
        self.shrinkage_, self.scale_, self.alpha_ = spectrum.shrinkage, spectrum.scale, spectrum.alpha
        self.null_model_ = settings.null_model
        self.singular_values_, self.approximation_error_ = factors.values, factors.error

    def _vectors(
        self, graph: PartitionedGraph, matrix: PartitionedMatrix, spectrum: Spectrum, factors: PartitionedFactors
    ) -> VectorPart:
        """Return the vectors, as the factors on shared storage times their lengths."""
        stages = graph.grid.stages
        stages.array("offset", lambda: matrix.null.offset)
        stages.array("source-offset", lambda: matrix.null.source_offset)
        left, right = spectrum.lengths(factors.values)
        lengths = _signed(left, factors.left_signs), _signed(right, factors.right_signs)
        return VectorPart(graph.grid, (factors.left.name, factors.right.name), lengths)


def _run_record(settings: Settings, erasure: Erasure | None) -> dict[str, Any]:
    """Return the parameters that determine the stages of a run; those of the spectrum only where erasure follows it."""
    record = {
        "residuum": __version__,
        "weighting": settings.weighting,
        "solver": repr(settings.solver),
        "refine": settings.refine,
    }
    if erasure is None:
        return record | {"erased": []}
    values = checksum(*(as_numbers(part).values for part in erasure.parts))
    spectrum = [repr(settings.spectrum), sorted(settings.to_read)]
    return record | {"erased": [*erasure.names, values, settings.erase_level, erasure.strength, spectrum]}


def _signed(lengths: NDArray[np.float64], signs: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(lengths * signs, dtype=np.float32)


def _client(client: Any) -> Any:
    """Return the client of the user, or the current one."""
    if client is not None:
        return client
    distributed: Any = import_extra("distributed", "distributed")
    try:
        return distributed.get_client()
    except ValueError:
        raise ClusterError(
            "there is no Dask client; pass client=distributed.Client(address), or client=distributed.Client() for "
            "workers on this machine."
        ) from None
