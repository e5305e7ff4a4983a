"""Which biases a graph has, measured before any embedding."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.stats import spearmanr

from residuum.errors import InvalidParameterError
from residuum.evaluation.values import codes_of
from residuum.graph import Graph, node_sides

__all__ = ["Finding", "diagnose_degree", "diagnose_distance", "diagnose_groups", "diagnose_sides"]

# A spread below this share of the largest value is rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Finding:
    """One measured fact and, if it is a bias worth removing, the null model that does.

    Attributes
    ----------
    name : str
    value : float
    meaning : str
        One sentence that a person can act on.
    null_model : str or None
    """

    name: str
    value: float
    meaning: str
    null_model: str | None = None


def _edges(graph: Graph) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    entries = sparse.coo_array(graph.adjacency)
    return entries.row.astype(np.int64), entries.col.astype(np.int64), entries.data.astype(np.float64)


def diagnose_degree(graph: Graph) -> list[Finding]:
    """Measure heterogeneity, the friendship paradox and assortativity of degrees.

    The friendship-paradox ratio is ``⟨d²⟩ / ⟨d⟩²``: how many times more neighbours a neighbour has than a node. The
    assortativity is Newman's correlation of the degrees at the two ends of an edge, 0 if all are equal.
    """
    out, into = graph.out_strength, graph.in_strength
    present = (out > 0) | (into > 0)
    degree = into[present]
    ratio = float(np.mean(degree**2) / np.mean(degree) ** 2)
    rows, columns, weights = _edges(graph)
    correlation = _weighted_correlation(out[rows], into[columns], weights)
    return [
        Finding(
            "friendship-paradox ratio",
            ratio,
            f"a neighbour has {ratio:.1f} times the degree of a node: walkers overrate hubs",
            "configuration" if ratio > 1.1 else None,
        ),
        Finding(
            "assortativity by degree",
            correlation,
            "hubs link to hubs" if correlation > 0 else "hubs link to nodes of low degree",
            "degree-correlated" if abs(correlation) > 0.1 else None,
        ),
    ]


def _weighted_correlation(x: NDArray[np.float64], y: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    share = weights / weights.sum()
    dx, dy = x - share @ x, y - share @ y
    if any(np.sqrt(share @ d**2) <= _ROUNDING * np.abs(values).max() for d, values in ((dx, x), (dy, y))):
        return 0.0
    return float(share @ (dx * dy) / np.sqrt((share @ dx**2) * (share @ dy**2)))


def diagnose_groups(graph: Graph, groups: ArrayLike, name: str) -> list[Finding]:
    """Measure the share of weight within groups against what degrees would put there, and the assortativity.

    The assortativity by label is ``(Σ e_gg − Σ a_g b_g) / (1 − Σ a_g b_g)``: 1 if all edges stay within, 0 by chance.

    Parameters
    ----------
    graph : Graph
    groups : array of shape (N,)
        In the order of the graph's nodes. Those with None, NaN or an empty text are left out, with their edges.
    name : str
        What the label is called.
    """
    sources, targets, weights, n_groups = _groups_of_edges(graph, groups)
    within = float(weights[sources == targets].sum() / weights.sum())
    leaving, arriving = (np.bincount(ends, weights, n_groups) for ends in (sources, targets))
    chance = float((leaving / leaving.sum()) @ (arriving / arriving.sum()))
    assortativity = (within - chance) / (1.0 - chance) if chance < 1 else 0.0
    return [
        Finding(
            f"assortativity by {name}",
            assortativity,
            f"{within:.0%} of the edges stay within a group, {chance:.0%} would by chance",
            "dcsbm" if abs(assortativity) > 0.05 else None,
        )
    ]


def _groups_of_edges(
    graph: Graph, groups: ArrayLike
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], int]:
    """Return the groups of the two ends of each edge, by number, its weight, and how many groups there are."""
    labels: NDArray[Any] = np.asarray(groups)
    if labels.shape != (graph.n_nodes,):
        raise InvalidParameterError(
            f"groups must have one value for each of the {graph.n_nodes} nodes of the graph, in their order; "
            f"got shape {labels.shape}."
        )
    names, codes = codes_of(labels)
    rows, columns, weights = _edges(graph)
    kept = (codes[rows] >= 0) & (codes[columns] >= 0)
    if not kept.any():
        raise InvalidParameterError(
            "groups must be known at both ends of at least one edge; they are at those of none."
        )
    return codes[rows[kept]], codes[columns[kept]], weights[kept], len(names)


def diagnose_sides(graph: Graph) -> list[Finding]:
    """Measure bipartivity: the mean over components of how near the smallest eigenvalue of the walk is to −1.

    Components count by their weight. One whose nodes fall into two sides, no edge inside either, has 1; for the others
    together the eigenvalue is found. The null model is recommended if every component has two sides.
    """
    strength = graph.out_strength + graph.in_strength
    both = sparse.csr_array(graph.adjacency + graph.adjacency.T)
    sided = node_sides(graph) >= 0
    share = float(strength[sided].sum() / strength.sum())
    value = share if sided.all() else share + (1.0 - share) * _spectral_bipartivity(both[~sided][:, ~sided])
    return [
        Finding(
            "bipartivity",
            value,
            "1 if every edge joins two sides; below, walkers mix them",
            "bipartite" if sided.all() else None,
        )
    ]


def _spectral_bipartivity(adjacency: "sparse.csr_array[Any]") -> float:
    scale = sparse.diags_array(1.0 / np.sqrt(np.asarray(adjacency.sum(axis=1)).ravel()))
    return max(0.0, -_smallest_eigenvalue(sparse.csr_array(scale @ adjacency @ scale)))


def _smallest_eigenvalue(walk: "sparse.csr_array[Any]", iterations: int = 300) -> float:
    """Return the smallest eigenvalue of a symmetric walk matrix, by power iteration on ``I − walk``."""
    vector = np.random.default_rng(0).standard_normal(walk.shape[0])
    for _ in range(iterations):
        vector = vector - walk @ vector
        vector = vector / np.linalg.norm(vector)
    return float(vector @ (walk @ vector))


def diagnose_distance(graph: Graph, distance_of_pairs: Any, rng: np.random.Generator) -> list[Finding]:
    """Measure the decay with distance: rank correlation of being joined with the distance, edges against random pairs.

    Parameters
    ----------
    graph : Graph
    distance_of_pairs : callable
        Distances of pairs of positions, ``(rows, columns) -> array``.
    rng : numpy Generator
    """
    rows, columns, _ = _edges(graph)
    chosen = rng.choice(len(rows), min(len(rows), 20_000), replace=False)
    near = distance_of_pairs(rows[chosen], columns[chosen])
    far = distance_of_pairs(*rng.choice(graph.n_nodes, (2, len(chosen))))
    joined = np.repeat([1, 0], len(chosen))
    decay = -float(spearmanr(np.concatenate([near, far]), joined)[0])
    return [
        Finding(
            "distance decay",
            decay,
            f"joined nodes are {np.median(near):.3g} apart, random ones {np.median(far):.3g} (medians)",
            "spatial" if decay > 0.1 else None,
        )
    ]
