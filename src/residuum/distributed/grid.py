"""A two-dimensional partition of the adjacency matrix: blocks of rows and columns in files on shared storage."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from residuum._checkpoint import load_array
from residuum._kernels.rows import copy_ranges, first_entries, sum_of_rows
from residuum.distributed.stages import Stages
from residuum.errors import GraphFileError
from residuum.graph.disk import open_graph
from residuum.graph.disk.header import REVERSE, read_header
from residuum.graph.disk.rows import Rows, map_rows
from residuum.graph.disk.sorting import ENTRY, sorted_rows
from residuum.graph.weights import narrowed

__all__ = ["BlockFacts", "Grid", "build_block", "check_graph", "slice_rows", "sum_blocks"]

# Array of a block that is written last.
_LAST_ARRAY = "sums"


class BlockFacts(NamedTuple):
    """What is known of the entries of some blocks.

    Attributes
    ----------
    n_entries : int
        Number of entries.
    lightest, heaviest : float
        Bounds of their weights.
    """

    n_entries: int
    lightest: float
    heaviest: float

    @classmethod
    def of(cls, weights: NDArray[Any]) -> "BlockFacts":
        """Return the facts of some entries.

        Parameters
        ----------
        weights : array
            Weights of the entries.

        Returns
        -------
        BlockFacts
            Facts; an infinite range if there is no entry.
        """
        return cls(len(weights), float(weights.min(initial=np.inf)), float(weights.max(initial=-np.inf)))

    @classmethod
    def joined(cls, facts: "list[BlockFacts]") -> "BlockFacts":
        """Return the facts of all blocks together.

        Parameters
        ----------
        facts : list of BlockFacts
            Facts of each.

        Returns
        -------
        BlockFacts
            Facts of their entries.
        """
        counts, lightest, heaviest = zip(*facts, strict=True)
        return cls(sum(counts), min(lightest), max(heaviest))


@dataclass(frozen=True)
class Grid:
    """Blocks ``A[r, c]`` of the adjacency matrix, with the nodes in P consecutive parts.

    Attributes
    ----------
    home : Stages
        Folder of the blocks and the node ids.
    stages : Stages
        Folder of what is computed from them.
    bounds : tuple of int
        First node of each part, and the number of nodes.
    directed : bool
        Whether the blocks of the transposed matrix are stored, too.
    """

    home: Stages
    stages: Stages
    bounds: tuple[int, ...]
    directed: bool

    @property
    def n_nodes(self) -> int:
        """Number of nodes N."""
        return self.bounds[-1]

    @property
    def n_parts(self) -> int:
        """Number of parts P."""
        return len(self.bounds) - 1

    @property
    def blocks(self) -> list[tuple[int, int]]:
        """All pairs of parts."""
        return [(row, column) for row in range(self.n_parts) for column in range(self.n_parts)]

    def nodes(self, part: int) -> slice:
        """Return the range of the nodes of a part.

        Parameters
        ----------
        part : int
            Number of the part.

        Returns
        -------
        slice
            Positions of the nodes.
        """
        return slice(self.bounds[part], self.bounds[part + 1])

    def size(self, part: int) -> int:
        """Return the number of nodes of a part.

        Parameters
        ----------
        part : int
            Number of the part.

        Returns
        -------
        int
            Number of nodes.
        """
        return self.bounds[part + 1] - self.bounds[part]

    def block(self, row: int, column: int, *, reverse: bool = False) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return the CSR arrays of a block, memory-mapped: rounds of products read a block again and again.

        Parameters
        ----------
        row, column : int
            Parts of the rows and of the columns.
        reverse : bool, default False
            Whether to return the block of the transposed matrix.

        Returns
        -------
        indptr, indices, weights : arrays
            Columns are counted from the first node of their part.
        """
        name = block_name(row, column, reverse and self.directed)
        # Writable maps: numba compiles kernels for read-only arrays once more.
        indptr, indices, weights = (
            np.asarray(load_array(self.home.path(f"{name}-{array}.npy"), in_memory=False, writable=True))
            for array in ("indptr", "indices", "weights")
        )
        return indptr, indices, weights

    def block_rows(
        self, rows: slice, row: int, column: int, *, reverse: bool = False
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return the CSR arrays of some rows of a block; only these are read.

        Parameters
        ----------
        rows : slice
            Range of rows, counted from the first node of the part.
        row, column : int
            Parts of the rows and of the columns.
        reverse : bool, default False
            Whether to return rows of the transposed matrix.

        Returns
        -------
        indptr, indices, weights : arrays
            Columns are counted from the first node of their part.
        """
        name = block_name(row, column, reverse and self.directed)
        starts = np.array(self.home.load(f"{name}-indptr")[rows.start : rows.stop + 1], dtype=np.int64)
        entries = slice(starts[0], starts[-1])
        indices, weights = (np.array(self.home.load(f"{name}-{array}")[entries]) for array in ("indices", "weights"))
        return starts - starts[0], indices, weights


def block_name(row: int, column: int, reverse: bool = False) -> str:
    """Return the first part of the file names of a block.

    Parameters
    ----------
    row, column : int
        Parts of the rows and of the columns.
    reverse : bool, default False
        Whether it is a block of the transposed matrix.

    Returns
    -------
    str
        Name.
    """
    return f"{'reverse' if reverse else 'block'}-{row}-{column}"


def build_block(grid: Grid, n_pieces: int, row: int, column: int, reverse: bool) -> BlockFacts:
    """Write a block from the entries of all pieces: sorted, and entries with the same ends summed.

    Parameters
    ----------
    grid : Grid
        Partition.
    n_pieces : int
        Number of pieces of the edges.
    row, column : int
        Parts of the rows and of the columns.
    reverse : bool
        Whether to write the block of the transposed matrix.

    Returns
    -------
    BlockFacts
        Number of entries, and range of their weights.
    """
    name = block_name(row, column, reverse)
    if grid.home.path(f"{name}-{_LAST_ARRAY}.npy").exists():
        return BlockFacts.of(grid.home.load(f"{name}-weights"))
    source = column * grid.n_parts + row if reverse else row * grid.n_parts + column
    parts = []
    for piece in range(n_pieces):
        bounds = grid.home.load(f"entries-{piece}-bounds")
        parts.append(grid.home.load(f"entries-{piece}")[bounds[source] : bounds[source + 1]])
    entries = np.concatenate(parts)
    if reverse:
        turned = np.empty(len(entries), dtype=ENTRY)
        turned["row"], turned["column"], turned["weight"] = entries["column"], entries["row"], entries["weight"]
        entries = turned
    rows = sorted_rows(entries, 0, grid.size(row), grid.size(column))
    return _write_block(grid, name, rows)


def _write_block(grid: Grid, name: str, rows: Rows) -> BlockFacts:
    """Write the CSR arrays of a block, and for each row the sums of its weights, of their squares, and of ones."""
    indptr = np.concatenate([[0], np.cumsum(rows.lengths)])
    weights = narrowed(rows.weights)
    sums = np.empty((len(rows.lengths), 3))
    # Read-only, as the weights of a graph on disk are: one type of argument means one compilation.
    sum_of_rows(rows.lengths, _read_only(weights), sums)
    arrays = {
        "indptr": indptr.astype(np.int32 if indptr[-1] < 2**31 else np.int64),
        "indices": rows.columns.astype(np.int32, copy=False),
        "weights": weights,
        _LAST_ARRAY: sums,
    }
    for suffix, array in arrays.items():
        grid.home.save(f"{name}-{suffix}", array)
    return BlockFacts.of(weights)


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = np.asarray(array).view()
    view.flags.writeable = False
    return view


def sum_blocks(grid: Grid, part: int, reverse: bool) -> tuple[float, int]:
    """Write strengths, effective degrees and numbers of entries of a part; return the sum and number of the degrees.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    reverse : bool
        Whether to sum the transposed matrix.

    Returns
    -------
    degrees : float
        Sum of ``s_i² / Σ_j A_ij²`` over the nodes with edges.
    n_active : int
        Number of nodes with edges.
    """
    total = np.zeros((grid.size(part), 3))
    for column in range(grid.n_parts):
        total += grid.home.load(f"{block_name(part, column, reverse)}-sums")
    strength, squares, entries = total.T
    active = strength > 0
    degrees = np.divide(strength**2, squares, out=np.ones(len(total)), where=active)
    side = "in" if reverse else "out"
    grid.home.save(f"{side}-strength-{part}", np.ascontiguousarray(strength))
    grid.home.save(f"{side}-degrees-{part}", np.maximum(degrees, 1.0))
    grid.home.save(f"{side}-entries-{part}", entries.astype(np.int64))
    return float(degrees[active].sum()), int(np.count_nonzero(active))


def check_graph(folder: str) -> dict[str, Any]:
    """Check a graph on disk, and return its header.

    Parameters
    ----------
    folder : str
        Folder that ends in ``.r2g``.

    Returns
    -------
    dict
        Header.
    """
    open_graph(folder)
    return read_header(Path(folder))


def slice_rows(grid: Grid, folder: str, part: int, reverse: bool) -> BlockFacts:
    """Write the blocks of the rows of a part from a graph on disk.

    Parameters
    ----------
    grid : Grid
        Partition.
    folder : str
        Folder that ends in ``.r2g``.
    part : int
        Part of the rows.
    reverse : bool
        Whether to write blocks of the transposed matrix.

    Returns
    -------
    BlockFacts
        Number of entries, and range of their weights.
    """
    header = read_header(Path(folder))
    if header["n_nodes"] != grid.n_nodes:
        raise GraphFileError(
            f"{folder} was changed while it was read: it has {header['n_nodes']} nodes now. Run again."
        )
    records = {name.removesuffix(".npy"): record for name, record in header["files"].items()}
    matrix = map_rows(Path(folder), records, REVERSE if reverse else "")
    nodes = grid.nodes(part)
    starts = matrix.indptr[nodes.start : nodes.stop + 1].astype(np.int64)
    indices, weights = (_read_only(array[starts[0] : starts[-1]]) for array in (matrix.indices, matrix.data))
    starts -= starts[0]
    begins, facts = starts[:-1], []
    for column in range(grid.n_parts):
        ends = np.empty_like(begins)
        first_entries(begins, starts[1:], indices, grid.bounds[column + 1], ends)
        rows = _rows_within(begins, ends, indices, weights, grid.bounds[column])
        facts.append(_write_block(grid, block_name(part, column, reverse), rows))
        begins = ends
    return BlockFacts.joined(facts)


def _rows_within(
    begins: NDArray[np.int64], ends: NDArray[np.int64], indices: NDArray[Any], weights: NDArray[Any], offset: int
) -> Rows:
    """Return the given range of entries of each row, with the columns reduced by an offset."""
    lengths = ends - begins
    n_entries = int(lengths.sum())
    if n_entries == len(indices) and offset == 0:
        return Rows(lengths, indices, weights)
    columns, kept = np.empty(n_entries, dtype=indices.dtype), np.empty(n_entries, dtype=weights.dtype)
    copy_ranges(begins, ends, indices, weights, offset, columns, kept)
    return Rows(lengths, columns, kept)
