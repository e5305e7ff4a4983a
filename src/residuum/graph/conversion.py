"""Conversion of graph files to graphs on disk; edge lists larger than memory are sorted through files."""

import os
from pathlib import Path

import numpy as np
import pyarrow as pa

from residuum._files import reading
from residuum._memory import format_bytes, resolve_memory_limit
from residuum._progress import ProgressCallback
from residuum.errors import GraphFileError, InvalidGraphError, MemoryLimitError
from residuum.graph.disk import is_on_disk, open_graph, write_graph
from residuum.graph.disk.sorting import EntrySort
from residuum.graph.disk.writer import GraphWriter, graph_folder
from residuum.graph.edge_table import ascending_order, both_directions
from residuum.graph.files.edge_list import CHUNK_BYTES, EdgeList
from residuum.graph.files.layout import Columns
from residuum.graph.files.readers import is_edge_list, log_reading, read_graph
from residuum.graph.graph import Graph, check_sums
from residuum.graph.numbering import NodeNumbering

__all__ = ["convert"]

_LEAST_MEMORY = 64 << 20
# A chunk of text is 1/48 of the limit: parsing it needs about 30 times its size (measured).
_CHUNK_SHARE = 48
# Numbering the ends of an edge needs less than this, hash tables included.
_BYTES_OF_EDGE = 1024
# Sorting gets 1/3 of the limit; the rest covers the rows being written and allocator overhead.
_SORT_SHARE = 3

# A table of integer ids gets 1/8 of the limit.
_IDS_SHARE = 8


def convert(
    path: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    directed: bool | None = None,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    memory_limit: int | str | None = None,
    overwrite: bool = False,
    progress: ProgressCallback | None = None,
) -> Graph:
    """Convert a graph file to a graph on disk and open it.

    The graph equals the result of :func:`read_graph`. Edge lists (text or parquet) are never loaded in full: edges are
    numbered chunk by chunk, spilled to files, sorted in runs of rows and written in order. Memory use is
    ``memory_limit`` plus one entry per node id. Other formats are loaded into memory. The output appears only when it
    is complete; an error, a full disk or an interrupt leaves no files behind.

    Parameters
    ----------
    path : str or path
        Graph file in any format of :func:`read_graph`.
    output : str or path
        Folder to create; must end in ``.r2g``.
    directed : bool, optional
        Whether edges have a direction; the default depends on the format, as in :func:`read_graph`.
    source, target, weight : str, optional
        Column names, if they are not the usual ones.
    header : bool, optional
        Whether the first row of an edge list names the columns; detected by default.
    delimiter : str, optional
        Character between the columns of an edge list, or its name, as in :func:`read_graph`; detected by default.
    memory_limit : int or str, optional
        Bytes, or a size such as ``"1GiB"``, at least 64 MiB; half of the free memory by default. Row groups of a
        parquet file are read one at a time, whatever their size.
    overwrite : bool, default=False
        Whether to replace an existing graph at ``output``.
    progress : callable, optional
        Called with a :class:`ProgressEvent` after each step.

    Returns
    -------
    Graph
        Graph whose arrays are memory-mapped from the files of ``output``.

    Notes
    -----
    The result is bit-identical to that of :func:`read_graph` if the weights of parallel edges add up without rounding,
    as counts do. Otherwise sums of three or more weights may differ in the last digit of float64, because they are
    added in a different order.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> edges = pathlib.Path(folder.name, "edges.csv")
    >>> _ = edges.write_text("ann,bob,2")
    >>> convert(edges, edges.with_suffix(".r2g"))
    Graph(2 nodes, 1 edge, undirected, weighted)
    >>> folder.cleanup()
    """
    file = Path(path)
    limit = resolve_memory_limit(memory_limit)
    if limit < _LEAST_MEMORY:
        raise MemoryLimitError(
            f"conversion needs at least {format_bytes(_LEAST_MEMORY)}; memory_limit is {format_bytes(limit)}. Raise it."
        )
    with reading(file, GraphFileError):
        is_stream = file.is_file() and is_edge_list(file)
    if is_stream:
        edges = EdgeList(file, Columns(source, target, weight, header, delimiter))
        with graph_folder(output, overwrite=overwrite) as folder:
            _write_edges(edges, folder, bool(directed), limit, progress)
        graph = open_graph(output)
        log_reading(file, edges.description, graph)
        return graph
    if is_on_disk(file) and Path(output).exists() and file.samefile(output):
        raise GraphFileError(f"{file} cannot be converted to itself; choose another output path.")
    graph = read_graph(file, directed=directed, weight=weight)
    write_graph(graph, output, overwrite=overwrite)
    return open_graph(output)


def _write_edges(
    edges: EdgeList, folder: Path, directed: bool, memory_limit: int, progress: ProgressCallback | None
) -> None:
    entries, numbering = EntrySort(folder, memory_limit // _SORT_SHARE), NodeNumbering(memory_limit // _IDS_SHARE)
    try:
        for table in edges.tables(min(memory_limit // _CHUNK_SHARE, CHUNK_BYTES), progress):
            # A row group of a parquet file can be long.
            for first in range(0, table.num_rows, memory_limit // _BYTES_OF_EDGE):
                with reading(edges.file, GraphFileError):
                    rows, columns, weights = numbering.add(table.slice(first, memory_limit // _BYTES_OF_EDGE))
                entries.add(*((rows, columns, weights) if directed else both_directions(rows, columns, weights)))
            pa.default_memory_pool().release_unused()  # Arrow keeps freed memory, more with every table
        node_ids = numbering.node_ids()
        order = ascending_order(node_ids)
        numbers = None if order is None else np.argsort(order).astype(np.int32)
        node_ids = node_ids if order is None else node_ids[order]
        writer = GraphWriter(folder, len(node_ids), directed=directed, working_bytes=memory_limit // _SORT_SHARE)
        total = 0.0
        for run in entries.rows(len(node_ids), progress, numbers):
            total = check_sums(run.weights, total)
            writer.append(run)
        writer.finish(node_ids)
    except GraphFileError:
        raise
    except InvalidGraphError as error:
        raise GraphFileError(f"{edges.file}: {error}") from error
