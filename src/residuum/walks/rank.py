"""Number of dimensions of a graph that random walkers within a window can tell apart."""

import math
from functools import singledispatch

import numpy as np

from residuum.graph import Graph, effective_degrees
from residuum.walks.window import WindowProbabilities

__all__ = ["effective_degree", "effective_rank", "noise_eigenvalue"]

# Random vectors that estimate the trace; the same for every seed, so that the value depends on the graph alone.
_N_VECTORS, _SEED = 16, 0


def effective_rank(probabilities: WindowProbabilities) -> float:
    """Estimate ``Σ_k λ_k^(2t)`` beyond that of noise, where λ are the eigenvalues of P and t is the mean step.

    An eigenvalue near 1 belongs to a group of nodes that walkers hardly leave within the window, and counts as 1;
    walkers forget the others. The sum is about the number of such groups. It is the trace of ``P^(2t)``, estimated by
    Hutchinson's method at the cost of t sparse products, minus ``N λ_b^(2t) C_t / 4^t``, the trace of a random graph
    whose eigenvalues are distributed as a semicircle of radius λ_b (:func:`noise_eigenvalue`; C_t is a Catalan
    number). Directions of edges are ignored.

    Parameters
    ----------
    probabilities : WindowProbabilities
        Graph and window.

    Returns
    -------
    float
        From 0 to the number of nodes.

    Examples
    --------
    >>> from residuum import Graph
    >>> cliques = np.kron(np.eye(5), np.ones((4, 4)) - np.eye(4))
    >>> 4 < effective_rank(WindowProbabilities(Graph(cliques), window=[0, 0, 0, 0, 0, 1])) < 7
    True
    """
    graph = probabilities.graph
    strength = graph.out_strength + graph.in_strength
    root = np.sqrt(strength / strength.max()).astype(np.float32)[:, None]
    rng = np.random.default_rng(_SEED)
    signs = rng.choice(np.array([-1.0, 1.0], dtype=np.float32), size=(graph.n_nodes, _N_VECTORS))
    X = np.divide(signs, root, out=np.zeros_like(signs), where=root > 0)
    step = np.empty_like(X)
    n_steps = max(1, round(float(probabilities.window @ np.arange(1, len(probabilities.window) + 1))))
    for _ in range(n_steps):
        probabilities.undirected_step(X, step)
        X, step = step, X
    trace = float(np.sum((root * X).astype(np.float64) ** 2) / _N_VECTORS)
    degree = effective_degree(graph)
    moment = math.exp(math.lgamma(n_steps + 0.5) - math.lgamma(n_steps + 2)) / math.sqrt(math.pi)
    return max(trace - graph.n_nodes * noise_eigenvalue(degree) ** (2 * n_steps) * moment, 0.0)


@singledispatch
def effective_degree(graph: Graph) -> float:
    """Return the mean of ``s_i² / Σ_j A_ij²``, the number of neighbors that a walker effectively chooses from.

    Graphs whose edges are stored elsewhere register their own implementation.

    Parameters
    ----------
    graph : Graph
        The graph.

    Returns
    -------
    float
        Mean degree, over nodes with out-edges, if the graph is unweighted; less if weights differ.

    Examples
    --------
    >>> from residuum import datasets
    >>> round(effective_degree(datasets.karate_club()), 2)
    4.59
    """
    return float(np.mean(effective_degrees(graph.adjacency)[graph.out_strength > 0]))


def noise_eigenvalue(degree: float) -> float:
    """Return ``λ_b = 2 √(d − 1) / d``, the largest eigenvalue of P but the first in a random graph of mean degree d.

    Parameters
    ----------
    degree : float
        Effective mean degree d.

    Returns
    -------
    float
        At most 1, which it is for degrees up to 2.

    Examples
    --------
    >>> noise_eigenvalue(10.0)
    0.6
    """
    return 2.0 * math.sqrt(degree - 1.0) / degree if degree > 2.0 else 1.0
