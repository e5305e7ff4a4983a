"""Readers of graph files, by file extension."""

import logging
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy import sparse

from residuum._containers import check_expansion, read_npz
from residuum._files import missing_file, reading
from residuum._validation import import_extra
from residuum.errors import GraphFileError, InvalidGraphError, ResiduumWarning
from residuum.graph.adapters import from_matrix, from_networkx, redirected
from residuum.graph.disk import is_on_disk, open_graph
from residuum.graph.edge_table import graph_from_edges
from residuum.graph.files.edge_list import EdgeList, ending_of
from residuum.graph.files.layout import Columns
from residuum.graph.files.matrix_market import read_matrix_market
from residuum.graph.files.streams import open_stream
from residuum.graph.graph import Graph

__all__ = ["READERS", "first_edges", "is_edge_list", "log_reading", "read_graph"]

_BYTES_TO_SHOW, _ROWS_TO_SHOW = 1 << 16, 100
_log = logging.getLogger("residuum")

Reader = Callable[[Path, Columns, bool | None], Graph]
_INDEX_BYTES = 8
# Arrays of a sparse matrix that are not weights.
_POSITIONS = {"shape", "indices", "indptr", "row", "col", "coords", "offsets"}


def read_graph(
    path: str | os.PathLike[str],
    *,
    directed: bool | None = None,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
) -> Graph:
    r"""Read a graph from a file.

    ============================  =======================================================================
    extension                     content
    ============================  =======================================================================
    ``.csv .tsv .txt`` and other  edge list: two columns and an optional weight, separated by commas,
                                  semicolons, tabs or spaces; lines that start with ``#`` or ``%`` are
                                  comments
    ``.parquet``                  edge table with one edge per row
    ``.mtx``                      MatrixMarket adjacency matrix
    ``.npz``                      scipy sparse adjacency matrix (``scipy.sparse.save_npz``)
    ``.graphml .gml``             graph with node attributes, read by networkx (extra ``graphs``)
    ``.r2g``                      graph on disk with node attributes, written by :func:`write_graph` or
                                  ``residuum convert``; memory-mapped and checked in one pass
    ============================  =======================================================================

    Text and MatrixMarket files may be gzipped (``.gz``).

    Parameters
    ----------
    path : str or path
        Graph file, or folder of a graph on disk.
    directed : bool, optional
        Whether edges have a direction. By default edge lists are undirected, matrices are undirected if they are
        symmetric, and ``.r2g``, GraphML and GML files keep their type.
    source, target, weight : str, optional
        Column names, if they are not the usual ones; the first row of a text file is then the header. In a file without
        header, columns are named by their number: ``"1"``, ``"2"`` and so on.
    header : bool, optional
        Whether the first row of an edge list names the columns; detected by default.
    delimiter : str, optional
        Character between the columns of an edge list, or its name: comma, semicolon, tab, space or bar; detected by
        default.

    Returns
    -------
    Graph
        Nodes of an edge list with integer ids are in ascending order of their ids, others in order of first appearance.

    Raises
    ------
    GraphFileError
        If the file cannot be read; the message names the file and, for text, the line.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = Path(folder.name, "edges.csv")
    >>> _ = file.write_text("source,target,weight\nann,bob,2\nbob,cid,1")
    >>> read_graph(file)
    Graph(3 nodes, 2 edges, undirected, weighted)
    >>> folder.cleanup()
    """
    file = Path(path)
    columns = Columns(source, target, weight, header, delimiter)
    description = ""
    with reading(file, GraphFileError):
        if is_on_disk(file):
            graph = redirected(open_graph(file), directed)
        elif not file.is_file():
            raise GraphFileError(f"{file} {missing_file(file)}.")
        elif is_edge_list(file):
            edge_list = EdgeList(file, columns)
            graph, description = _read_edge_list(edge_list, directed), edge_list.description
        else:
            graph = READERS[ending_of(file)](file, columns, directed)
    log_reading(file, description, graph)
    return graph


def log_reading(file: Path, description: str, graph: Graph) -> None:
    """Log what a file was taken for, in one line.

    Parameters
    ----------
    file : Path
        The file.
    description : str
        Columns of an edge list; empty for other formats.
    graph : Graph
        What was read.
    """
    _log.info("%s: %s%s", file, f"{description}; " if description else "", graph)


def first_edges(
    path: str | os.PathLike[str], n_edges: int, *, directed: bool | None = None, **columns: Any
) -> tuple[str, list[tuple[Any, Any, float]]]:
    """Return what a graph file is taken for, and its first edges; the rest of an edge list is not read.

    Parameters
    ----------
    path : str or path
        Graph file, or folder of a graph on disk.
    n_edges : int
        Maximum number of edges.
    directed : bool, optional
        As in :func:`read_graph`.
    **columns : str or bool, optional
        Parameters ``source``, ``target``, ``weight``, ``header`` and ``delimiter`` of :func:`read_graph`.

    Returns
    -------
    description : str
        Columns and direction.
    edges : list of (source, target, weight)
        The first edges, in the order of the file for an edge list.
    """
    file = Path(path)
    with reading(file, GraphFileError):
        is_stream = file.is_file() and is_edge_list(file)
    if not is_stream:
        graph = read_graph(file, directed=directed, **columns)
        entries = graph.adjacency[:_ROWS_TO_SHOW].tocoo()
        kept = np.flatnonzero((entries.row <= entries.col) | graph.directed)[:n_edges]
        ends = (graph.node_ids[end[kept]].tolist() for end in (entries.row, entries.col))
        return str(graph), list(zip(*ends, entries.data[kept].astype(float).tolist(), strict=True))
    edge_list = EdgeList(file, Columns(**columns))
    table = next(edge_list.tables(_BYTES_TO_SHOW), None)
    if table is None:
        raise GraphFileError(f"{file}: the graph is empty: the file has no edges.")
    first = table.slice(0, n_edges)
    weights = first.column("weight").to_pylist() if "weight" in first.column_names else [1.0] * len(first)
    ends = (first.column(name).to_pylist() for name in ("source", "target"))
    description = f"{edge_list.description}; {'directed' if directed else 'undirected'}"
    return description, list(zip(*ends, map(float, weights), strict=True))


def is_edge_list(file: Path) -> bool:
    """Return whether a file is an edge list, which can be read in chunks.

    Parameters
    ----------
    file : Path
        Path of a file; only the extension is used.

    Returns
    -------
    bool
        True for parquet files and for all extensions without a reader of their own.
    """
    return ending_of(file) not in READERS


def _read_edge_list(edge_list: EdgeList, directed: bool | None) -> Graph:
    tables = list(edge_list.tables())
    if not tables:
        raise InvalidGraphError("the graph is empty: the edge table has no rows.")
    edges = pa.concat_tables(same_ids(tables))
    weight = edges.column("weight") if "weight" in edges.column_names else None
    return graph_from_edges(edges.column("source"), edges.column("target"), weight, directed=bool(directed))


def same_ids(tables: list[pa.Table]) -> list[pa.Table]:
    """Return tables with ids of the same type: strings if the types differ.

    Parameters
    ----------
    tables : list of pyarrow Table
        Tables with ids in the columns ``source`` and ``target``.

    Returns
    -------
    list of pyarrow Table
        Tables that can be concatenated.
    """
    if len({table.schema.field("source").type for table in tables}) == 1:
        return tables
    end_fields = [pa.field("source", pa.string()), pa.field("target", pa.string())]
    return [table.cast(pa.schema([*end_fields, *list(table.schema)[2:]])) for table in tables]


def _read_matrix_market(file: Path, columns: Columns, directed: bool | None) -> Graph:
    del columns
    return from_matrix(read_matrix_market(file), directed)


def _read_npz(file: Path, columns: Columns, directed: bool | None) -> Graph:
    del columns
    return from_matrix(_sparse_matrix(file), directed)


def _sparse_matrix(file: Path) -> Any:
    """Return the matrix in a file of ``scipy.sparse.save_npz``."""
    arrays = read_npz(file)
    if not {"format", "shape", "data"} <= arrays.keys():
        raise GraphFileError(f"{file} is not a sparse matrix: write it with scipy.sparse.save_npz.")
    _require_integers(file, arrays)
    name = arrays["format"].item()
    kind = name.decode("ascii") if isinstance(name, bytes) else str(name)
    shape = tuple(int(length) for length in arrays["shape"])
    # An empty row takes no space in some formats, but it does in memory.
    check_expansion(file.stat().st_size, _INDEX_BYTES * max(shape))
    if kind in {"csr", "csc", "bsr"}:
        parts: Any = (arrays["data"], arrays["indices"], arrays["indptr"])
    elif kind == "coo":
        parts = (arrays["data"], arrays["coords"] if "coords" in arrays else (arrays["row"], arrays["col"]))
    elif kind == "dia":
        parts = (arrays["data"], arrays["offsets"])
    else:
        raise GraphFileError(
            f"{file} has a matrix in the unknown format {kind!r}; write it with scipy.sparse.save_npz."
        )
    return getattr(sparse, f"{kind}_array")(parts, shape=shape)


def _require_integers(file: Path, arrays: dict[str, NDArray[Any]]) -> None:
    """Raise an error if positions are not integers; scipy would cut fractions off."""
    for name in _POSITIONS & arrays.keys():
        if arrays[name].dtype.kind not in "iu":
            raise GraphFileError(
                f"{file}: {name!r} of a sparse matrix must be integers; got the type {arrays[name].dtype}. Write it "
                "with scipy.sparse.save_npz."
            )


def _networkx_reader(function: str) -> Reader:
    def read(file: Path, columns: Columns, directed: bool | None) -> Graph:
        networkx: Any = import_extra("networkx", "graphs")
        with open_stream(file) as stream, warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            network = getattr(networkx, function)(stream)
        if caught:
            remark = str(caught[0].message).removesuffix(".")
            warnings.warn(f"{file}: {remark}; check the file.", ResiduumWarning, stacklevel=4)
        return from_networkx(network, directed, columns.weight)

    return read


READERS: dict[str, Reader] = {
    ".mtx": _read_matrix_market,
    ".npz": _read_npz,
    ".graphml": _networkx_reader("read_graphml"),
    ".gml": _networkx_reader("read_gml"),
}
