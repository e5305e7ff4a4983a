"""``residuum embed --scheduler``: the estimator on a Dask cluster, from the options of the command."""

import contextlib
import json
import logging
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from residuum._validation import import_extra
from residuum.cli.display import printed_log
from residuum.cli.method_options import fitting_dim, model_from_options
from residuum.cli.progress import interruptible, progress_bar
from residuum.distributed import DaskResidual2Vec, PartitionedGraph
from residuum.distributed.cluster import Cluster
from residuum.distributed.inputs import shared_graph
from residuum.distributed.vectors import check_vectors_folder
from residuum.errors import ClusterError, InvalidParameterError

__all__ = ["embed_on_cluster"]

_log = logging.getLogger("residuum")
_LOCAL = "local"
# Options without a meaning on a cluster, and what to do instead.
_REFUSED = {
    "method": "a cluster has --method residual2vec only",
    "tune": "tune the parameters on a sample of the graph on one machine, then set them here",
    "model_folder": "models are saved on one machine only",
    "memory": "set the memory of the workers where they are started",
    "threads": "set the threads of the workers where they are started",
    "header": "parquet files name their columns",
    "delimiter": "parquet files have no delimiter",
}
_COLUMNS = ("source", "target", "weight")


def embed_on_cluster(edges: Path, output: Path, options: dict[str, Any], explicit: set[str]) -> None:
    """Embed a graph on a cluster, and write a folder of parquet files.

    Parameters
    ----------
    edges : Path
        Folder of parquet files, or an ``.r2g``.
    output : Path
        Folder of the vectors.
    options : dict of name to value
        All options of the command.
    explicit : set of str
        Names of the options on the command line.
    """
    for name in sorted(explicit & set(_REFUSED)):
        if name != "method" or options["method"] != "residual2vec":
            option = "model" if name == "model_folder" else name
            raise InvalidParameterError(f"--{option} does not apply to --scheduler: {_REFUSED[name]}; leave it out.")
    check_vectors_folder(output, overwrite=options["overwrite"])
    source, place = edges.resolve(), output.resolve()
    if place.is_relative_to(source) or source.is_relative_to(place):
        raise InvalidParameterError(
            f"{output} is, lies in, or contains the input {edges}; choose another output folder."
        )
    began = time.perf_counter()
    with (
        interruptible(options["checkpoint"]),
        printed_log(options["verbose"]),
        progress_bar(options["quiet"]) as progress,
        _client(options["scheduler"]) as client,
        _home(options["checkpoint"]) as home,
    ):
        columns = {name: options[name] for name in _COLUMNS}
        graph = shared_graph(
            Cluster(client), home, edges, options["directed"], options["partitions"], columns, progress
        )
        model = _model(graph, options, explicit, progress).fit(graph)
        model.vectors_.write(output, overwrite=options["overwrite"], progress=progress)
    if options["as_json"]:
        click.echo(json.dumps({**model.vectors_.metadata, "output": str(output)}, indent=2, ensure_ascii=False))
    elif not options["quiet"]:
        parts, seconds = model.graph_.grid.n_parts, time.perf_counter() - began
        click.echo(
            f"{output}: {graph.n_nodes} nodes, {len(model.singular_values_)} dimensions, {model.solver_} solver, "
            f"{parts} file{'s' if parts > 1 else ''}, {seconds:.1f} s"
        )


def _model(graph: PartitionedGraph, options: dict[str, Any], explicit: set[str], progress: Any) -> DaskResidual2Vec:
    """Return the estimator with what the options say, as for one machine."""
    options = {**options, "dim": fitting_dim(options["dim"], graph), "tune": None}
    local = model_from_options(graph, options, explicit, progress).get_params(deep=False)
    known = DaskResidual2Vec().get_params(deep=False)
    shared = {name: value for name, value in local.items() if name in known}
    return DaskResidual2Vec(**shared, client=graph.cluster.client, n_partitions=options["partitions"])


@contextlib.contextmanager
def _client(scheduler: str) -> Iterator[Any]:
    """Yield a client of the scheduler, or of one worker process per core of this machine."""
    distributed: Any = import_extra("distributed", "distributed")
    if scheduler == _LOCAL:
        cluster = distributed.LocalCluster(threads_per_worker=1, dashboard_address=":0")
        _log.info("dashboard: %s", cluster.dashboard_link)
        with cluster, distributed.Client(cluster) as client:
            yield client
        return
    try:
        client = distributed.Client(scheduler)
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"no scheduler answers at {scheduler}; start one with 'dask scheduler', and name its address, such as "
            "tcp://10.0.0.1:8786, or use --scheduler local for worker processes on this machine."
        ) from error
    with client:
        yield client


@contextlib.contextmanager
def _home(checkpoint: Path | None) -> Iterator[Path]:
    """Yield the folder on shared storage: that of ``--checkpoint``, or a temporary one."""
    if checkpoint is None:
        with tempfile.TemporaryDirectory(prefix="residuum-") as folder:
            yield Path(folder)
        return
    home = checkpoint.absolute()
    home.mkdir(parents=True, exist_ok=True)
    yield home
