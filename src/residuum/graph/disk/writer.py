"""Writer of graphs on disk, row by row."""

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._files import atomic_folder, is_disk_full
from residuum._kernels.rows import add_strengths
from residuum.errors import GraphFileError, InvalidGraphError, InvalidParameterError
from residuum.graph.disk.arrays import ArrayFile, FileRecord, checksum_of_file
from residuum.graph.disk.header import ENDING, FORMAT, HEADER, NODES, REVERSE, VERSION, foreign_file, read_header
from residuum.graph.disk.nodes import write_nodes
from residuum.graph.disk.rows import WORKING_BYTES, RowFiles, Rows, write_transposed

__all__ = ["GraphWriter", "graph_folder"]


@contextlib.contextmanager
def graph_folder(path: str | os.PathLike[str], *, overwrite: bool) -> Iterator[Path]:
    """Context manager for a temporary folder that becomes the graph ``path`` on success and is removed on error.

    Parameters
    ----------
    path : str or path
        Folder to create; must end in ``.r2g``.
    overwrite : bool
        Whether to replace an existing graph; other files and folders are never replaced.

    Yields
    ------
    Path
        Temporary folder to write the files to.
    """
    target = Path(path)
    _check_target(target, overwrite)
    try:
        with atomic_folder(target) as folder:
            yield folder
    except OSError as error:
        if not is_disk_full(error):
            raise
        raise GraphFileError(
            f"the disk of {target.absolute().parent} is full; the unfinished {target.name} was removed. "
            "Free disk space, or write to another disk."
        ) from error


def _check_target(target: Path, overwrite: bool) -> None:
    if target.suffix != ENDING:
        raise InvalidParameterError(f"the path of a graph on disk must end in {ENDING}; got {str(target)!r}.")
    if not target.parent.is_dir():
        raise InvalidParameterError(f"the folder {target.parent} does not exist; create it first.")
    if not target.exists():
        return
    try:
        read_header(target)
    except GraphFileError:
        raise InvalidParameterError(f"{target} exists and is not a residuum graph; move or remove it first.") from None
    if not overwrite:
        raise InvalidParameterError(f"{target} exists; use overwrite=True (--overwrite) to replace it.")
    foreign = foreign_file(target)
    if foreign is not None:
        raise InvalidParameterError(f"{target} contains {foreign!r}, which is not part of a graph; move it first.")


class GraphWriter:
    """Writes the rows of an adjacency matrix, in order, to a folder that :func:`read_graph` opens.

    The rows are not checked. They must satisfy the rules of :class:`Graph`: distinct, increasing columns, positive
    finite weights, and a symmetric matrix if the graph is undirected. The transpose of a directed graph is written,
    too, so that it can be memory-mapped later.

    Parameters
    ----------
    folder : Path
        Empty folder, see :func:`graph_folder`.
    n_nodes : int
        Number of nodes N.
    directed : bool
        Whether edges have a direction.
    working_bytes : int, default=512 MiB
        Memory for the transpose, in bytes.
    """

    def __init__(self, folder: Path, n_nodes: int, *, directed: bool, working_bytes: int = WORKING_BYTES) -> None:
        self.folder = folder
        self.working_bytes = working_bytes
        self.directed = directed
        self._rows = RowFiles(folder, n_nodes)
        self._out_strength = np.zeros(n_nodes)
        self._in_strength = np.zeros(n_nodes)
        self._in_degree = np.zeros(n_nodes, dtype=np.int64)
        self._loops = 0

    def append(self, rows: Rows) -> None:
        """Append rows to the adjacency matrix.

        Parameters
        ----------
        rows : Rows
            The rows that follow those already written.
        """
        first = self._rows.n_rows
        self._rows.append(rows)
        self._loops += add_strengths(
            first, rows.lengths, rows.columns, rows.weights, self._out_strength, self._in_strength
        )
        if self.directed:
            self._in_degree += np.bincount(rows.columns, minlength=len(self._in_degree))

    def finish(
        self,
        node_ids: NDArray[Any],
        node_attributes: dict[str, NDArray[Any]] | None = None,
        origin: Mapping[str, Any] | None = None,
    ) -> None:
        """Write the strengths, the transpose, the nodes and the header, after the last row.

        Parameters
        ----------
        node_ids : array of shape (N,)
            All integers or all strings.
        node_attributes : dict of str to array of shape (N,), optional
            Values by attribute name.
        origin : mapping, optional
            Description of how the graph was made, as JSON values; see :func:`origin_of`.
        """
        n_nodes, n_entries = self._rows.n_nodes, self._rows.n_entries
        if n_entries == 0:
            raise InvalidGraphError(f"the graph is empty: {n_nodes} nodes, but no edge of positive weight.")
        adjacency = self._rows.finish()
        files = dict(self._rows.records)
        files["out_strength"] = self._write("out_strength", self._out_strength)
        if self.directed:
            files["in_strength"] = self._write("in_strength", self._in_strength)
            reverse = RowFiles(self.folder, n_nodes, REVERSE)
            write_transposed(adjacency, self._in_degree, reverse, self.working_bytes)
            reverse.finish()
            files |= reverse.records
        write_nodes(self.folder / NODES, node_ids, node_attributes or {})
        header = {
            "format": FORMAT,
            "version": VERSION,
            "n_nodes": n_nodes,
            "n_entries": n_entries,
            "n_edges": n_entries if self.directed else (n_entries + self._loops) // 2,
            "directed": self.directed,
            "weighted": self._rows.is_weighted,
            "origin": dict(origin or {}),
            "files": {f"{name}.npy": record for name, record in files.items()} | {NODES: self._record_of_nodes()},
        }
        (self.folder / HEADER).write_text(json.dumps(header, indent=1), encoding="utf-8")

    def _record_of_nodes(self) -> FileRecord:
        file = self.folder / NODES
        checksum = checksum_of_file(file, is_array=False)
        return FileRecord(bytes=file.stat().st_size, checksum=checksum, dtype=None, length=None)

    def _write(self, name: str, values: NDArray[Any]) -> FileRecord:
        array = ArrayFile(self.folder / f"{name}.npy", values.dtype)
        array.append(values)
        return array.close()
