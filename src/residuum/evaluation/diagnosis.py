"""Which biases a graph has, measured before any embedding."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.stats import spearmanr

from residuum.graph import Graph

__all__ = ["Finding", "diagnose_degree", "diagnose_distance", "diagnose_groups", "diagnose_sides"]


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
    assortativity is Newman's correlation of the degrees at the two ends of an edge.
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
    spread = np.sqrt((share @ dx**2) * (share @ dy**2))
    return float(share @ (dx * dy) / spread) if spread > 0 else 0.0


def diagnose_groups(graph: Graph, groups: ArrayLike, name: str) -> list[Finding]:
    """Measure the share of weight within groups against what degrees would put there, and the assortativity.

    The assortativity by label is ``(Σ e_gg − Σ a_g b_g) / (1 − Σ a_g b_g)``: 1 if all edges stay within, 0 by chance.
    """
    labels: NDArray[Any] = np.asarray(groups)
    codes = np.unique(labels, return_inverse=True)[1].ravel()
    rows, columns, weights = _edges(graph)
    within = float(weights[codes[rows] == codes[columns]].sum() / weights.sum())
    leaving, arriving = (np.bincount(codes, weights=s) for s in (graph.out_strength, graph.in_strength))
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


def diagnose_sides(graph: Graph) -> list[Finding]:
    """Measure spectral bipartivity: how near the smallest eigenvalue of the walk is to −1."""
    strength = graph.out_strength + graph.in_strength
    scale = np.divide(1.0, np.sqrt(strength), out=np.zeros_like(strength), where=strength > 0)
    both = graph.adjacency + graph.adjacency.T
    walk = sparse.csr_array(sparse.diags_array(scale) @ both @ sparse.diags_array(scale))
    smallest = _smallest_eigenvalue(walk)
    return [
        Finding(
            "bipartivity",
            max(0.0, -smallest),
            "1 if every edge joins two sides; below, walkers mix them",
            "bipartite" if smallest < -0.999 else None,
        )
    ]


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
