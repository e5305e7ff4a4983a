"""Window probabilities of walkers on a partitioned graph without one of its edges, a different edge for each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.distributed.cluster import Cluster
from residuum.distributed.grid import Grid, block_name
from residuum.distributed.products import Walks

__all__ = ["WalksWithout", "rows_in_blocks"]


@dataclass(frozen=True)
class WalksWithout:
    """Steps in the graph without edge s of walker s, as :func:`residuum.walks.left_out.probabilities_without`.

    The state of the walkers is a file for each part with their distribution and the sum over the steps. What the change
    of a row needs from other parts, one number per walker, passes through the client.

    Attributes
    ----------
    walks : Walks
        Graph and window.
    arcs : tuple of int arrays of shape (m, 2)
        Arcs that walkers do not use: the edges and, if the graph is undirected, the edges reversed.
    removed, strength : tuples of arrays of shape (m,)
        Weight of each arc, and out-strength of its source.
    transposed : bool
        Whether to compute rows instead of columns.
    name : str
        First part of the file names.
    """

    walks: Walks
    arcs: tuple[NDArray[np.int64], ...]
    removed: tuple[NDArray[np.float64], ...]
    strength: tuple[NDArray[np.float64], ...]
    transposed: bool
    name: str

    def run(self, cluster: Cluster, nodes: NDArray[np.int64] | None) -> str:
        """Write ``Σ_t w_t P'ᵗ e_s`` of each walker, and return the name.

        Parameters
        ----------
        cluster : Cluster
            Workers.
        nodes : int array of shape (m,), or None
            Starts of the walkers; None for vectors of ones.

        Returns
        -------
        str
            Name of files of shape (2, n, m), of which the second matrix is the sum.
        """
        parts = range(self.walks.grid.n_parts)
        start = f"{self.name}-{'ones' if nodes is None else 'walk'}"
        cluster.map("left-out-rows", save_changes, [(self, part) for part in parts])
        carries = cluster.total("left-out-step", start_part, [(self, part, nodes, f"{start}-0") for part in parts])
        for number in range(1, len(self.walks.window) + 1):
            before, after = f"{start}-{number - 1}", f"{start}-{number}"
            items = [(self, part, number, before, after, carries) for part in parts]
            carries = cluster.total("left-out-step", step_part, items)
            self.walks.grid.stages.forget(f"{before}-")
        return f"{start}-{len(self.walks.window)}"

    def changes(self, part: int) -> "list[sparse.coo_array[Any]]":
        """Return the differences of the changed rows, ``P'_a − P_a``, in the columns of a part.

        Parameters
        ----------
        part : int
            Part of the columns.

        Returns
        -------
        list of sparse arrays of shape (m, n)
            One row per walker.
        """
        found = []
        for number in range(len(self.arcs)):
            row, column, data = (
                self.walks.grid.stages.load(f"{self.name}-change-{number}-{part}-{name}")
                for name in ("row", "column", "data")
            )
            shape = (len(self.arcs[number]), self.walks.grid.size(part))
            found.append(sparse.coo_array((data, (row, column)), shape=shape))
        return found

    def carried(self, part: int, tile: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return what the changes of the next step need from a part, one number per arc and walker.

        Parameters
        ----------
        part : int
            Number of the part.
        tile : float32 array of shape (n, m)
            Distribution of the walkers.

        Returns
        -------
        float32 array of shape (number of arcs, m)
            Numbers to add up over the parts.
        """
        carries = np.zeros((len(self.arcs), tile.shape[1]), dtype=np.float32)
        changes = [] if self.transposed else self.changes(part)
        for number, arc in enumerate(self.arcs):
            if self.transposed:
                places, walkers = _inside(self.walks.grid, part, arc[:, 0])
                carries[number, walkers] = tile[places, walkers]
            else:
                change = changes[number]
                products = change.data * tile[change.col, change.row]
                carries[number] = np.bincount(change.row, products, tile.shape[1])
        return carries

    def stepped(
        self, part: int, before: Callable[[int], NDArray[np.float32]], carries: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return the distribution after a step in a part.

        Parameters
        ----------
        part : int
            Number of the part.
        before : callable
            Returns the distribution in a part before the step.
        carries : float32 array of shape (number of arcs, m)
            What :meth:`carried` returned, added up.

        Returns
        -------
        float32 array of shape (n, m)
            Distribution.
        """
        tile = np.zeros((self.walks.grid.size(part), carries.shape[1]), dtype=np.float32)
        for column in range(self.walks.grid.n_parts):
            tile += self.walks.multiply(part, column, self.transposed, before(column))
        changes = self.changes(part) if self.transposed else []
        for number, arc in enumerate(self.arcs):
            if self.transposed:
                change = changes[number]
                tile[change.col, change.row] += change.data * carries[number][change.row]
            else:
                places, walkers = _inside(self.walks.grid, part, arc[:, 0])
                tile[places, walkers] += carries[number, walkers]
        return tile


def save_changes(walks: WalksWithout, part: int) -> None:
    """Write the differences of the changed rows in the columns of a part.

    Parameters
    ----------
    walks : WalksWithout
        Walks.
    part : int
        Part of the columns.
    """
    grid = walks.walks.grid
    first = grid.bounds[part]
    for number, (arc, removed, strength) in enumerate(zip(walks.arcs, walks.removed, walks.strength, strict=True)):
        left = strength - removed
        growth = np.divide(1.0, left, out=np.zeros_like(left), where=left > 0) - 1.0 / strength
        row, column, weights = rows_in_blocks(grid, arc[:, 0], part)
        is_removed = column + first == arc[row, 1]
        data = (weights * np.where(is_removed, -1.0 / strength[row], growth[row])).astype(np.float32)
        for name, array in (("row", row), ("column", column), ("data", data)):
            grid.stages.save(f"{walks.name}-change-{number}-{part}-{name}", array)


def rows_in_blocks(
    grid: Grid, nodes: NDArray[np.int64], part: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return the entries of the rows of some nodes in the columns of a part.

    Parameters
    ----------
    grid : Grid
        Partition.
    nodes : int array of shape (m,)
        Nodes, in any order.
    part : int
        Part of the columns.

    Returns
    -------
    rows, columns : int arrays
        Number of the node, and column counted from the first of the part.
    weights : array
        Weights.
    """
    home = np.searchsorted(np.asarray(grid.bounds), nodes, side="right") - 1
    rows, columns, weights = [np.empty(0, np.int64)], [np.empty(0, np.int64)], [np.empty(0)]
    for other in np.unique(home).tolist():
        indptr, indices, values = (
            grid.home.load(f"{block_name(other, part)}-{array}") for array in ("indptr", "indices", "weights")
        )
        for number in np.flatnonzero(home == other).tolist():
            place = nodes[number] - grid.bounds[other]
            entries = slice(int(indptr[place]), int(indptr[place + 1]))
            rows.append(np.full(entries.stop - entries.start, number))
            columns.append(indices[entries].astype(np.int64))
            weights.append(values[entries].astype(np.float64))
    return np.concatenate(rows), np.concatenate(columns), np.concatenate(weights)


def start_part(walks: WalksWithout, part: int, nodes: NDArray[np.int64] | None, name: str) -> NDArray[np.float32]:
    """Write the starting points of the walkers in a part, and return what the first step needs.

    Parameters
    ----------
    walks : WalksWithout
        Walks.
    part : int
        Number of the part.
    nodes : int array of shape (m,), or None
        Starts; None for ones.
    name : str
        Name of the state.

    Returns
    -------
    float32 array of shape (number of arcs, m)
        See :meth:`WalksWithout.carried`.
    """
    grid = walks.walks.grid
    state = np.zeros((2, grid.size(part), len(walks.arcs[0])), dtype=np.float32)
    if nodes is None:
        state[0] = 1.0
    else:
        places, walkers = _inside(grid, part, nodes)
        state[0, places, walkers] = 1.0
    grid.stages.save(f"{name}-{part}", state)
    return walks.carried(part, state[0])


def step_part(
    walks: WalksWithout, part: int, number: int, before: str, after: str, carries: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Take a step in a part, and return what the next one needs.

    Parameters
    ----------
    walks : WalksWithout
        Walks.
    part : int
        Number of the part.
    number : int
        Number of the step, from 1.
    before, after : str
        Names of the states.
    carries : float32 array of shape (number of arcs, m)
        See :meth:`WalksWithout.carried`.

    Returns
    -------
    float32 array of shape (number of arcs, m)
        As ``carries``.
    """
    load = walks.walks.grid.stages.load

    def compute() -> NDArray[np.float32]:
        tile = walks.stepped(part, lambda column: np.array(load(f"{before}-{column}")[0]), carries)
        weight = np.float32(walks.walks.window[number - 1])
        return np.stack([tile, load(f"{before}-{part}")[1] + weight * tile])

    return walks.carried(part, np.array(walks.walks.grid.stages.array(f"{after}-{part}", compute)[0]))


def _inside(grid: Grid, part: int, nodes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the places of nodes that are in a part, and their walkers."""
    inside = grid.nodes(part)
    walkers = np.flatnonzero((nodes >= inside.start) & (nodes < inside.stop))
    return nodes[walkers] - inside.start, walkers
