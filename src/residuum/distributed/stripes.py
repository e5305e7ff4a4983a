"""Stripes of whole rows of the adjacency matrix, on which random walkers move: as few as the memory allows."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._kernels.alias import alias_of
from residuum.distributed.cluster import Cluster
from residuum.distributed.graph import PartitionedGraph
from residuum.distributed.grid import Grid

__all__ = ["Stripes", "build_stripes"]

# Bytes per entry of a stripe with alias tables, and share of the memory of a thread for one.
_ENTRY_BYTES, _STRIPE_SHARE = 12, 0.2


@dataclass(frozen=True)
class Stripes:
    """Rows of the adjacency matrix in S files, each with the rows of several parts.

    A walker within a stripe needs no other, so fewer stripes exchange fewer walkers between tasks.

    Attributes
    ----------
    grid : Grid
        Blocks of the adjacency matrix.
    parts : tuple of int
        First part of each stripe, and the number of parts.
    """

    grid: Grid
    parts: tuple[int, ...]

    @property
    def bounds(self) -> NDArray[np.int64]:
        """First node of each stripe, and the number of nodes."""
        return np.asarray(self.grid.bounds, dtype=np.int64)[list(self.parts)]

    @property
    def count(self) -> int:
        """Number of stripes S."""
        return len(self.parts) - 1

    def name(self, stripe: int) -> str:
        """Return the first part of the file names of a stripe.

        Parameters
        ----------
        stripe : int
            Number of the stripe.

        Returns
        -------
        str
            Name.
        """
        return f"stripe-{self.parts[stripe]}-{self.parts[stripe + 1]}"

    def load(self, stripe: int) -> tuple[NDArray[Any], ...]:
        """Return a stripe, memory-mapped.

        Parameters
        ----------
        stripe : int
            Number of the stripe.

        Returns
        -------
        indptr, indices, threshold, alias : arrays
            CSR arrays, with columns numbered in the graph, and alias tables, which are empty if all weights are equal.
        """
        arrays = ("indptr", "indices", "threshold", "alias")
        return tuple(self.grid.home.load(f"{self.name(stripe)}-{array}") for array in arrays)


def build_stripes(graph: PartitionedGraph) -> Stripes:
    """Write the stripes of a graph, unless they are there.

    Parameters
    ----------
    graph : PartitionedGraph
        The graph.

    Returns
    -------
    Stripes
        The stripes.
    """
    grid, cluster = graph.grid, graph.cluster
    record = grid.home.record("stripes", lambda: {"count": _count(cluster, grid, graph.n_entries)})
    parts = np.linspace(0, grid.n_parts, record["count"] + 1).astype(int)
    stripes = Stripes(grid, tuple(parts.tolist()))
    equal = graph.facts["lightest"] == graph.facts["heaviest"]
    cluster.map("build-stripes", build_stripe, [(stripes, number, equal) for number in range(stripes.count)])
    return stripes


def _count(cluster: Cluster, grid: Grid, n_entries: int) -> int:
    limit = _STRIPE_SHARE * cluster.thread_bytes
    wanted = int(np.ceil(_ENTRY_BYTES * n_entries / limit)) if limit else 1
    return min(max(wanted, 1), grid.n_parts)


def build_stripe(stripes: Stripes, number: int, equal: bool) -> None:
    """Write the rows of a stripe from the blocks of its parts.

    Parameters
    ----------
    stripes : Stripes
        Layout of the stripes.
    number : int
        Number of the stripe.
    equal : bool
        Whether all weights of the graph are equal, so that no alias tables are needed.
    """
    grid, name = stripes.grid, stripes.name(number)
    if grid.home.path(f"{name}-indptr.npy").exists():
        return
    rows = [_rows_of_part(grid, part) for part in range(*stripes.parts[number : number + 2])]
    matrix = sparse.vstack(rows, format="csr")
    threshold, alias = alias_of(matrix.indptr, matrix.data[:0] if equal else matrix.data)
    kind = np.int32 if grid.n_nodes < 2**31 else np.int64
    # The array that is written last says that the stripe is complete.
    arrays = {"indices": matrix.indices.astype(kind, copy=False), "threshold": threshold, "alias": alias}
    for suffix, array in (arrays | {"indptr": matrix.indptr.astype(np.int64)}).items():
        grid.home.save(f"{name}-{suffix}", array)


def _rows_of_part(grid: Grid, part: int) -> "sparse.csr_array[Any]":
    blocks = []
    for column in range(grid.n_parts):
        indptr, indices, weights = grid.block(part, column)
        blocks.append(sparse.csr_array((weights, indices, indptr), shape=(grid.size(part), grid.size(column))))
    return sparse.hstack(blocks, format="csr")
