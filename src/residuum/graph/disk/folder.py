"""Writing, opening and verification of graphs on disk (``.r2g``)."""

import os
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from residuum._files import reading
from residuum._progress import ProgressCallback, Stage
from residuum.errors import GraphFileError
from residuum.graph.disk.arrays import WAY_OUT, FileRecord, check_size, checksum_of_file, map_array
from residuum.graph.disk.header import ENDING, HEADER, NODES, REVERSE, read_header
from residuum.graph.disk.nodes import read_nodes
from residuum.graph.disk.rows import Rows, map_rows, row_runs
from residuum.graph.disk.validation import check_matrix, check_strengths, check_transpose
from residuum.graph.disk.writer import GraphWriter, graph_folder
from residuum.graph.graph import Graph

__all__ = ["is_on_disk", "open_graph", "origin_of", "verify_graph", "write_graph"]

_ENTRIES_AT_ONCE = 4 << 20


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

    The arrays are read once to check that indices, weights, symmetry, sums and ids are valid, so that a damaged or
    malicious file cannot harm; :func:`verify_graph` compares checksums, too.

    Parameters
    ----------
    path : str or path
        Folder written by :func:`write_graph`.

    Returns
    -------
    Graph
        Graph with read-only, memory-mapped arrays.

    Raises
    ------
    GraphFileError
        If a file is missing, damaged or does not match the header.
    """
    folder = Path(path)
    with reading(folder, GraphFileError, WAY_OUT):
        header = read_header(folder)
        files: dict[str, FileRecord] = header["files"]
        for name, record in files.items():
            check_size(folder / name, record)
        arrays = {name.removesuffix(".npy"): record for name, record in files.items()}
        adjacency, reverse = _checked_matrices(folder, header, arrays)
        strengths = {name: map_array(folder / f"{name}.npy", arrays[name]) for name in _strength_names(header)}
        check_strengths(folder, adjacency, strengths, header)
        ids, attributes = read_nodes(folder / NODES, header["n_nodes"])
    known = {
        "n_edges": header["n_edges"],
        "is_weighted": header["weighted"],
        "in_strength": strengths["out_strength"],
        **strengths,
        "reversed_adjacency": reverse,
    }
    return Graph.trusted(adjacency, ids, directed=header["directed"], node_attributes=attributes, known=known)


def _checked_matrices(
    folder: Path, header: dict[str, Any], arrays: dict[str, FileRecord]
) -> tuple["sparse.csr_array[Any]", "sparse.csr_array[Any]"]:
    """Return the adjacency matrix and its transpose."""
    prefixes = ["", REVERSE] if header["directed"] else [""]
    matrices = [map_rows(folder, arrays, prefix) for prefix in prefixes]
    for prefix, matrix in zip(prefixes, matrices, strict=True):
        if (matrix.shape[0], len(matrix.indices), len(matrix.data)) != (
            header["n_nodes"],
            header["n_entries"],
            header["n_entries"],
        ):
            raise GraphFileError(f"the sizes of the arrays in {folder} differ from those in {HEADER}. {WAY_OUT}.")
        check_matrix(folder, prefix, matrix)
    check_transpose(folder, matrices[0], matrices[-1])
    return matrices[0], matrices[-1]


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
    return dict(read_header(Path(path)).get("origin", {}))


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
    files: dict[str, FileRecord] = read_header(folder)["files"]
    stage = Stage("verifying", sum(record["bytes"] for record in files.values()), progress)
    for name, record in files.items():
        check_size(folder / name, record)
        with reading(folder / name, GraphFileError, WAY_OUT):
            checksum = checksum_of_file(folder / name, is_array=record["dtype"] is not None)
        if checksum != record["checksum"]:
            raise GraphFileError(
                f"{folder / name} was changed after it was written: its checksum differs from {HEADER}. {WAY_OUT}."
            )
        stage.advance(record["bytes"])
    return open_graph(folder)


def _strength_names(header: dict[str, Any]) -> list[str]:
    return ["out_strength", "in_strength"] if header["directed"] else ["out_strength"]
