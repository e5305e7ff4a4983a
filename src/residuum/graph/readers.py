"""Graph files, by their ending."""

import os
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import scipy.io
from scipy import sparse

from residuum._validation import import_extra
from residuum.errors import GraphFileError, InvalidGraphError
from residuum.graph.adapters import as_graph
from residuum.graph.edge_blocks import EdgeList, ending_of, named_in_errors
from residuum.graph.edge_table import graph_from_edges
from residuum.graph.graph import Graph
from residuum.graph.on_disk import is_on_disk, open_graph

__all__ = ["read_graph"]

_NETWORKX_READERS = {".graphml": "read_graphml", ".gml": "read_gml"}


def read_graph(
    path: str | os.PathLike[str],
    *,
    directed: bool | None = None,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    header: bool | None = None,
) -> Graph:
    """Read a graph from a file.

    ============================  =======================================================================
    ending                        content
    ============================  =======================================================================
    ``.csv .tsv .txt`` and other  edge list: two columns and perhaps a weight, separated by commas,
                                  semicolons, tabs or blanks; ``#`` and ``%`` start a comment
    ``.parquet``                  edge table
    ``.mtx``                      MatrixMarket adjacency matrix
    ``.npz``                      scipy sparse adjacency matrix (``scipy.sparse.save_npz``)
    ``.graphml .gml``             through networkx (extra ``graphs``), with node attributes
    ``.r2g``                      folder that ``write_graph`` or ``residuum convert`` wrote: opened at once
                                  by memory map, however large, with node attributes
    ============================  =======================================================================

    Text and MatrixMarket files may be gzipped (``.gz``).

    Parameters
    ----------
    path : path of the file
    directed : bool, optional
        By default edge lists are undirected; matrices are if they are symmetric; ``.r2g``, GraphML and GML say so.
    source, target, weight : str, optional
        Names of the columns, if they are not the usual ones; the first row of an edge list is then a header.
    header : bool, optional
        Whether the first row of an edge list names the columns. By default it is found out.
    """
    file = Path(path)
    if is_on_disk(file):
        return as_graph(open_graph(file), directed=directed)
    if not file.is_file():
        what = "is a folder, not a file" if file.is_dir() else "does not exist"
        raise GraphFileError(f"{file} {what}.")
    ending = ending_of(file)
    with named_in_errors(file):
        if ending == ".mtx":
            return as_graph(sparse.coo_array(scipy.io.mmread(file)), directed=directed)
        if ending == ".npz":
            return _read_npz(file, directed)
        if ending in _NETWORKX_READERS:
            return _read_networkx(file, ending, directed, weight)
        edges = EdgeList(file, source, target, weight, header)
        return edges.use(lambda tables: _from_tables(tables, bool(directed)))


def _from_tables(tables: Iterator[pa.Table], directed: bool) -> Graph:
    blocks = list(tables)
    if not blocks:
        raise InvalidGraphError("the graph is empty: the edge table has no rows.")
    edges = pa.concat_tables(blocks)
    weight = edges.column("weight") if "weight" in edges.column_names else None
    return graph_from_edges(edges.column("source"), edges.column("target"), weight, directed=directed)


def _read_npz(file: Path, directed: bool | None) -> Graph:
    # Opened here, because numpy leaves a damaged file open.
    with file.open("rb") as stream:
        return as_graph(sparse.load_npz(stream), directed=directed)


def _read_networkx(file: Path, ending: str, directed: bool | None, weight: str | None) -> Graph:
    networkx = import_extra("networkx", "graphs")
    return as_graph(getattr(networkx, _NETWORKX_READERS[ending])(file), directed=directed, weight=weight)
