"""Window probabilities of walkers in a graph without one of its edges, a different edge for each walker."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

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
    arcs = [edges] if probabilities.graph.directed else [edges, edges[:, ::-1]]
    changes = [(arc[:, 0], _change(probabilities, arc)) for arc in arcs]
    tile = np.zeros((probabilities.n_nodes, len(nodes)), dtype=np.float32)
    tile[nodes, np.arange(len(nodes))] = 1.0
    total = _window_sum(probabilities, changes, tile, side)
    if probabilities.completed is not None:
        # The share of the walks that do not end, in the graph without the edge.
        if side == "rows":
            completed = total.sum(axis=0, keepdims=True)
        else:
            completed = _window_sum(probabilities, changes, np.ones_like(tile), side)
        np.divide(total, completed, out=total, where=completed > 0)
    return total


def _window_sum(
    probabilities: WindowProbabilities,
    changes: "list[tuple[NDArray[np.int64], sparse.coo_array[Any]]]",
    tile: NDArray[np.float32],
    side: Literal["rows", "columns"],
) -> NDArray[np.float32]:
    """Return ``Σ_t w_t P'ᵗ x``, or with the transpose of P', for column s of x in the graph without edge s."""
    n_walkers = tile.shape[1]
    walkers = np.arange(n_walkers)
    spare, total = np.empty_like(tile), np.zeros_like(tile)
    for weight in probabilities.window:
        probabilities.step(tile, spare, transposed=side == "rows")
        for changed, change in changes:
            if side == "rows":
                spare[change.col, change.row] += change.data * tile[changed, walkers][change.row]
            else:
                products = change.data * tile[change.col, change.row]
                spare[changed, walkers] += np.bincount(change.row, products, n_walkers).astype(np.float32)
        tile, spare = spare, tile
        total += np.float32(weight) * tile
    return np.maximum(total, 0.0)  # rounding can leave tiny negative values


def _change(probabilities: WindowProbabilities, arcs: NDArray[np.int64]) -> "sparse.coo_array[Any]":
    """Return ``P'_a − P_a`` for each arc (a, b), shape (m, N)."""
    graph = probabilities.graph
    source, target = arcs.T
    strength = graph.out_strength[source]
    rows = sparse.coo_array(graph.adjacency[source])
    is_removed = rows.col == target[rows.row]
    removed = np.bincount(rows.row, np.where(is_removed, rows.data, 0.0), len(arcs))
    left = strength - removed
    growth = np.divide(1.0, left, out=np.zeros_like(left), where=left > 0) - 1.0 / strength
    data = rows.data * np.where(is_removed, -(1.0 / strength)[rows.row], growth[rows.row])
    return sparse.coo_array((data.astype(np.float32), (rows.row, rows.col)), shape=rows.shape)
