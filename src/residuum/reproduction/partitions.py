"""Community detection methods, which return clusters instead of vectors."""

import importlib.util
import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._validation import import_extra
from residuum.errors import ResiduumWarning
from residuum.graph import Graph

__all__ = ["PARTITIONS", "installed"]

_TRIALS = 10
_PACKAGES = {"Infomap": "infomap", "Leiden": "leidenalg"}


def _infomap(graph: Graph, seed: int) -> NDArray[np.int64]:
    """Return the clusters with the shortest two-level description of a random walk, the best of ten trials."""
    infomap = import_extra("infomap", "benchmarks")
    # Seeds of Infomap begin at 1.
    search = infomap.Infomap(two_level=True, silent=True, seed=seed + 1, num_trials=_TRIALS)
    sources, targets, weights = _edges(graph)
    search.add_nodes(range(graph.n_nodes))
    search.add_links(zip(sources.tolist(), targets.tolist(), weights.tolist(), strict=True))
    cluster_of = dict(search.run().modules())
    return np.array([cluster_of[node] for node in range(graph.n_nodes)], dtype=np.int64)


def _leiden(graph: Graph, seed: int) -> NDArray[np.int64]:
    """Return the clusters of highest modularity, by the Leiden algorithm until no iteration improves them."""
    leidenalg, igraph = import_extra("leidenalg", "benchmarks"), import_extra("igraph", "benchmarks")
    sources, targets, weights = _edges(graph)
    network = igraph.Graph(graph.n_nodes, list(zip(sources.tolist(), targets.tolist(), strict=True)))
    partition = leidenalg.find_partition(
        network, leidenalg.ModularityVertexPartition, weights=weights.tolist(), n_iterations=-1, seed=seed
    )
    return np.array(partition.membership, dtype=np.int64)


def _edges(graph: Graph) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return source, target and weight of each undirected edge, once."""
    upper = sparse.coo_array(sparse.triu(graph.adjacency))
    return upper.row.astype(np.int64), upper.col.astype(np.int64), upper.data.astype(np.float64)


PARTITIONS: dict[str, Callable[[Graph, int], NDArray[np.int64]]] = {"Infomap": _infomap, "Leiden": _leiden}


def installed(methods: list[str]) -> list[str]:
    """Return the methods whose package is installed; others are left out with a warning.

    Parameters
    ----------
    methods : list of str
        Names of methods, among them names in :data:`PARTITIONS`.

    Returns
    -------
    list of str
        Methods that can run.
    """
    missing = [name for name in methods if name in _PACKAGES and importlib.util.find_spec(_PACKAGES[name]) is None]
    if missing:
        warnings.warn(
            f"{', '.join(missing)} are skipped; to run them: pip install 'residuum[benchmarks]'.",
            ResiduumWarning,
            stacklevel=2,
        )
    return [name for name in methods if name not in missing]
