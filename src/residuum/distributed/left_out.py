"""Ends of left-out edges on a cluster, from which shrinkage and scale are read."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum.distributed.cluster import new_token
from residuum.distributed.factors import PartitionedFactors
from residuum.distributed.grid import Grid
from residuum.distributed.left_out_walks import WalksWithout, rows_in_blocks
from residuum.distributed.matrix import PartitionedMatrix, ResidualPart
from residuum.distributed.quotients import edge_quotients
from residuum.residual import unscaled
from residuum.residual.left_out_ends import JOINED, EdgeEnds, Side, sample_rows, usable_edges

__all__ = ["PartitionedEnds"]

# Side of sampled rows, by whether the matrix is symmetric.
_SIDES: dict[bool, Side] = {True: "columns", False: "rows"}


class PartitionedEnds(EdgeEnds):
    """Ends of edges of a partitioned graph; a few hundred walkers, rows and entries are gathered on the client.

    Parameters
    ----------
    matrix : PartitionedMatrix
        The factorized matrix.
    factors : PartitionedFactors
        Its leading factors.
    """

    matrix: PartitionedMatrix

    def __init__(self, matrix: PartitionedMatrix, factors: PartitionedFactors) -> None:
        self.matrix, self.values, self._factors = matrix, factors.values, factors
        self.signs = factors.left_signs * factors.right_signs
        self._graph, self._part = matrix.probabilities.graph, matrix.part
        self._cluster, self._grid = self._graph.cluster, matrix.part.grid

    def sample(self, n_edges: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Sample edges: a row in proportion to its strength, and an entry of the row by its weight."""
        graph, grid = self._graph, self._grid
        rows, within = sample_rows(graph.out_strength, 4 * n_edges, rng)
        home = np.searchsorted(np.asarray(grid.bounds), rows, side="right") - 1
        wanted = np.unique(home).tolist()
        items = [(grid, rows[home == part], within[home == part]) for part in wanted]
        targets = np.empty_like(rows)
        for part, found in zip(wanted, self._cluster.map("left-out-edges", drawn_targets, items), strict=True):
            targets[home == part] = found
        edges = np.unique(np.stack([rows, targets], axis=1), axis=0)
        degrees = graph.of_nodes("out-entries"), graph.of_nodes("in-entries" if graph.directed else "out-entries")
        return rng.permutation(usable_edges(edges, graph.directed, *degrees))[:n_edges]

    def is_edge(self, sources: NDArray[np.int64], targets: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which pairs are edges."""
        return np.asarray(self._weights(sources, targets) != 0)

    def _weights(self, sources: NDArray[np.int64], targets: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the weights of pairs, 0 without an edge."""
        items = [(self._grid, sources, targets, part) for part in range(self._grid.n_parts)]
        return np.asarray(self._cluster.total("left-out-edges", pair_weights, items))

    def energy(self) -> float:
        """Return the energy per node beyond the factors."""
        matrix = self.matrix
        if matrix.erasure is not None:
            return 0.0
        nodes, side = matrix.sampled_nodes, _SIDES[matrix.symmetric]
        tasks = self._part.tile(nodes, side, squares_of_tile)
        squares = np.sum(self._cluster.compute("sampled-rows", [lambda: tasks])[0], axis=0)
        captured = (self._rows(self._factors.left.name, nodes) * self.values).astype(np.float64)
        energy = float(np.mean(squares - (captured**2).sum(axis=1)))
        return max(energy, 0.0) * np.count_nonzero(matrix.row_scale) / matrix.n_nodes

    def vectors(self, nodes: NDArray[np.int64], side: Side) -> NDArray[np.float32]:
        """Return the vectors of some nodes."""
        factors, matrix = self._factors, self.matrix
        tall, signs, scale = (
            (factors.left, factors.left_signs, matrix.row_scale)
            if side == "rows"
            else (factors.right, factors.right_signs, matrix.column_scale)
        )
        lengths = (np.sqrt(self.values) * signs).astype(np.float32)
        return unscaled(self._rows(tall.name, nodes) * lengths, scale[nodes])

    def quotients(self) -> NDArray[np.float64]:
        """Return the correlation between the ends of an edge, in each dimension."""
        return edge_quotients(self.matrix, self._factors)

    def _rows(self, name: str, nodes: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return some rows of a tall matrix."""
        bounds = np.asarray(self._grid.bounds)
        home = np.searchsorted(bounds, nodes, side="right") - 1
        wanted = np.unique(home).tolist()
        items = [(self._grid, part, name, nodes[home == part] - bounds[part]) for part in wanted]
        rows = np.empty((len(nodes), len(self.values)), dtype=np.float32)
        for part, found in zip(wanted, self._cluster.map("some-rows", some_rows, items), strict=True):
            rows[home == part] = found
        return rows

    def coordinates(
        self, edges: NDArray[np.int64], nodes: NDArray[np.int64], side: Side
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return the coordinates of one end of each edge."""
        matrix, factors, parts = self.matrix, self._factors, range(self._grid.n_parts)
        walks = self._walks(edges, side)
        total = walks.run(self._cluster, nodes)
        sums = self._cluster.total("left-out-sums", column_sums, [(self._part, part, total) for part in parts])
        completed: Any = None
        if matrix.probabilities.completed is not None:
            completed = sums if side == "rows" else walks.run(self._cluster, None)
        others = edges.sum(axis=1) - nodes
        pairs = [(self._part, part, total, completed, others) for part in parts]
        largest, reached = np.max(self._cluster.map("left-out-sums", reached_part, pairs), axis=0)
        tall = factors.left if side == "columns" else factors.readout or factors.right
        lengths = self.inverse_root * (factors.left_signs if side == "columns" else factors.right_signs)
        items = [(self._part, part, total, completed, nodes, side, tall.name, lengths) for part in parts]
        found = self._cluster.total("left-out-rows", projected_part, items)
        self._grid.stages.forget(f"{walks.name}-")
        scale = (matrix.row_scale if side == "rows" else matrix.column_scale)[nodes]
        found = np.asarray(found / scale[:, None], dtype=np.float32)
        if matrix.erasure is not None and factors.erased is not None:
            own = [replace(part, values=part.values[nodes]) for part in matrix.erasure.parts]
            columns = replace(matrix.erasure, parts=own).columns()
            found -= (columns @ (factors.erased * factors.right_signs * self.inverse_root)).astype(np.float32)
        return found, reached > JOINED * largest

    def _walks(self, edges: NDArray[np.int64], side: Side) -> WalksWithout:
        graph = self._graph
        arcs = (edges,) if graph.directed else (edges, edges[:, ::-1])
        removed = tuple(self._weights(arc[:, 0], arc[:, 1]) for arc in arcs)
        strength = tuple(graph.out_strength[arc[:, 0]] for arc in arcs)
        return WalksWithout(self._part.walks, arcs, removed, strength, side == "rows", f"left-out-{new_token()}")


def drawn_targets(grid: Grid, rows: NDArray[np.int64], within: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the column of the entry of a row at a point of its cumulative weights.

    Parameters
    ----------
    grid : Grid
        Partition.
    rows : int array of shape (m,)
        Rows.
    within : array of shape (m,)
        Points, from 0 to the strength of the row.

    Returns
    -------
    int array of shape (m,)
        Columns.
    """
    targets, left = np.full(len(rows), -1, dtype=np.int64), within.copy()
    is_found = np.zeros(len(rows), dtype=np.bool_)
    for part in range(grid.n_parts):
        number, columns, weights = rows_in_blocks(grid, rows, part)
        order = np.argsort(number, kind="stable")
        starts = np.searchsorted(number[order], np.arange(len(rows) + 1))
        for row in np.flatnonzero(~is_found & (np.diff(starts) > 0)).tolist():
            own = order[starts[row] : starts[row + 1]]
            cumulative = np.cumsum(weights[own])
            place = int(np.searchsorted(cumulative, left[row], side="right"))
            # Beyond the last entry only by rounding.
            targets[row] = grid.bounds[part] + columns[own[min(place, len(own) - 1)]]
            is_found[row] = place < len(own)
            left[row] -= cumulative[-1]
    return targets


def pair_weights(grid: Grid, sources: NDArray[np.int64], targets: NDArray[np.int64], part: int) -> NDArray[np.float64]:
    """Return the weights of pairs whose target is in a part.

    Parameters
    ----------
    grid : Grid
        Partition.
    sources, targets : int arrays of shape (n,)
        Pairs.
    part : int
        Part of the targets.

    Returns
    -------
    array of shape (n,)
        Weights; 0 for other pairs.
    """
    inside = grid.nodes(part)
    chosen = np.flatnonzero((targets >= inside.start) & (targets < inside.stop))
    distinct, place = np.unique(sources[chosen], return_inverse=True)
    rows, columns, weights = rows_in_blocks(grid, distinct, part)
    keys = rows * grid.size(part) + columns
    wanted = place * grid.size(part) + targets[chosen] - inside.start
    order = np.argsort(keys)
    spot = np.minimum(np.searchsorted(keys[order], wanted), max(len(keys) - 1, 0))
    found = np.zeros(len(sources))
    if len(keys):
        found[chosen] = np.where(keys[order][spot] == wanted, weights[order][spot], 0.0)
    return found


def some_rows(grid: Grid, part: int, name: str, places: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return some rows of a tall matrix.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    name : str
        Name of the matrix.
    places : int array of shape (k,)
        Rows, counted from the first of the part.

    Returns
    -------
    float32 array of shape (k, K)
        Rows.
    """
    return np.asarray(grid.stages.load(f"{name}-{part}")[places])


def squares_of_tile(
    matrix: ResidualPart, part: int, tile: NDArray[np.float32], nodes: NDArray[np.int64], side: str
) -> NDArray[np.float64]:
    """Return the sums of the squared entries of the columns of a tile.

    Parameters
    ----------
    matrix : ResidualPart
        The matrix.
    part : int
        Part of the rows.
    tile : float32 array of shape (n, m)
        Entries of the matrix.
    nodes : int array of shape (m,)
        Nodes of the tile.
    side : {"columns", "rows"}
        Side of the tile.

    Returns
    -------
    array of shape (m,)
        Sums.
    """
    del matrix, part, nodes, side
    return np.asarray((tile.astype(np.float64) ** 2).sum(axis=0))


def probabilities_part(matrix: ResidualPart, part: int, total: str, completed: Any) -> NDArray[np.float32]:
    """Return the probabilities of walkers without their edges in a part.

    Parameters
    ----------
    matrix : ResidualPart
        The matrix.
    part : int
        Number of the part.
    total : str
        Name of the sums over the steps.
    completed : None, array of shape (m,), or str
        Share of the walks that do not end: of all walks, of each walker, or the name of such sums.

    Returns
    -------
    float32 array of shape (n, m)
        Probabilities.
    """
    load = matrix.grid.stages.load
    # Rounding can leave tiny negative values.
    tile = np.asarray(np.maximum(load(f"{total}-{part}")[1], 0.0), dtype=np.float32)
    if completed is None:
        return tile
    below = np.maximum(load(f"{completed}-{part}")[1], 0.0) if isinstance(completed, str) else completed[None, :]
    below = np.broadcast_to(below, tile.shape).astype(np.float32)
    return np.asarray(np.divide(tile, below, out=tile, where=below > 0))


def column_sums(matrix: ResidualPart, part: int, total: str) -> NDArray[np.float32]:
    """Return the sums of the probabilities of each walker in a part, before they are normalized.

    Parameters
    ----------
    matrix : ResidualPart
        The matrix.
    part : int
        Number of the part.
    total : str
        Name of the sums over the steps.

    Returns
    -------
    float32 array of shape (m,)
        Sums.
    """
    return np.asarray(probabilities_part(matrix, part, total, None).sum(axis=0))


def reached_part(
    matrix: ResidualPart, part: int, total: str, completed: Any, others: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the largest probability of each walker in a part, and that of the other end of its edge.

    Parameters
    ----------
    matrix : ResidualPart
        The matrix.
    part : int
        Number of the part.
    total : str
        Name of the sums over the steps.
    completed : None, array or str
        As in :func:`probabilities_part`.
    others : int array of shape (m,)
        Other end of each edge.

    Returns
    -------
    largest, reached : float32 arrays of shape (m,)
        Probabilities; 0 where the other end is in another part.
    """
    tile, inside = probabilities_part(matrix, part, total, completed), matrix.grid.nodes(part)
    walkers = np.flatnonzero((others >= inside.start) & (others < inside.stop))
    reached = np.zeros(tile.shape[1], dtype=np.float32)
    reached[walkers] = tile[others[walkers] - inside.start, walkers]
    return tile.max(axis=0), reached


def projected_part(
    matrix: ResidualPart,
    part: int,
    total: str,
    completed: Any,
    nodes: NDArray[np.int64],
    side: Side,
    name: str,
    lengths: NDArray[np.float32],
) -> NDArray[np.float64]:
    """Return the products of residuals with the readout in a part.

    Parameters
    ----------
    matrix : ResidualPart
        The matrix.
    part : int
        Number of the part.
    total : str
        Name of the sums over the steps.
    completed : None, array or str
        As in :func:`probabilities_part`.
    nodes : int array of shape (m,)
        Start of each walker.
    side : {"rows", "columns"}
        Whether these are centers or contexts.
    name : str
        Name of the readout.
    lengths : float32 array of shape (K,)
        Signed factors of its columns.

    Returns
    -------
    array of shape (m, K)
        Products.
    """
    tile = matrix.log_ratios(part, probabilities_part(matrix, part, total, completed), nodes, side)
    return np.asarray(tile.T @ (matrix.grid.stages.load(f"{name}-{part}") * lengths), dtype=np.float64)
