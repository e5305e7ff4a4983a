"""Node ids to positions 0, …, N − 1 by a distributed sort, and edges between positions, sorted by block."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from residuum._progress import ProgressCallback, Stage
from residuum.distributed.cluster import Cluster
from residuum.distributed.edges import EdgePiece
from residuum.distributed.stages import Stages, read_ids, write_ids
from residuum.errors import InvalidGraphError
from residuum.graph.disk.sorting import ENTRY
from residuum.graph.edge_table import both_directions

__all__ = ["distribute_entries", "number_nodes", "part_bounds", "write_part_ids"]

# Ids of each piece from which the borders of the buckets are chosen.
_SAMPLES = 256


def number_nodes(
    cluster: Cluster, stages: Stages, pieces: Sequence[EdgePiece], n_buckets: int, progress: ProgressCallback | None
) -> list[int]:
    """Sort the ids of all nodes into buckets on shared storage, by a sample sort.

    Each piece sorts its own ids; borders between buckets are quantiles of samples of these; each bucket merges its
    range of ids from all pieces. The position of a node is its rank.

    Parameters
    ----------
    cluster : Cluster
        Workers.
    stages : Stages
        Shared storage.
    pieces : sequence of EdgePiece
        Edges.
    n_buckets : int
        Number of buckets, about as many as partitions.
    progress : callable or None
        Called with the progress.

    Returns
    -------
    list of int
        First position of each bucket, and the number of nodes N.
    """
    reading = Stage("reading edges", len(pieces), progress)
    items = [(stages, piece, number) for number, piece in enumerate(pieces)]
    samples = cluster.map("read-edges", read_piece, items, reading)
    borders = _borders(samples, n_buckets)
    sorting = Stage("sorting nodes", len(borders) + 1, progress)
    buckets = [
        (stages, len(pieces), number, low, high)
        for number, (low, high) in enumerate(zip([None, *borders], [*borders, None], strict=True))
    ]
    counts = cluster.map("sort-nodes", merge_bucket, buckets, sorting)
    return [0, *np.cumsum(counts).tolist()]


def read_piece(stages: Stages, piece: EdgePiece, number: int) -> tuple[int, list[Any]]:
    """Write the edges of a piece, with nodes numbered in ascending order of their ids, and these ids.

    Parameters
    ----------
    stages : Stages
        Shared storage.
    piece : EdgePiece
        Edges.
    number : int
        Number of the piece.

    Returns
    -------
    n_ids : int
        Number of distinct ids.
    sample : list
        Some of the ids, ascending.
    """
    rows, columns, weights, ids = piece.numbered()
    order = np.argsort(ids)
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    entries = np.empty(len(rows), dtype=ENTRY)
    entries["row"], entries["column"], entries["weight"] = rank[rows], rank[columns], weights
    write_ids(stages.path(f"piece-{number}.arrow"), pa.array(ids[order]))
    stages.array(f"piece-{number}", lambda: entries)
    places = np.linspace(0, len(order) - 1, min(len(order), _SAMPLES)).astype(np.int64)
    return len(order), ids[order[places]].tolist()


def _borders(samples: list[tuple[int, list[Any]]], n_buckets: int) -> list[Any]:
    """Return the quantiles of the sampled ids, each of which stands for an equal share of the ids of its piece."""
    kinds = {type(sample[0]) for _, sample in samples}
    if len(kinds) > 1:
        names = " and ".join(sorted(kind.__name__ for kind in kinds))
        raise InvalidGraphError(f"node ids must be all integers or all strings; got {names}. Convert the files.")
    weighted = sorted((identity, count / len(sample)) for count, sample in samples for identity in sample)
    weights = np.cumsum([weight for _, weight in weighted])
    places = np.searchsorted(weights, weights[-1] * np.arange(1, n_buckets) / n_buckets)
    return sorted({weighted[min(place, len(weighted) - 1)][0] for place in places.tolist()})


def merge_bucket(stages: Stages, n_pieces: int, number: int, low: Any, high: Any) -> int:
    """Write the distinct ids from ``low``, inclusive, to ``high``, exclusive, of all pieces, in ascending order.

    Parameters
    ----------
    stages : Stages
        Shared storage.
    n_pieces : int
        Number of pieces.
    number : int
        Number of the bucket.
    low, high : node id or None
        Borders; None for the first and the last bucket.

    Returns
    -------
    int
        Number of ids.
    """
    parts = []
    for piece in range(n_pieces):
        ids = read_ids(stages.path(f"piece-{piece}.arrow"))
        begin = 0 if low is None else _first_from(ids, low)
        end = len(ids) if high is None else _first_from(ids, high)
        parts.append(ids.slice(begin, end - begin))
    distinct = pc.unique(pa.chunked_array(parts))
    distinct = distinct.take(pc.sort_indices(distinct))
    write_ids(stages.path(f"bucket-{number}.arrow"), distinct)
    return len(distinct)


def _first_from(ids: pa.Array, border: Any) -> int:
    """Return the position of the first id that is not below a border, by bisection."""
    begin, end = 0, len(ids)
    while begin < end:
        middle = (begin + end) // 2
        if ids[middle].as_py() < border:
            begin = middle + 1
        else:
            end = middle
    return begin


def part_bounds(n_nodes: int, n_parts: int) -> list[int]:
    """Return the bounds of parts with equally many nodes.

    Parameters
    ----------
    n_nodes, n_parts : int
        Number of nodes, and of parts, at most one per node.

    Returns
    -------
    list of int
        First position of each part, and the number of nodes.

    Examples
    --------
    >>> part_bounds(10, 3)
    [0, 3, 6, 10]
    """
    n_parts = min(n_parts, n_nodes)
    return [n_nodes * part // n_parts for part in range(n_parts + 1)]


def write_part_ids(stages: Stages, starts: list[int], bounds: list[int], part: int) -> None:
    """Write the ids of the nodes of a part.

    Parameters
    ----------
    stages : Stages
        Shared storage, with the sorted buckets.
    starts : list of int
        First position of each bucket, and the number of nodes.
    bounds : list of int
        Bounds of the parts.
    part : int
        Number of the part.
    """
    first, last = bounds[part], bounds[part + 1]
    pieces = []
    for bucket, (begin, end) in enumerate(itertools.pairwise(starts)):
        if begin < last and end > first:
            ids = read_ids(stages.path(f"bucket-{bucket}.arrow"))
            pieces.append(ids.slice(max(first - begin, 0), min(last, end) - max(first, begin)))
    write_ids(stages.path(f"ids-{part}.arrow"), pa.chunked_array(pieces).combine_chunks())


def distribute_entries(stages: Stages, number: int, starts: list[int], bounds: list[int], directed: bool) -> int:
    """Write the entries of a piece, sorted by block: row and column within the block, and weight.

    Parameters
    ----------
    stages : Stages
        Shared storage.
    number : int
        Number of the piece.
    starts : list of int
        First position of each bucket, and the number of nodes.
    bounds : list of int
        Bounds of the parts.
    directed : bool
        Whether an edge is one entry rather than two.

    Returns
    -------
    int
        Number of entries.
    """
    positions = _positions(stages, read_ids(stages.path(f"piece-{number}.arrow")), starts)
    edges = stages.load(f"piece-{number}")
    rows, columns, weights = positions[edges["row"]], positions[edges["column"]], edges["weight"]
    if not directed:
        rows, columns, weights = both_directions(rows, columns, weights)
    limits = np.asarray(bounds)
    row_parts, column_parts = (np.searchsorted(limits, ends, side="right") - 1 for ends in (rows, columns))
    n_parts = len(bounds) - 1
    block = row_parts * n_parts + column_parts
    order = np.argsort(block, kind="stable")
    entries = np.empty(len(rows), dtype=ENTRY)
    entries["row"], entries["column"] = (rows - limits[row_parts])[order], (columns - limits[column_parts])[order]
    entries["weight"] = weights[order]
    counts = np.bincount(block, minlength=n_parts**2)
    stages.array(f"entries-{number}-bounds", lambda: np.concatenate([[0], np.cumsum(counts)]))
    stages.array(f"entries-{number}", lambda: entries)
    return len(entries)


def _positions(stages: Stages, ids: pa.Array, starts: list[int]) -> NDArray[np.int64]:
    """Return the positions of ascending ids among all nodes."""
    positions = np.empty(len(ids), dtype=np.int64)
    begin = 0
    for bucket, start in enumerate(starts[:-1]):
        if begin == len(ids):
            break
        known = read_ids(stages.path(f"bucket-{bucket}.arrow"))
        if not len(known):
            continue
        end = begin + _first_after(ids.slice(begin), known[-1].as_py())
        positions[begin:end] = start + _ranks(ids.slice(begin, end - begin), known)
        begin = end
    return positions


def _first_after(ids: pa.Array, border: Any) -> int:
    """Return the position of the first id above a border that is an id or not, by bisection."""
    first = _first_from(ids, border)
    return first + (first < len(ids) and ids[first].as_py() == border)


def _ranks(ids: pa.Array, known: pa.Array) -> NDArray[np.int64]:
    """Return the positions of ids among ascending known ids."""
    if pa.types.is_integer(ids.type):
        return np.asarray(np.searchsorted(known.to_numpy(), ids.to_numpy()), dtype=np.int64)
    return np.asarray(pc.index_in(ids, value_set=known).to_numpy(zero_copy_only=False), dtype=np.int64)
