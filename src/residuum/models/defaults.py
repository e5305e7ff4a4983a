"""Defaults that are read off the graph: window, floor, shrinkage, scale and alpha."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._validation import window_weights
from residuum.graph import Graph, triangles_by_degree
from residuum.residual import Spectrum, read_alpha, read_scale, read_shrinkage
from residuum.residual.left_out import LeftOutEdges, left_out_pairs
from residuum.residual.left_out_ends import EdgeEnds, LocalEnds
from residuum.solvers import FactorSolution, Solution
from residuum.walks import effective_degree, noise_eigenvalue

__all__ = ["geometric_window", "read_floor", "read_spectrum", "read_window", "spectrum_from"]

# The window damps the noise eigenvalues of the graph by this factor, see read_window.
_DAMPING = 8.0
_SHORTEST_MEAN, _LONGEST_MEAN = 4 / 3, 14.0
# Mean step of graphs in which degrees explain at least the second share of the triangles; below the first, no change.
_MEAN_FOR_TRIANGLES = 6.0
_SHARES = 1 / 2, 2 / 3
# Neighbors per effective degree above which most edges are faint.
_FAINT = 2.0
# Weight beyond the last step of a window.
_CUT = 0.01
_FLOOR, _FLOOR_OF_ORDERED = -3.0, 0.0


def read_window(graph: Graph) -> tuple[NDArray[np.float64], dict[str, float]]:
    """Return weights that fall geometrically, with ``λ_b^t̄ = 1/8`` at the mean step t̄.

    A random graph of mean degree d has the eigenvalues of P, except the first, within ``λ_b = 2 √(d − 1) / d``: noise,
    which t steps damp to ``λ_b^t``. A sparse graph needs more steps than a dense graph to damp it equally; more steps
    than that also damp the structure of the graph.

    In an undirected graph in which degrees explain two thirds of the triangles or more, t̄ is at least 6; from half of
    the triangles on, this minimum rises from 0. There two steps lead to much the same nodes from everywhere, as in a
    random graph; only paths of three and more edges tell nodes apart. Triangles are not weighted, so that they do not
    count where most edges are faint: where nodes have more than twice as many neighbors as their effective degree.

    Parameters
    ----------
    graph : Graph
        The graph.

    Returns
    -------
    window : array of shape (T,)
        Weights of the steps, with t̄ from 4/3 to 14 before the last percent of the weight is cut off.
    details : dict of str to float
        Effective mean degree, λ_b, and the share of the triangles that degrees explain if that lengthened the window.

    Examples
    --------
    >>> from residuum import datasets
    >>> window, details = read_window(datasets.karate_club())
    >>> len(window), round(details["noise_eigenvalue"], 2)
    (48, 0.83)
    """
    degree = effective_degree(graph)
    noise = noise_eigenvalue(degree)
    mean_step = np.log(_DAMPING) / -np.log(noise) if noise < 1.0 else np.inf
    details = {"effective_degree": degree, "noise_eigenvalue": noise}
    n_neighbors = 2.0 * graph.n_edges / max(int(np.count_nonzero(graph.out_strength)), 1)
    if not graph.directed and mean_step < _MEAN_FOR_TRIANGLES and n_neighbors <= _FAINT * degree:
        share = triangles_by_degree(graph)
        longer = _MEAN_FOR_TRIANGLES * float(np.interp(share, _SHARES, (0.0, 1.0)))
        if longer > max(mean_step, _SHORTEST_MEAN):
            mean_step = longer
            details["triangles_by_degree"] = share
    return geometric_window(mean_step), details


def geometric_window(mean_step: float) -> NDArray[np.float64]:
    """Return weights ``(1 − 1/t̄)^t``, of a walk that stops after each step with probability 1/t̄.

    Parameters
    ----------
    mean_step : float
        Mean step t̄, before the last percent of the weight is cut off; at least 4/3 and at most 14 are used.

    Returns
    -------
    array of shape (T,)
        Weights of the steps, with sum 1; T is the number of steps that have 99 % of the weight.

    Examples
    --------
    >>> geometric_window(4 / 3).round(2)
    array([0.75, 0.19, 0.05, 0.01])
    """
    going_on = 1.0 - 1.0 / float(np.clip(mean_step, _SHORTEST_MEAN, _LONGEST_MEAN))
    steps = int(np.ceil(np.log(_CUT) / np.log(going_on)))
    return window_weights(going_on ** np.arange(steps))


def read_floor(graph: Graph) -> tuple[float, dict[str, float]]:
    """Return −3, or 0 for a directed graph whose arcs are mostly not part of any cycle.

    In such a graph an order of the nodes, for example time in citations, rules out most pairs: no path connects them.
    They are unknown, not avoided, and at floor 0 their association is 0, as that of pairs as frequent as expected.

    Parameters
    ----------
    graph : Graph
        The graph.

    Returns
    -------
    floor : float
        Minimum association.
    details : dict of str to float
        Share of the weight of arcs within strongly connected components; empty for an undirected graph.

    Examples
    --------
    >>> from residuum import Graph
    >>> read_floor(Graph([[0, 1, 1], [0, 0, 1], [0, 0, 0]], directed=True))
    (0.0, {'weight_in_cycles': 0.0})
    """
    if not graph.directed:
        return _FLOOR, {}
    from scipy.sparse.csgraph import connected_components  # slow to import, and for directed graphs only

    matrix = graph.adjacency
    label = connected_components(matrix, directed=True, connection="strong")[1]
    rows = np.repeat(np.arange(graph.n_nodes), np.diff(matrix.indptr))
    share = float(np.average(label[rows] == label[matrix.indices], weights=matrix.data / matrix.data.max()))
    return (_FLOOR if share >= 0.5 else _FLOOR_OF_ORDERED), {"weight_in_cycles": share}


def read_spectrum(solution: Solution, spectrum: Spectrum, names: frozenset[str]) -> tuple[Spectrum, dict[str, Any]]:
    """Return the spectrum with shrinkage, scale and alpha as the graph suggests.

    Parameters
    ----------
    solution : Solution
        Result of the solver. Values are read from factors of the matrix; other solutions keep the spectrum.
    spectrum : Spectrum
        Spectrum with the values of the user, and neutral values in place of those to read.
    names : frozenset of str
        Which of "shrinkage", "scale" and "alpha" to read.

    Returns
    -------
    spectrum : Spectrum
        Spectrum with the values in place.
    details : dict of str to value
        Number of left-out edges, largest leakage of a dimension, number of dimensions that remain, and how many of
        these are not noise.
    """
    if not names or not isinstance(solution, FactorSolution) or solution.is_refined:
        return spectrum, {}
    return spectrum_from(LocalEnds(solution.matrix, solution.factors), spectrum, names)


def spectrum_from(ends: EdgeEnds, spectrum: Spectrum, names: frozenset[str]) -> tuple[Spectrum, dict[str, Any]]:
    """Return the spectrum with shrinkage and scale from left-out edges, and alpha from the number of noise dimensions.

    Parameters
    ----------
    ends : EdgeEnds
        Access to the graph and the factors, wherever they are.
    spectrum : Spectrum
        Spectrum with neutral values in place of those to read.
    names : frozenset of str
        Which of "shrinkage", "scale" and "alpha" to read.

    Returns
    -------
    spectrum : Spectrum
        Spectrum with the values in place; neutral ones remain where the graph has too few edges to leave out, or for
        alpha where the matrix is not symmetric or the null model has groups.
    details : dict of str to value
        As in :func:`read_spectrum`.
    """
    details: dict[str, Any] = {}
    if names - {"alpha"}:
        can_leave_out = ends.matrix.erasure is None or ends.matrix.symmetric
        spectrum, details = _from_left_out(left_out_pairs(ends) if can_leave_out else None, spectrum, names)
    if "alpha" in names and _has_communities(ends):
        alpha, signal = read_alpha(ends, spectrum)
        spectrum, details = replace(spectrum, alpha=alpha), details | signal
    return spectrum, details


def _has_communities(ends: EdgeEnds) -> bool:
    """Return whether dimensions are comparable with those of a random graph: undirected, without groups to remove."""
    form = ends.matrix.null.block_form
    return ends.matrix.symmetric and form is not None and form.n_groups == 1


def _from_left_out(
    left_out: LeftOutEdges | None, spectrum: Spectrum, names: frozenset[str]
) -> tuple[Spectrum, dict[str, Any]]:
    """Return the spectrum with shrinkage, scale or both."""
    if left_out is None:
        return spectrum, {"left_out_edges": 0}
    if "shrinkage" in names:
        spectrum = replace(spectrum, shrinkage=read_shrinkage(left_out, spectrum))
    if "scale" in names:
        spectrum = replace(spectrum, scale=read_scale(left_out, spectrum))
    remaining = int(np.count_nonzero(spectrum.lengths(left_out.values)[0]))
    return spectrum, {
        "left_out_edges": len(left_out.edges),
        "noise_leakage": float(left_out.leakage.max()),
        "remaining_dimensions": remaining,
    }
