"""From any graph file to a graph on disk; edge lists go through files, whatever their length."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from residuum._memory import format_bytes, resolve_memory_limit
from residuum._progress import ProgressCallback
from residuum.errors import GraphFileError, InvalidGraphError, MemoryLimitError
from residuum.graph.disk_writer import GraphWriter, graph_folder
from residuum.graph.edge_blocks import BLOCK_BYTES, EdgeList
from residuum.graph.edge_table import both_directions, numbered_edges
from residuum.graph.entry_sort import EntrySort
from residuum.graph.graph import Graph
from residuum.graph.node_file import check_ids
from residuum.graph.on_disk import is_on_disk, open_graph, write_graph
from residuum.graph.readers import read_graph

__all__ = ["convert"]

_LEAST_MEMORY = 64 << 20
# Measured: what pyarrow and numpy make of a block of text takes about 30 times its length.
_BLOCK_SHARE = 48
# The sorting, and beside it the rows being written and what the allocators keep.
_SORT_SHARE = 3


def convert(
    path: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    directed: bool | None = None,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    header: bool | None = None,
    memory_limit: int | str | None = None,
    overwrite: bool = False,
    progress: ProgressCallback | None = None,
) -> Graph:
    """Write a graph file as a graph on disk, and open it: the same graph as ``read_graph`` makes of the file.

    An edge list (text or parquet) is never held in memory: its edges are numbered block by block, put into files,
    sorted run by run and written in order. What stays in memory, beside ``memory_limit``, is one entry for each node
    id. Other formats are read as a whole. The result appears under its name when it is complete; an error, a full
    disk or an interrupt leaves nothing behind.

    Parameters
    ----------
    path : path of a graph file, as in ``read_graph``
    output : path that ends in ``.r2g``
    directed, source, target, weight, header : as in ``read_graph``
    memory_limit : int or str, optional
        Bytes, or a size such as ``"1GiB"``, at least 64 MiB; by default half of what is free. The row groups of a
        parquet file are read one at a time, however large they are.
    overwrite : bool
        Whether a graph that is there is replaced.
    progress : callable, optional

    Returns
    -------
    Graph
        With arrays that are mapped from the files of ``output``.

    Notes
    -----
    The bits are those of ``read_graph`` wherever the weights of parallel edges add up without rounding (counts do);
    else sums of three and more may differ in the last digit of float64, because the order of the additions does.

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
            f"converting takes at least {format_bytes(_LEAST_MEMORY)}; memory_limit is {format_bytes(limit)}. Raise it."
        )
    if file.is_file() and EdgeList.knows(file):
        edges = EdgeList(file, source, target, weight, header)
        with graph_folder(output, overwrite=overwrite) as folder:
            _write_edges(edges, folder, bool(directed), limit, progress)
    else:
        if is_on_disk(file) and Path(output).exists() and file.samefile(output):
            raise GraphFileError(f"{file} cannot be converted into itself; give the result another name.")
        graph = read_graph(file, directed=directed, source=source, target=target, weight=weight, header=header)
        write_graph(graph, output, overwrite=overwrite)
    return open_graph(output)


def _write_edges(
    edges: EdgeList, folder: Path, directed: bool, memory_limit: int, progress: ProgressCallback | None
) -> None:
    def spill(tables: Iterator[pa.Table]) -> tuple[EntrySort, NDArray[Any]]:
        entries, numbers = EntrySort(folder, memory_limit // _SORT_SHARE), _Numbers()
        for table in (table for table in tables if table.num_rows):
            rows, columns, weights = numbers.of(table)
            entries.add(*((rows, columns, weights) if directed else both_directions(rows, columns, weights)))
        return entries, numbers.node_ids()

    try:
        entries, node_ids = edges.use(spill, min(memory_limit // _BLOCK_SHARE, BLOCK_BYTES), progress)
        writer = GraphWriter(folder, len(node_ids), directed=directed, working_bytes=memory_limit // _SORT_SHARE)
        for rows in entries.rows(len(node_ids), progress):
            writer.append(rows)
        writer.finish(node_ids)
    except GraphFileError:
        raise
    except InvalidGraphError as error:
        raise GraphFileError(f"{edges.file}: {error}") from error


class _Numbers:
    """Numbers the ids of an edge list by first appearance, over all of its blocks."""

    def __init__(self) -> None:
        self._known: pa.Array | None = None
        self._n_rows = 0

    def of(self, table: pa.Table) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
        """Return the numbers of both ends, and the weights."""
        weight = table.column("weight") if "weight" in table.column_names else None
        rows, columns, weights, ids = numbered_edges(
            table.column("source"), table.column("target"), weight, self._n_rows
        )
        self._n_rows += len(rows)
        numbers = self._numbers_of(ids)
        return numbers[rows], numbers[columns], weights

    def _numbers_of(self, ids: NDArray[Any]) -> NDArray[np.int32]:
        if self._known is None:
            check_ids(ids)
            self._known = pa.array(ids)
            return np.arange(len(ids), dtype=np.int32)
        here = pa.array(ids, self._known.type)
        numbers = pc.index_in(here, self._known)
        fresh = numbers.is_null()
        n_known = len(self._known)
        self._known = pa.concat_arrays([self._known, here.filter(fresh)])
        result = numbers.fill_null(0).to_numpy().copy()
        result[fresh.to_numpy(zero_copy_only=False)] = np.arange(n_known, len(self._known), dtype=np.int32)
        return np.asarray(result)

    def node_ids(self) -> NDArray[Any]:
        """Return the ids by number."""
        if self._known is None:
            raise InvalidGraphError("the graph is empty: the edge table has no rows.")
        return np.asarray(self._known.to_numpy(zero_copy_only=False))
