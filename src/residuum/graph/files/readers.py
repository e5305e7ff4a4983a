"""Readers of graph files, by file extension."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
from scipy import sparse

from residuum._containers import check_expansion, read_npz
from residuum._files import missing_file, reading
from residuum._validation import import_extra
from residuum.errors import GraphFileError, InvalidGraphError
from residuum.graph.adapters import from_matrix, from_networkx, redirected
from residuum.graph.disk import is_on_disk, open_graph
from residuum.graph.edge_table import graph_from_edges
from residuum.graph.files.edge_list import EdgeList, ending_of
from residuum.graph.files.layout import Columns
from residuum.graph.files.matrix_market import read_matrix_market
from residuum.graph.files.streams import open_stream
from residuum.graph.graph import Graph

__all__ = ["READERS", "is_edge_list", "read_graph"]

Reader = Callable[[Path, Columns, bool | None], Graph]
_INDEX_BYTES = 8


def read_graph(
    path: str | os.PathLike[str],
    *,
    directed: bool | None = None,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    header: bool | None = None,
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
        Column names, if they are not the usual ones; the first row of a text file is then the header.
    header : bool, optional
        Whether the first row of an edge list names the columns; detected by default.

    Returns
    -------
    Graph
        Nodes of an edge list are in order of first appearance.

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
    with reading(file, GraphFileError):
        if is_on_disk(file):
            return redirected(open_graph(file), directed)
        if not file.is_file():
            raise GraphFileError(f"{file} {missing_file(file)}.")
        read = READERS.get(ending_of(file), _read_edge_list)
        return read(file, Columns(source, target, weight, header), directed)


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
    return READERS.get(ending_of(file), _read_edge_list) is _read_edge_list


def _read_edge_list(file: Path, columns: Columns, directed: bool | None) -> Graph:
    tables = list(EdgeList(file, columns).tables())
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


def _networkx_reader(function: str) -> Reader:
    def read(file: Path, columns: Columns, directed: bool | None) -> Graph:
        networkx: Any = import_extra("networkx", "graphs")
        with open_stream(file) as stream:
            return from_networkx(getattr(networkx, function)(stream), directed, columns.weight)

    return read


READERS: dict[str, Reader] = {
    ".parquet": _read_edge_list,
    ".mtx": _read_matrix_market,
    ".npz": _read_npz,
    ".graphml": _networkx_reader("read_graphml"),
    ".gml": _networkx_reader("read_gml"),
}
