"""Graph files, by their ending."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import scipy.io
from scipy import sparse

from residuum._validation import import_extra
from residuum.errors import GraphFileError, InvalidGraphError
from residuum.graph.adapters import as_graph
from residuum.graph.edge_table import graph_from_table
from residuum.graph.edge_text import read_edge_text
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
    ending = (file.with_suffix("") if file.suffix == ".gz" else file).suffix.lower()
    columns = {"source": source, "target": target, "weight": weight}
    if ending == ".parquet":
        read: Callable[[], Graph] = lambda: graph_from_table(  # noqa: E731 - one reader among several
            pq.read_table(file), directed=bool(directed), **columns
        )
    elif ending == ".mtx":
        read = lambda: as_graph(sparse.coo_array(scipy.io.mmread(file)), directed=directed)  # noqa: E731
    elif ending == ".npz":
        read = lambda: _read_npz(file, directed)  # noqa: E731
    elif ending in _NETWORKX_READERS:
        read = lambda: _read_networkx(file, ending, directed, weight)  # noqa: E731
    else:
        read = lambda: graph_from_table(  # noqa: E731
            read_edge_text(file, ending, header, **columns), directed=bool(directed), **columns
        )
    return _with_file_name(file, read)


def _read_npz(file: Path, directed: bool | None) -> Graph:
    # Opened here, because numpy leaves a damaged file open.
    with file.open("rb") as stream:
        return as_graph(sparse.load_npz(stream), directed=directed)


def _read_networkx(file: Path, ending: str, directed: bool | None, weight: str | None) -> Graph:
    networkx = import_extra("networkx", "graphs")
    return as_graph(getattr(networkx, _NETWORKX_READERS[ending])(file), directed=directed, weight=weight)


def _with_file_name(file: Path, read: Callable[[], Graph]) -> Graph:
    """Run a reader; whatever it trips over becomes an error that names the file."""
    try:
        return read()
    except GraphFileError:
        raise
    except InvalidGraphError as error:
        raise GraphFileError(f"{file}: {error}") from error
    except (ValueError, KeyError, TypeError, EOFError, OSError, pa.ArrowException) as error:
        raise GraphFileError(f"{file} cannot be read: {_first_line(error)}") from error
    except Exception as error:
        # networkx, xml, zipfile and csv have error types of their own for damaged files.
        if type(error).__module__.split(".")[0] in {"networkx", "xml", "zipfile", "zlib", "_csv"}:
            raise GraphFileError(f"{file} cannot be read: {_first_line(error)}") from error
        raise


def _first_line(error: Any) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
