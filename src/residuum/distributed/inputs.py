"""Edges that the user passes, a folder that the workers see or a dask data frame, as a partitioned graph."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from residuum._checkpoint import open_checkpoint
from residuum._progress import ProgressCallback
from residuum._validation import import_extra
from residuum._version import __version__
from residuum.distributed.cluster import Cluster
from residuum.distributed.graph import PartitionedGraph, partition_graph
from residuum.distributed.stages import Stages
from residuum.errors import InvalidParameterError

__all__ = ["input_identity", "shared_edges", "shared_graph"]


def shared_graph(
    cluster: Cluster,
    home: Path,
    edges: Any,
    directed: bool | None,
    n_partitions: int | None,
    columns: Mapping[str, str | None],
    progress: ProgressCallback | None = None,
) -> PartitionedGraph:
    """Return the partitioned graph of edges, which is built once in a folder.

    Parameters
    ----------
    cluster : Cluster
        Workers.
    home : Path
        Folder on storage that client and workers share.
    edges : path or dask DataFrame
        Edges.
    directed : bool or None
        Whether edges have a direction; None for what the files say.
    n_partitions : int or None
        Number of parts of the nodes.
    columns : mapping
        Names of the columns ``source``, ``target`` and ``weight``, or None.
    progress : callable, optional
        Called with the progress.

    Returns
    -------
    PartitionedGraph
        The graph.

    Raises
    ------
    ClusterError
        If a worker does not see the folder.
    CheckpointError
        If the folder holds another graph.
    """
    run = {
        "residuum": __version__,
        "edges": input_identity(edges),
        "directed": directed,
        "columns": dict(columns),
        "n_partitions": n_partitions,
    }
    cluster.check_storage(home)
    open_checkpoint(home / "graph", run)
    stages = Stages(home / "graph")
    path = shared_edges(edges, stages)
    return partition_graph(
        cluster, stages, path, directed=directed, n_partitions=n_partitions, progress=progress, **columns
    )


def input_identity(edges: Any) -> list[Any]:
    """Return what identifies edges, so that checkpoints of other edges are refused.

    Parameters
    ----------
    edges : path or dask DataFrame
        Edges.

    Returns
    -------
    list
        Path with the names, sizes and times of its files, or the token of the data frame, as JSON values.

    Raises
    ------
    InvalidParameterError
        If it is neither.
    """
    if _is_dask_frame(edges):
        dask: Any = import_extra("dask", "distributed")
        return ["dask", dask.base.tokenize(edges)]
    if not isinstance(edges, (str, os.PathLike)):
        raise InvalidParameterError(
            "edges on a cluster must be the path of a folder of parquet files or of an .r2g, or a dask data frame; got "
            f"{type(edges).__name__}. Write them with to_parquet, or use Residual2Vec on one machine."
        )
    path = Path(edges).absolute()
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
    return [str(path), [[file.name, file.stat().st_size, file.stat().st_mtime_ns] for file in files]]


def shared_edges(edges: Any, stages: Stages) -> Path:
    """Return the path of the edges; write a dask data frame to shared storage first.

    Parameters
    ----------
    edges : path or dask DataFrame
        Edges.
    stages : Stages
        Shared storage.

    Returns
    -------
    Path
        Folder or file that the workers see.
    """
    if not _is_dask_frame(edges):
        return Path(edges).absolute()
    folder = stages.path("edges")

    def write() -> dict[str, Any]:
        edges.to_parquet(str(folder), write_index=False, overwrite=True)
        return {"folder": str(folder)}

    stages.record("edges", write)
    return folder


def _is_dask_frame(edges: Any) -> bool:
    return hasattr(edges, "to_parquet") and hasattr(edges, "npartitions")
