"""Graphs as parquet files, and vectors on a cluster compared with local ones."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from residuum import Graph


def write_edges(graph: Graph, folder: Path, n_files: int = 3) -> Path:
    """Write the edges of a graph to several parquet files, in random order."""
    entries = graph.adjacency.tocoo()
    kept = np.flatnonzero(graph.directed | (entries.row <= entries.col))
    kept = np.random.default_rng(0).permutation(kept)
    ends = (graph.node_ids[end[kept]] for end in (entries.row, entries.col))
    table = pa.table([*map(pa.array, ends), pa.array(entries.data[kept].astype(float))], ["source", "target", "weight"])
    folder.mkdir(parents=True)
    bounds = np.linspace(0, len(table), n_files + 1).astype(int)
    for number in range(n_files):
        part = table.slice(bounds[number], bounds[number + 1] - bounds[number])
        pq.write_table(part, folder / f"part-{number}.parquet")
    return folder


def read_vectors(folder: Path) -> dict[str, NDArray[Any]]:
    """Return the columns of a folder of vectors."""
    table = pq.read_table(folder)
    columns = {name: np.array(table.column(name).to_pylist()) for name in ("vector", "context")}
    return columns | {name: table.column(name).to_numpy() for name in ("id", "offset", "source_offset")}


def subspace_distance(first: NDArray[Any], second: NDArray[Any]) -> float:
    """Return the sine of the largest angle between the spans of two sets of columns."""
    Q, P = (np.linalg.qr(X.astype(np.float64))[0] for X in (first, second))
    return float(np.linalg.norm(Q - P @ (P.T @ Q), 2))
