"""Number of dimensions of a graph that random walkers within a window can tell apart."""

import math
from functools import singledispatch

import numpy as np
from numpy.typing import NDArray

from residuum._random import random_rows
from residuum.graph import Graph, effective_degrees
from residuum.walks.window import WindowProbabilities

__all__ = ["effective_degree", "effective_rank", "neighbor_degree", "noise_eigenvalue"]

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
    root = root_strength(graph)
    X = random_signs(root, 0)
    step = np.empty_like(X)
    for _ in range(mean_step(probabilities.window)):
        probabilities.undirected_step(X, step)
        X, step = step, X
    return rank_from_trace(probabilities, float(np.sum((root[:, None] * X).astype(np.float64) ** 2)))


def root_strength(graph: Graph) -> NDArray[np.float32]:
    """Return the square root of the degrees, relative to the largest.

    Parameters
    ----------
    graph : Graph
        The graph.

    Returns
    -------
    float32 array of shape (N,)
        Roots.
    """
    strength = graph.out_strength + graph.in_strength
    return np.asarray(np.sqrt(strength / strength.max()).astype(np.float32))


def random_signs(root: NDArray[np.float32], first: int) -> NDArray[np.float32]:
    """Return rows of the random vectors that estimate the trace, divided by the roots.

    Parameters
    ----------
    root : float32 array of shape (n,)
        Roots of the degrees of consecutive nodes.
    first : int
        Position of the first of them.

    Returns
    -------
    float32 array of shape (n, 16)
        Rows; zero for nodes without edges, or with too little weight for single precision.
    """
    signs = random_rows(_SEED, first, first + len(root), _N_VECTORS, "signs")
    large_enough = root[:, None] >= np.finfo(np.float32).tiny
    return np.asarray(np.divide(signs, root[:, None], out=np.zeros_like(signs), where=large_enough))


def mean_step(window: NDArray[np.float64]) -> int:
    """Return the mean step of a window, rounded.

    Parameters
    ----------
    window : array of shape (T,)
        Weights of the steps.

    Returns
    -------
    int
        At least 1.

    Examples
    --------
    >>> mean_step(np.array([0.5, 0.0, 0.5]))
    2
    """
    return max(1, round(float(window @ np.arange(1, len(window) + 1))))


def rank_from_trace(probabilities: WindowProbabilities, squares: float) -> float:
    """Return the rank beyond that of noise.

    Parameters
    ----------
    probabilities : WindowProbabilities
        Graph and window.
    squares : float
        Sum of the squared entries of the random vectors after the mean step of the window, in units of the roots.

    Returns
    -------
    float
        From 0 to the number of nodes.
    """
    n_steps, degree = mean_step(probabilities.window), effective_degree(probabilities.graph)
    moment = math.exp(math.lgamma(n_steps + 0.5) - math.lgamma(n_steps + 2)) / math.sqrt(math.pi)
    noise = probabilities.n_nodes * noise_eigenvalue(degree) ** (2 * n_steps) * moment
    return max(squares / _N_VECTORS - noise, 0.0)


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


@singledispatch
def neighbor_degree(graph: Graph) -> float:
    """Return the mean of the effective degrees that a walker meets, ``Σ_i s_i k_i / Σ_i s_i`` with k of each node.

    It decides, rather than the mean over nodes, how far the noise of a graph with hubs reaches.
    Graphs whose edges are stored elsewhere register their own implementation.

    Parameters
    ----------
    graph : Graph
        The graph.

    Returns
    -------
    float
        ``Σ_i k_i² / Σ_i k_i`` if the graph is unweighted.

    Examples
    --------
    >>> from residuum import datasets
    >>> round(neighbor_degree(datasets.karate_club()), 2)
    7.77
    """
    return degree_at_ends(graph.out_strength, effective_degrees(graph.adjacency))


def degree_at_ends(strength: NDArray[np.float64], degrees: NDArray[np.float64]) -> float:
    """Return the mean degree of nodes, weighted by their strength.

    Parameters
    ----------
    strength, degrees : arrays of shape (N,)
        Strength and effective degree of each node.

    Returns
    -------
    float
        Mean, over nodes with edges.

    Examples
    --------
    >>> degree_at_ends(np.array([4.0, 4.0, 0.0]), np.array([3.0, 2.0, 1.0]))
    2.5
    """
    return float(np.average(degrees, weights=strength / strength.max()))


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
