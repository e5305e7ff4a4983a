"""Writing, opening and verification of graphs on disk (``.r2g``)."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from residuum._progress import ProgressCallback, Stage
from residuum.errors import GraphFileError
from residuum.graph.disk.arrays import WAY_OUT, FileRecord, check_size, checksum_of_file, map_array
from residuum.graph.disk.nodes import read_nodes
from residuum.graph.disk.rows import Rows, map_rows, row_runs
from residuum.graph.disk.writer import ENDING, FORMAT, HEADER, NODES, REVERSE, VERSION, GraphWriter, graph_folder
from residuum.graph.graph import Graph

__all__ = ["is_on_disk", "open_graph", "origin_of", "verify_graph", "write_graph"]

_ENTRIES_AT_ONCE = 4 << 20
_KEYS = {"n_nodes": int, "n_entries": int, "n_edges": int, "directed": bool, "weighted": bool, "files": dict}


def write_graph(graph: Graph, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
    """Write a graph to a folder that :func:`read_graph` opens by memory mapping.

    ========================================  =============================================================
    file                                      content
    ========================================  =============================================================
    ``header.json``                           format, version, and the size and checksum of each file
    ``indptr indices weights`` (``.npy``)     adjacency in CSR form; int32 indices (int64 from 2³¹),
                                              float32 weights if that is exact, else float64
    ``reverse_indptr`` … (``.npy``)           transposed adjacency, for directed graphs only
    ``out_strength in_strength`` (``.npy``)   row and column sums; only ``out_strength`` if undirected
    ``nodes.parquet``                         node ids in the column ``node``, and node attributes
    ========================================  =============================================================

    Parameters
    ----------
    graph : Graph
        Graph whose ids are all integers or all strings.
    path : str or path
        Folder to create; must end in ``.r2g``.
    overwrite : bool, default=False
        Whether to replace an existing graph, once the new one is complete.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> write_graph(Graph([[0, 2], [2, 0]], ["a", "b"]), f"{folder.name}/pair.r2g")
    >>> open_graph(f"{folder.name}/pair.r2g")
    Graph(2 nodes, 1 edge, undirected, weighted)
    >>> folder.cleanup()
    """
    matrix = graph.adjacency
    with graph_folder(path, overwrite=overwrite) as folder:
        writer = GraphWriter(folder, graph.n_nodes, directed=graph.directed)
        for first, last in row_runs(matrix.indptr, _ENTRIES_AT_ONCE):
            part = slice(matrix.indptr[first], matrix.indptr[last])
            lengths = np.diff(matrix.indptr[first : last + 1]).astype(np.int64)
            writer.append(Rows(lengths, matrix.indices[part], matrix.data[part]))
        writer.finish(graph.node_ids, graph.node_attributes)


def is_on_disk(path: Path) -> bool:
    """Return whether a path is a folder that contains, or by its name should contain, a graph.

    Parameters
    ----------
    path : Path
        Path of a file or folder.

    Returns
    -------
    bool
        True for folders that end in ``.r2g`` or contain ``header.json``.
    """
    return path.is_dir() and (path.suffix == ENDING or (path / HEADER).is_file())


def open_graph(path: str | os.PathLike[str]) -> Graph:
    """Open a graph on disk.

    Sizes and types of all files are checked against the header; :func:`verify_graph` checks their content, too.

    Parameters
    ----------
    path : str or path
        Folder written by :func:`write_graph`.

    Returns
    -------
    Graph
        Graph with read-only arrays that are memory-mapped and read on first use.

    Raises
    ------
    GraphFileError
        If a file is missing, damaged or does not match the header.
    """
    folder = Path(path)
    header = _read_header(folder)
    files: dict[str, FileRecord] = header["files"]
    for name, record in files.items():
        check_size(folder / name, record)
    arrays = {name.removesuffix(".npy"): record for name, record in files.items()}
    try:
        adjacency = map_rows(folder, arrays)
        strengths = {name: map_array(folder / f"{name}.npy", arrays[name]) for name in _strength_names(header)}
        reverse = map_rows(folder, arrays, REVERSE) if header["directed"] else adjacency
    except KeyError as error:
        raise GraphFileError(f"{folder / HEADER} does not list the file {error.args[0]!r}. {WAY_OUT}.") from error
    if (adjacency.shape[0], len(adjacency.indices), len(adjacency.data)) != (
        header["n_nodes"],
        header["n_entries"],
        header["n_entries"],
    ):
        raise GraphFileError(f"the sizes of the arrays in {folder} differ from those in {HEADER}. {WAY_OUT}.")
    ids, attributes = read_nodes(folder / NODES, header["n_nodes"])
    known = {
        "n_edges": header["n_edges"],
        "is_weighted": header["weighted"],
        "in_strength": strengths["out_strength"],
        **strengths,
        "reversed_adjacency": reverse,
    }
    return Graph.trusted(adjacency, ids, directed=header["directed"], node_attributes=attributes, known=known)


def origin_of(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the description of how a graph on disk was made.

    Parameters
    ----------
    path : str or path
        Folder written by :class:`GraphWriter`.

    Returns
    -------
    dict
        The ``origin`` that was passed to :meth:`GraphWriter.finish`; empty if there was none.
    """
    return dict(_read_header(Path(path)).get("origin", {}))


def verify_graph(path: str | os.PathLike[str], progress: ProgressCallback | None = None) -> Graph:
    """Open a graph on disk and check the checksum of every file.

    Parameters
    ----------
    path : str or path
        Folder written by :func:`write_graph` or :func:`convert`.
    progress : callable, optional
        Called with a :class:`ProgressEvent` after each file.

    Returns
    -------
    Graph
        The verified graph, memory-mapped.

    Raises
    ------
    GraphFileError
        If a file is missing or was changed.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> write_graph(Graph([[0, 2], [2, 0]]), f"{folder.name}/pair.r2g")
    >>> verify_graph(f"{folder.name}/pair.r2g")
    Graph(2 nodes, 1 edge, undirected, weighted)
    >>> folder.cleanup()
    """
    folder = Path(path)
    graph = open_graph(folder)
    files: dict[str, FileRecord] = _read_header(folder)["files"]
    stage = Stage("verifying", sum(record["bytes"] for record in files.values()), progress)
    for name, record in files.items():
        if checksum_of_file(folder / name, is_array=record["dtype"] is not None) != record["checksum"]:
            raise GraphFileError(
                f"{folder / name} was changed after it was written: its checksum differs from {HEADER}. {WAY_OUT}."
            )
        stage.advance(record["bytes"])
    return graph


def _read_header(folder: Path) -> dict[str, Any]:
    file = folder / HEADER
    if not file.is_file():
        raise GraphFileError(f"{folder} is not a graph: it has no {HEADER}. {WAY_OUT}.")
    try:
        header = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise GraphFileError(f"{file} is damaged: {error}. {WAY_OUT}.") from error
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise GraphFileError(f"{folder} is not a graph: the format in {HEADER} is not {FORMAT!r}. {WAY_OUT}.")
    if header.get("version") != VERSION:
        raise GraphFileError(
            f"{folder} has format version {header.get('version')}, but this residuum reads version {VERSION}. "
            "Update residuum, or recreate the graph with 'residuum convert'."
        )
    for name, kind in _KEYS.items():
        if not isinstance(header.get(name), kind):
            raise GraphFileError(f"{file} is damaged: {name!r} is missing or has the wrong type. {WAY_OUT}.")
    return header


def _strength_names(header: dict[str, Any]) -> list[str]:
    return ["out_strength", "in_strength"] if header["directed"] else ["out_strength"]
