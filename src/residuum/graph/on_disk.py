"""Graphs on disk (``.r2g``): a folder whose arrays are mapped into memory, so that opening it reads nothing."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from residuum._progress import ProgressCallback, Stage
from residuum.errors import GraphFileError
from residuum.graph.array_file import WAY_OUT, FileRecord, check_size, checksum_of_file, map_array
from residuum.graph.disk_writer import ENDING, FORMAT, HEADER, NODES, REVERSE, VERSION, GraphWriter, graph_folder
from residuum.graph.graph import Graph
from residuum.graph.node_file import read_nodes
from residuum.graph.row_files import Rows, map_rows, row_runs

__all__ = ["is_on_disk", "open_graph", "origin_of", "verify_graph", "write_graph"]

_ENTRIES_AT_ONCE = 4 << 20
_KEYS = {"n_nodes": int, "n_entries": int, "n_edges": int, "directed": bool, "weighted": bool, "files": dict}


def write_graph(graph: Graph, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
    """Write a graph to a folder that ``read_graph`` opens at once, however large it is.

    ========================================  =============================================================
    file                                      content
    ========================================  =============================================================
    ``header.json``                           format, version, sizes, and length and checksum of each file
    ``indptr indices weights`` (``.npy``)     the adjacency in CSR; int32 (int64 beyond 2³¹), and float32
                                              where that loses nothing, else float64
    ``reverse_indptr`` … (``.npy``)           its transpose, for directed graphs only
    ``out_strength in_strength`` (``.npy``)   row and column sums; one of them if undirected
    ``nodes.parquet``                         the ids in the column ``node``, and the node attributes
    ========================================  =============================================================

    Parameters
    ----------
    graph : Graph
        With ids that are all whole numbers or all texts.
    path : path that ends in ``.r2g``
    overwrite : bool
        Whether a graph that is there is replaced; it stays until the new one is complete.

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
    """Whether ``path`` is, or was meant to be, a graph folder."""
    return path.is_dir() and (path.suffix == ENDING or (path / HEADER).is_file())


def open_graph(path: str | os.PathLike[str]) -> Graph:
    """Open a graph folder; its arrays are mapped from the files, read-only, and read where they are used.

    Lengths and types of all files are checked against the header; for their content see :func:`verify_graph`.
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
        raise GraphFileError(f"the arrays of {folder} are not of the sizes that {HEADER} says. {WAY_OUT}.")
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
    """Return what was written about how the graph was made."""
    return dict(_read_header(Path(path)).get("origin", {}))


def verify_graph(path: str | os.PathLike[str], progress: ProgressCallback | None = None) -> Graph:
    """Open a graph folder and compare the checksum of every file, which reads them all.

    Parameters
    ----------
    path : path of a graph folder
    progress : callable, optional

    Returns
    -------
    Graph
        The graph, which is as it was written.
    """
    folder = Path(path)
    graph = open_graph(folder)
    files: dict[str, FileRecord] = _read_header(folder)["files"]
    stage = Stage("verifying", sum(record["bytes"] for record in files.values()), progress)
    for name, record in files.items():
        if checksum_of_file(folder / name, is_array=record["dtype"] is not None) != record["checksum"]:
            raise GraphFileError(
                f"{folder / name} was changed after it was written (its checksum is not that of {HEADER}). {WAY_OUT}."
            )
        stage.advance(record["bytes"])
    return graph


def _read_header(folder: Path) -> dict[str, Any]:
    file = folder / HEADER
    if not file.is_file():
        raise GraphFileError(f"{folder} is no graph: it has no {HEADER}. {WAY_OUT}.")
    try:
        header = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise GraphFileError(f"{file} is damaged: {error}. {WAY_OUT}.") from error
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise GraphFileError(f"{folder} is no graph: its {HEADER} does not say the format {FORMAT!r}. {WAY_OUT}.")
    if header.get("version") != VERSION:
        raise GraphFileError(
            f"{folder} has version {header.get('version')} of the format, and this residuum reads version {VERSION}. "
            "Update residuum, or write the graph again with 'residuum convert'."
        )
    for name, kind in _KEYS.items():
        if not isinstance(header.get(name), kind):
            raise GraphFileError(f"{file} is damaged: it has no {name!r}. {WAY_OUT}.")
    return header


def _strength_names(header: dict[str, Any]) -> list[str]:
    return ["out_strength", "in_strength"] if header["directed"] else ["out_strength"]
