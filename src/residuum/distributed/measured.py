"""The loss of vectors on shared storage, on pairs that no sweep uses."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from residuum.distributed.cluster import Cluster
from residuum.distributed.grid import Grid, block_name
from residuum.distributed.likelihood import LikelihoodPart
from residuum.distributed.walkers import PairFiles
from residuum.residual.contexts import Pairs
from residuum.residual.measured import MEASURED_SEED, column_losses, measured_columns, measured_nodes, pair_losses

__all__ = ["Measured"]

_NAME, _EDGES = "measured", "measured-edges"


@dataclass(frozen=True)
class Measured:
    """Centers that measure the loss; their pairs are on shared storage, by the part of the contexts.

    Attributes
    ----------
    cluster : Cluster
        Workers.
    likelihood : LikelihoodPart
        The likelihood as tasks see it.
    nodes : int array of shape (n,)
        Centers, ascending.
    weights : array of shape (n,)
        Their weights.
    contexts : int array of shape (m,)
        Contexts that stand for the null model, ascending.
    """

    cluster: Cluster
    likelihood: LikelihoodPart
    nodes: NDArray[np.int64]
    weights: NDArray[np.float64]
    contexts: NDArray[np.int64]

    @classmethod
    def of(cls, cluster: Cluster, likelihood: LikelihoodPart) -> "Measured":
        """Choose the pairs as one machine does, and write them to shared storage.

        Parameters
        ----------
        cluster : Cluster
            Workers.
        likelihood : LikelihoodPart
            The likelihood as tasks see it.

        Returns
        -------
        Measured
            The centers.
        """
        columns, grid, rng = likelihood.columns, likelihood.walks.grid, np.random.default_rng(0)
        nodes, weights = measured_nodes(columns.shares, rng)
        contexts, table = measured_columns(columns, nodes, rng)
        grid.stages.save("measured-table", table)
        batch = likelihood.batch(_NAME, nodes, MEASURED_SEED)
        if not batch.files.is_complete:
            cluster.compute("measured contexts", [batch.tasks])
        cluster.map("measured-edges", save_edges, [(likelihood, nodes, part) for part in range(grid.n_parts)])
        return cls(cluster, likelihood, nodes, weights, contexts)

    def loss(self, centers: str, contexts: str) -> float:
        """Return the loss, as :meth:`residuum.residual.Likelihood.loss`.

        Parameters
        ----------
        centers, contexts : str
            Names of the vectors of the nodes as centers and as contexts.

        Returns
        -------
        float
            Estimated loss.
        """
        parts = range(self.likelihood.walks.grid.n_parts)
        grid = self.likelihood.walks.grid
        x = np.concatenate(self.cluster.map("measured-rows", rows_of, [(grid, self.nodes, p, centers) for p in parts]))
        items = [(self.likelihood, self.nodes, self.contexts, part, x, contexts) for part in parts]
        return float(self.weights @ self.cluster.total("measured-loss", losses_of_part, items))


def rows_of(grid: Grid, nodes: NDArray[np.int64], part: int, name: str) -> NDArray[np.float32]:
    """Return the vectors of those nodes that are in a part.

    Parameters
    ----------
    grid : Grid
        Partition.
    nodes : int array of shape (n,)
        Nodes, ascending.
    part : int
        Number of the part.
    name : str
        Name of the vectors.

    Returns
    -------
    float32 array of shape (k, K)
        Vectors.
    """
    return np.asarray(grid.stages.load(f"{name}-{part}")[_inside(grid, nodes, part)])


def save_edges(likelihood: LikelihoodPart, nodes: NDArray[np.int64], part: int) -> None:
    """Write the edges from some nodes into a part.

    Parameters
    ----------
    likelihood : LikelihoodPart
        The likelihood as tasks see it.
    nodes : int array of shape (n,)
        Nodes, ascending.
    part : int
        Part of the contexts.
    """
    grid, lengths, places, weights = likelihood.walks.grid, [], [], []
    for home in range(grid.n_parts):
        indptr, indices, values = (
            grid.home.load(f"{block_name(home, part)}-{array}") for array in ("indptr", "indices", "weights")
        )
        for row in _inside(grid, nodes, home).tolist():
            entries = slice(indptr[row], indptr[row + 1])
            lengths.append(entries.stop - entries.start)
            places.append(indices[entries])
            weights.append(likelihood.walks.in_unit(values[entries]))
    rows = np.repeat(np.arange(len(nodes)), lengths)
    grid.stages.save(f"{_EDGES}-{part}-weights", np.concatenate(weights))
    PairFiles(likelihood.stripes, _EDGES).save(part, rows, np.concatenate(places), len(nodes))


def losses_of_part(
    likelihood: LikelihoodPart,
    nodes: NDArray[np.int64],
    contexts: NDArray[np.int64],
    part: int,
    x: NDArray[np.float32],
    name: str,
) -> NDArray[np.float64]:
    """Return the loss of each center on its pairs with contexts in a part.

    Parameters
    ----------
    likelihood : LikelihoodPart
        The likelihood as tasks see it.
    nodes : int array of shape (n,)
        Centers.
    contexts : int array of shape (m,)
        Contexts that stand for the null model.
    part : int
        Part of the contexts.
    x : float32 array of shape (n, K)
        Vectors of the centers.
    name : str
        Name of the context vectors.

    Returns
    -------
    array of shape (n,)
        Losses.
    """
    grid, load = likelihood.walks.grid, likelihood.walks.grid.stages.load
    Y = np.array(load(f"{name}-{part}"))
    weights = (np.array(load(f"{_EDGES}-{part}-weights")), np.empty(0, dtype=np.float32))
    total = np.zeros(len(nodes))
    for files, scale, values in zip((_EDGES, _NAME), ("first-step", "walk-scale"), weights, strict=True):
        pairs = PairFiles(likelihood.stripes, files).load(part)
        total += pair_losses(Pairs(*pairs, values, np.array(load(scale)[nodes])), x, Y, -1.0)
    inside = grid.nodes(part)
    here = slice(*np.searchsorted(contexts, [inside.start, inside.stop]))
    return total + column_losses(x, Y[contexts[here] - inside.start], load("measured-table")[:, here])


def _inside(grid: Grid, nodes: NDArray[np.int64], part: int) -> NDArray[np.int64]:
    """Return the nodes that are in a part, counted from its first node."""
    inside = grid.nodes(part)
    return np.asarray(nodes[slice(*np.searchsorted(nodes, [inside.start, inside.stop]))] - inside.start)
