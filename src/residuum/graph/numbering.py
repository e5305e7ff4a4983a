"""Numbers of node ids across the tables of an edge list."""

from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from residuum.errors import InvalidGraphError
from residuum.graph.disk.nodes import check_ids
from residuum.graph.edge_table import numbered_edges

__all__ = ["NodeNumbering"]

# Integers are looked up in an array of at most this many entries per id, and of some entries in any case.
_GAPS, _FEW_IDS = 8, 1 << 20
_ENTRY_BYTES = 4


class NodeNumbering:
    """Numbers the node ids of an edge list by first appearance, across all of its tables.

    Parameters
    ----------
    table_bytes : int, default 4 MiB
        Memory for a table of integer ids that has entries for the gaps between them as well, whatever their number.

    Examples
    --------
    >>> numbering = NodeNumbering()
    >>> numbering.add(pa.table({"source": ["b", "a"], "target": ["a", "b"]}))[0]
    array([0, 1], dtype=int32)
    >>> numbering.add(pa.table({"source": ["c"], "target": ["a"]}))[:2]
    (array([2], dtype=int32), array([1], dtype=int32))
    >>> numbering.node_ids()
    array(['b', 'a', 'c'], dtype=object)
    """

    def __init__(self, table_bytes: int = _ENTRY_BYTES * _FEW_IDS) -> None:
        self._ids: _Ids = _CompactIds(table_bytes // _ENTRY_BYTES)
        self._n_rows = 0

    def add(self, table: pa.Table) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
        """Return the numbers of the ends of the edges of a table.

        Parameters
        ----------
        table : pyarrow Table
            Edges, with columns source, target and optionally weight.

        Returns
        -------
        rows, columns : int32 arrays of shape (m,)
            Node numbers of both ends.
        weights : array of shape (m,)
            Edge weights.
        """
        weight = table.column("weight") if "weight" in table.column_names else None
        rows, columns, weights, ids = numbered_edges(
            table.column("source"), table.column("target"), weight, self._n_rows
        )
        if self._n_rows == 0:
            check_ids(ids)
        self._n_rows += len(rows)
        if isinstance(self._ids, _CompactIds) and not self._ids.fits(ids):
            self._ids = _AnyIds(self._ids.all())
        numbers = self._ids.numbers_of(ids)
        return numbers[rows], numbers[columns], weights

    def node_ids(self) -> NDArray[Any]:
        """Return the node ids in order of their numbers.

        Returns
        -------
        int or object array of shape (N,)
            Node ids.

        Raises
        ------
        InvalidGraphError
            If there was no edge.
        """
        if self._n_rows == 0:
            raise InvalidGraphError("the graph is empty: the edge table has no rows.")
        return self._ids.all()


class _Ids(Protocol):
    """Ids in order of first appearance."""

    def numbers_of(self, ids: NDArray[Any]) -> NDArray[np.int32]:
        """Return the numbers of distinct ids; new ids get the next numbers."""
        ...

    def all(self) -> NDArray[Any]:
        """Return all ids in order of their numbers."""
        ...


class _CompactIds(_Ids):
    """Integer ids in a range with few gaps, looked up in an array: the time of a table depends on its size alone."""

    def __init__(self, always: int) -> None:
        self._always = always
        self._numbers = np.empty(0, dtype=np.int32)
        self._first = 0
        self._tables: list[NDArray[Any]] = []
        self._size = 0

    def fits(self, ids: NDArray[Any]) -> bool:
        """Return whether the array with these ids is not much larger than their number."""
        if ids.dtype.kind != "i":
            return False
        low, high = self._bounds(ids)
        return high - low <= max(_GAPS * (self._size + len(ids)), self._always)

    def numbers_of(self, ids: NDArray[Any]) -> NDArray[np.int32]:
        """Return the numbers of distinct ids; new ids get the next numbers."""
        low, high = self._bounds(ids)
        if low < self._first or high > self._first + len(self._numbers):
            grown = np.full(high - low, -1, dtype=np.int32)
            grown[self._first - low : self._first - low + len(self._numbers)] = self._numbers
            self._numbers, self._first = grown, low
        places = ids - self._first
        numbers = self._numbers[places]
        new = numbers < 0
        numbers[new] = self._numbers[places[new]] = np.arange(self._size, self._size + np.count_nonzero(new))
        self._tables.append(ids[new])
        self._size += len(self._tables[-1])
        return np.asarray(numbers)

    def all(self) -> NDArray[Any]:
        """Return all ids in order of their numbers."""
        return np.concatenate([np.empty(0, dtype=np.int64), *self._tables])

    def _bounds(self, ids: NDArray[Any]) -> tuple[int, int]:
        """Return the first position of the array with these ids, and the end."""
        if not len(ids):
            return self._first, self._first + len(self._numbers)
        low, high = int(ids.min()), int(ids.max()) + 1
        if not self._size:
            return low, high
        return min(low, self._first), max(high, self._first + len(self._numbers))


class _AnyIds(_Ids):
    """Ids of any type, looked up in a hash table of all ids, which is built for each table."""

    def __init__(self, ids: NDArray[Any]) -> None:
        self._ids: pa.Array | None = pa.array(ids) if len(ids) else None

    def numbers_of(self, ids: NDArray[Any]) -> NDArray[np.int32]:
        """Return the numbers of distinct ids; new ids get the next numbers."""
        table_ids = pa.array(ids)
        if self._ids is None:
            self._ids = table_ids
            return np.arange(len(ids), dtype=np.int32)
        if table_ids.type != self._ids.type:
            # Strings and integers become strings: an integer id in canonical form has exactly one string.
            table_ids, self._ids = table_ids.cast(pa.string()), self._ids.cast(pa.string())
        numbers = pc.index_in(table_ids, self._ids)
        is_new = numbers.is_null()
        n_before = len(self._ids)
        self._ids = pa.concat_arrays([self._ids, table_ids.filter(is_new)])
        result = numbers.fill_null(0).to_numpy().copy()
        result[is_new.to_numpy(zero_copy_only=False)] = np.arange(n_before, len(self._ids), dtype=np.int32)
        return np.asarray(result)

    def all(self) -> NDArray[Any]:
        """Return all ids in order of their numbers."""
        if self._ids is None:
            return np.empty(0, dtype=np.int64)
        return np.asarray(self._ids.to_numpy(zero_copy_only=False))
