"""Window probabilities of walkers in a graph without one of its edges, a different edge for each walker."""

from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._threads import even_ranges, run_ranges
from residuum.walks.window import WindowProbabilities

__all__ = ["probabilities_without"]


def probabilities_without(
    probabilities: WindowProbabilities,
    edges: NDArray[np.int64],
    nodes: NDArray[np.int64],
    side: Literal["rows", "columns"] = "rows",
) -> NDArray[np.float32]:
    """Return ``P_d(j | nodes_s)``, or ``P_d(nodes_s | i)``, in the graph without edge s.

    With ``P' = P + e_a δᵀ`` for an edge (a, b), ``δ = P'_a − P_a`` is a sparse row, so that a step in the graph without
    the edge is a step in the graph plus ``x_a δ``; an undirected edge changes two rows.

    Parameters
    ----------
    probabilities : WindowProbabilities
        Graph and window.
    edges : int array of shape (m, 2)
        Edge s to leave out; its first end, and of an undirected graph both ends, must have other edges.
    nodes : int array of shape (m,)
        Node s: the center of a row, or the context of a column.
    side : {"rows", "columns"}, default "rows"
        Whether to return rows, transposed, or columns.

    Returns
    -------
    float32 array of shape (N, m)
        Probabilities of all contexts for center s, or from all centers to context s.

    Examples
    --------
    >>> from residuum import datasets
    >>> walks = WindowProbabilities(datasets.karate_club(), window=1)
    >>> walks.rows([0])[0, 1].item(), probabilities_without(walks, np.array([[0, 1]]), np.array([0]))[1, 0].item()
    (0.0625, 0.0)
    """
    graph = probabilities.graph
    arcs = [edges] if graph.directed else [edges, edges[:, ::-1]]
    changes = [_Change.of(probabilities, arc) for arc in arcs]
    tile = np.zeros((probabilities.n_nodes, len(nodes)), dtype=np.float32)
    tile[nodes, np.arange(len(nodes))] = 1.0
    if side == "rows" and not graph.directed:
        return _reversed(probabilities, changes, _window_sum(probabilities, changes, tile, "columns"), nodes)
    total = _window_sum(probabilities, changes, tile, side)
    if probabilities.completed is not None:
        # The share of the walks that do not end, in the graph without the edge.
        if side == "rows":
            completed = total.sum(axis=0, keepdims=True)
        else:
            completed = _window_sum(probabilities, changes, np.ones_like(tile), side)
        np.divide(total, completed, out=total, where=completed > 0)
    return total


@dataclass(frozen=True)
class _Change:
    """``P'_a − P_a`` for arcs (a, b) that are left out.

    Attributes
    ----------
    sources : int array of shape (m,)
        The changed rows a.
    rows : coo array of shape (m, N)
        Their changes.
    strength : array of shape (m,)
        Strength of a in the graph without the arc.
    """

    sources: NDArray[np.int64]
    rows: "sparse.coo_array[Any]"
    strength: NDArray[np.float64]

    @classmethod
    def of(cls, probabilities: WindowProbabilities, arcs: NDArray[np.int64]) -> Self:
        graph = probabilities.graph
        source, target = arcs.T
        strength = graph.out_strength[source]
        rows = sparse.coo_array(graph.adjacency[source])
        is_removed = rows.col == target[rows.row]
        removed = np.bincount(rows.row, np.where(is_removed, rows.data, 0.0), len(arcs))
        left = strength - removed
        growth = np.divide(1.0, left, out=np.zeros_like(left), where=left > 0) - 1.0 / strength
        data = rows.data * np.where(is_removed, -(1.0 / strength)[rows.row], growth[rows.row])
        change = sparse.coo_array((data.astype(np.float32), (rows.row, rows.col)), shape=rows.shape)
        return cls(source, change, left)


def _reversed(
    probabilities: WindowProbabilities, changes: list[_Change], tile: NDArray[np.float32], nodes: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Turn columns of an undirected graph into transposed rows, ``P_d(j | s) = P_d(s | j) d_j / d_s``, in place.

    The transpose of P is not needed, which would take as much memory as the weights of all edges.
    """
    strength = probabilities.graph.out_strength
    starts = strength[nodes].copy()
    for change in changes:
        np.copyto(starts, change.strength, where=change.sources == nodes)
    probabilities.scale_by_strength(tile, 1.0 / (starts / probabilities.unit))
    for change in changes:
        factors = change.strength / strength[change.sources]
        tile[change.sources, np.arange(len(nodes))] *= factors.astype(np.float32)
    return tile


def _window_sum(
    probabilities: WindowProbabilities,
    changes: list[_Change],
    tile: NDArray[np.float32],
    side: Literal["rows", "columns"],
) -> NDArray[np.float32]:
    """Return ``Σ_t w_t P'ᵗ x``, or with the transpose of P', for column s of x in the graph without edge s."""
    n_walkers = tile.shape[1]
    walkers = np.arange(n_walkers)
    spare, total = np.empty_like(tile), np.zeros_like(tile)
    for weight in probabilities.window:
        probabilities.step(tile, spare, transposed=side == "rows")
        for change in changes:
            rows = change.rows
            if side == "rows":
                spare[rows.col, rows.row] += rows.data * tile[change.sources, walkers][rows.row]
            else:
                products = rows.data * tile[rows.col, rows.row]
                spare[change.sources, walkers] += np.bincount(rows.row, products, n_walkers).astype(np.float32)
        tile, spare = spare, tile
        _add_multiple(total, np.float32(weight), tile)
    return np.maximum(total, 0.0, out=total)  # rounding can leave tiny negative values


def _add_multiple(total: NDArray[np.float32], weight: np.float32, tile: NDArray[np.float32]) -> None:
    """Add a multiple of a tile, in ranges of rows."""

    def add(begin: int, end: int) -> None:
        total[begin:end] += weight * tile[begin:end]

    run_ranges(add, even_ranges(len(total), total.size))
