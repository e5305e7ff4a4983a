"""Rounds of a partitioned sparse product: window probabilities of a tile of columns, one part of the nodes per task."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._kernels.products import walk_step
from residuum._validation import import_extra
from residuum.distributed.cluster import alone, new_token
from residuum.distributed.grid import Grid

__all__ = ["Walks", "tile_tasks", "vector_step", "window_spread", "window_total"]

_no_mask = np.empty(0, dtype=np.bool_)


@dataclass(frozen=True)
class Walks:
    """Steps of random walkers on a partitioned graph, as tasks see them.

    ``P X`` is computed block by block: the step of part r is ``Σ_c A[r, c] X[c]``, summed along a chain of tasks, so
    that a worker holds three pieces of X at a time, never all of it.

    Attributes
    ----------
    grid : Grid
        Blocks of the adjacency matrix; ``leaving.npy`` beside them is ``unit / d_i``.
    window : tuple of float
        Weights of the steps.
    unit : float
        Power of two that edge weights are divided by.
    """

    grid: Grid
    window: tuple[float, ...]
    unit: float

    def leaving(self, part: int) -> NDArray[np.float32]:
        """Return ``unit / d_i`` of the nodes of a part.

        Parameters
        ----------
        part : int
            Number of the part.

        Returns
        -------
        float32 array
            Factor from edge weights to step probabilities.
        """
        return np.array(self.grid.stages.load("leaving")[self.grid.nodes(part)])

    def in_unit(self, weights: NDArray[Any]) -> NDArray[np.float32]:
        """Return edge weights in float32, divided by the unit.

        Parameters
        ----------
        weights : array
            Weights of a block.

        Returns
        -------
        float32 array
            Weights that fit into float32.
        """
        scaled = weights if self.unit == 1.0 else weights.astype(np.float64) / self.unit
        return np.asarray(scaled.astype(np.float32, copy=False))

    def multiply(
        self, row: int, column: int, transposed: bool, X: NDArray[np.float32], filled: NDArray[np.bool_] = _no_mask
    ) -> NDArray[np.float32]:
        """Return the product of one block of P, or of its transpose, with the rows of X of one part.

        Parameters
        ----------
        row, column : int
            Parts of the rows and of the columns.
        transposed : bool
            Whether to multiply by the transpose of P.
        X : float32 array of shape (n, m)
            Rows of the part of the columns.
        filled : bool array of shape (n,), optional
            Rows of X that are not zero.

        Returns
        -------
        float32 array of shape (n', m)
            Contribution to the rows of the part.
        """
        indptr, indices, weights = self.grid.block(row, column, reverse=transposed)
        weights = self.in_unit(weights)
        if transposed:
            weights = weights * self.leaving(column)[indices]
            scale = np.ones(self.grid.size(row), dtype=np.float32)
        else:
            scale = self.leaving(row)
        out = np.empty((self.grid.size(row), X.shape[1]), dtype=np.float32)
        # Pieces from other workers are read-only; one type of argument for all means one compilation.
        X = np.ascontiguousarray(X).view()
        X.flags.writeable = False
        walk_step(indptr, indices, weights, scale, X, filled, out, 0, len(out))
        return out


def tile_tasks(
    walks: Walks, nodes: NDArray[np.int64], transposed: bool, finish: Callable[..., Any], *arguments: Any
) -> list[Any]:
    """Return the tasks of ``Σ_t w_t Pᵗ e_j`` for some nodes j, with one result per part.

    Horner's rule, ``P (w_1 e + P (w_2 e + … P (w_T e)))``, takes one round of products per step of the window.

    Parameters
    ----------
    walks : Walks
        Graph and window.
    nodes : int array of shape (m,)
        Nodes j.
    transposed : bool
        Whether to walk backward, for rows instead of columns.
    finish : callable
        Function of the part and the probabilities, shape (n, m), and the arguments, that runs where these are.
    *arguments : objects
        Further arguments of ``finish``.

    Returns
    -------
    list of delayed
        Results of ``finish``, one per part.
    """
    dask: Any = import_extra("dask", "distributed")
    token, parts = new_token(), range(walks.grid.n_parts)

    def task(name: str, place: tuple[int, ...], *call: Any) -> Any:
        return dask.delayed(alone, pure=False, traverse=False)(*call, dask_key_name=(f"{name}-{token}", *place))

    starting = [part for part in parts if len(_starts(walks, part, nodes)[0])]
    pieces: list[Any] = []
    for step in range(len(walks.window)):
        after = None if step == len(walks.window) - 1 else walks.window[-2 - step]
        sources = starting if step == 0 else list(parts)
        totals: list[Any] = [None] * walks.grid.n_parts
        for part in parts:
            # Each chain begins with another piece, so that no piece is wanted by all workers at once.
            chain = sorted(sources, key=lambda column: (column - part) % walks.grid.n_parts)
            for column in chain:
                X = walks.window[-1] if step == 0 else pieces[column]
                added = after if column == chain[-1] else None
                block = (take_step, walks, part, column, transposed, nodes, added)
                totals[part] = task("walk-step", (step, part, column), *block, totals[part], X)
        pieces = totals
    return [task("finish-tile", (part,), finish, part, pieces[part], *arguments) for part in parts]


def take_step(
    walks: Walks,
    row: int,
    column: int,
    transposed: bool,
    nodes: NDArray[np.int64],
    after: float | None,
    total: NDArray[np.float32] | None,
    X: NDArray[np.float32] | float,
) -> NDArray[np.float32]:
    """Add the product of one block to the sum of the blocks before.

    Parameters
    ----------
    walks : Walks
        Graph and window.
    row, column : int
        Parts of the rows and of the columns.
    transposed : bool
        Whether to walk backward.
    nodes : int array of shape (m,)
        Nodes j of the tile.
    after : float or None
        Weight of the next step, added at the nodes j after the last block.
    total : float32 array of shape (n, m), or None
        Sum of the blocks before.
    X : float32 array of shape (n', m), or float
        Rows of the part of the columns; in the first round the weight of the last step, times unit vectors.

    Returns
    -------
    float32 array of shape (n, m)
        The sum.
    """
    if isinstance(X, float):
        X, filled = _unit_vectors(walks, column, nodes, X)
    else:
        filled = _no_mask
    out = walks.multiply(row, column, transposed, X, filled)
    if total is not None:
        out += total
    if after is not None:
        places, columns = _starts(walks, row, nodes)
        out[places, columns] += np.float32(after)
    return out


def _starts(walks: Walks, part: int, nodes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the positions in a part of the nodes that are in it, and their columns."""
    inside = walks.grid.nodes(part)
    columns = np.flatnonzero((nodes >= inside.start) & (nodes < inside.stop))
    return nodes[columns] - inside.start, columns


def _unit_vectors(
    walks: Walks, part: int, nodes: NDArray[np.int64], weight: float
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return the rows of ``w e`` in a part, and which of them are not zero."""
    X = np.zeros((walks.grid.size(part), len(nodes)), dtype=np.float32)
    places, columns = _starts(walks, part, nodes)
    X[places, columns] = weight
    filled = np.zeros(len(X), dtype=np.bool_)
    filled[places] = True
    return X, filled


def window_total(cluster: Any, walks: Walks) -> NDArray[np.float64]:
    """Return ``s_i = Σ_t w_t Σ_j (Pᵗ)_ij``, the expected weight of the steps before the walk from i ends.

    Parameters
    ----------
    cluster : Cluster
        Workers.
    walks : Walks
        Graph and window.

    Returns
    -------
    array of shape (N,)
        At most 1.
    """
    remaining, total = np.ones(walks.grid.n_nodes), np.zeros(walks.grid.n_nodes)
    for weight in walks.window:
        remaining = vector_step(cluster, walks, remaining)
        total += weight * remaining
    return total


def window_spread(cluster: Any, walks: Walks, source: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``Σ_t w_t Pᵗᵀ p``, the distribution of contexts for a distribution p of centers, not normalized.

    Parameters
    ----------
    cluster : Cluster
        Workers.
    walks : Walks
        Graph and window.
    source : array of shape (N,)
        Distribution p.

    Returns
    -------
    array of shape (N,)
        Weight of each context.
    """
    first = vector_step(cluster, walks, source, transposed=True)
    total = walks.window[-1] * first
    for weight in walks.window[-2::-1]:
        total = vector_step(cluster, walks, total, transposed=True) + weight * first
    return total


def vector_step(
    cluster: Any, walks: Walks, vector: NDArray[np.float64], *, transposed: bool = False
) -> NDArray[np.float64]:
    """Return ``P x``, or ``Pᵀ x``, of a vector on the client.

    Parameters
    ----------
    cluster : Cluster
        Workers.
    walks : Walks
        Graph and window.
    vector : array of shape (N,)
        x.
    transposed : bool, default False
        Whether to walk backward.

    Returns
    -------
    array of shape (N,)
        The product.
    """
    stages, name = walks.grid.stages, f"vector-{new_token()}"
    stages.array(name, lambda: vector.astype(np.float32))
    items = [(walks, part, name, transposed) for part in range(walks.grid.n_parts)]
    steps = cluster.map("vector-step", vector_step_part, items)
    stages.forget(name)
    return np.concatenate(steps)


def vector_step_part(walks: Walks, part: int, name: str, transposed: bool) -> NDArray[np.float64]:
    """Return one step of a vector for the nodes of a part.

    Parameters
    ----------
    walks : Walks
        Graph and window.
    part : int
        Number of the part.
    name : str
        Name of the vector on shared storage.
    transposed : bool
        Whether to walk backward.

    Returns
    -------
    array of shape (n,)
        ``P x`` or ``Pᵀ x`` at the nodes of the part.
    """
    vector = walks.grid.stages.load(name)
    total = np.zeros(walks.grid.size(part))
    for column in range(walks.grid.n_parts):
        X = np.array(vector[walks.grid.nodes(column)])[:, None]
        total += walks.multiply(part, column, transposed, X)[:, 0]
    return total
