"""Biases of a graph, measured before embedding."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import eigsh
from scipy.special import erfc
from scipy.stats import spearmanr

from residuum._random import as_generator
from residuum.errors import InvalidParameterError
from residuum.graph import Graph, Labels, node_sides, node_values, weight_between
from residuum.graph.attributes import NodeValues

__all__ = ["Finding", "diagnose_degree", "diagnose_distance", "diagnose_groups", "diagnose_sides"]

# Biases with a larger p-value have no recommended null model.
_LEVEL = 0.01
_PERMUTATIONS = 999
# Maximum number of edges in the permutation test.
_EDGES_TESTED = 100_000
# A spread below this fraction of the largest value is rounding.
_ROUNDING = 1e-12
# Matrices with fewer rows are diagonalized densely.
_DENSE = 64


@dataclass(frozen=True)
class Finding:
    """A measured value, with its meaning and the null model that removes the bias.

    Attributes
    ----------
    name : str
        Name of the measure.
    value : float
        Measured value.
    meaning : str
        Interpretation of the value, in one line.
    null_model : str or None
        Name of the null model that removes the bias; None if the bias is weak or not significant.
    p_value : float or None
        Probability of a value at least as far from 0 if there is no bias; None if it is not tested.
    margin : float or None
        Half the width of the 95 % confidence interval of the value; None if it is not estimated.

    Examples
    --------
    >>> from residuum import datasets
    >>> ratio, assortativity = diagnose_degree(datasets.karate_club())
    >>> ratio.name, round(ratio.value, 2), ratio.null_model
    ('friendship-paradox ratio', 1.69, 'configuration')
    """

    name: str
    value: float
    meaning: str
    null_model: str | None = None
    p_value: float | None = None
    margin: float | None = None


def interval_text(value: float, margin: float | None) -> str:
    """Return a value with three digits and, if there is one, the margin of its 95 % confidence interval."""
    if value != value:
        return "–"
    # Adding 0.0 turns "-0.000" into "0.000".
    rounded = f"{round(value, 3) + 0.0:.3f}"
    return rounded if margin is None else f"{rounded} ± {margin:.3f}"


def mean_margin(values: NDArray[np.float64]) -> float:
    """Return half the width of the 95 % confidence interval of a mean, with values as independent samples."""
    return 1.96 * float(values.std()) / float(np.sqrt(len(values)))


def _edges(graph: Graph) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    entries = sparse.coo_array(graph.adjacency)
    return entries.row.astype(np.int64), entries.col.astype(np.int64), entries.data.astype(np.float64)


def diagnose_degree(graph: Graph) -> list[Finding]:
    """Measure the heterogeneity and the assortativity of degrees.

    The friendship-paradox ratio ``⟨d²⟩ / ⟨d⟩²`` is the mean degree of neighbors divided by the mean degree of nodes.
    The assortativity is Newman's correlation of the degrees at the two ends of an edge; it is 0 if all degrees are
    equal.

    Parameters
    ----------
    graph : Graph
        Degrees are strengths if it is weighted.

    Returns
    -------
    list of Finding
        Friendship-paradox ratio and assortativity by degree.

    Examples
    --------
    >>> from residuum import datasets
    >>> for finding in diagnose_degree(datasets.karate_club()):
    ...     print(f"{finding.name}: {finding.value:.2f}")
    friendship-paradox ratio: 1.69
    assortativity by degree: -0.48
    """
    out, into = graph.out_strength, graph.in_strength
    present = (out > 0) | (into > 0)
    degree = into[present]
    ratio = float(np.mean((degree / np.mean(degree)) ** 2))
    rows, columns, weights = _edges(graph)
    correlation = _weighted_correlation(out[rows], into[columns], weights)
    p_value = _correlation_test(correlation, weights if graph.directed else weights[rows <= columns])
    return [
        Finding(
            "friendship-paradox ratio",
            ratio,
            f"neighbors have {ratio:.1f} times the mean degree: random walks oversample hubs",
            "configuration" if ratio > 1.1 else None,
        ),
        Finding(
            "assortativity by degree",
            correlation,
            "hubs link to hubs" if correlation > 0 else "hubs link to low-degree nodes",
            "degree-correlated" if abs(correlation) > 0.1 and p_value < _LEVEL else None,
            p_value,
        ),
    ]


def _weighted_correlation(x: NDArray[np.float64], y: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    share = weights / weights.sum()
    # Correlations have no unit, and squares of extreme numbers overflow.
    x, y = (values / (np.abs(values).max() or 1.0) for values in (x, y))
    dx, dy = x - share @ x, y - share @ y
    if any(np.sqrt(share @ d**2) <= _ROUNDING * np.abs(values).max() for d, values in ((dx, x), (dy, y))):
        return 0.0
    return float(share @ (dx * dy) / np.sqrt((share @ dx**2) * (share @ dy**2)))


def _correlation_test(correlation: float, weights: NDArray[np.float64]) -> float:
    """Return the two-sided p-value of a correlation over edges, normal with variance one over their number."""
    n_edges = 1.0 / np.sum((weights / weights.sum()) ** 2)
    return float(erfc(abs(correlation) * np.sqrt(n_edges / 2)))


def diagnose_groups(
    graph: Graph, groups: NodeValues, name: str, *, random_state: int | np.random.Generator | None = 0
) -> list[Finding]:
    """Measure the assortativity of a label, ``(Σ e_gg − Σ a_g b_g) / (1 − Σ a_g b_g)``.

    ``Σ e_gg`` is the fraction of the edge weight within groups and ``Σ a_g b_g`` the fraction expected from degrees.
    The assortativity is 1 if all edges are within groups, and 0 if as many are as expected. It is tested by 999 random
    permutations of the labels over the nodes, on a sample of 100,000 edges of larger graphs.

    Parameters
    ----------
    graph : Graph
        Graph of N nodes.
    groups : str, mapping, pandas Series or array of shape (N,)
        Label of each node, in any form that :func:`residuum.graph.node_values` accepts. Nodes with a
        missing label (None, NaN or an empty string) are ignored, with their edges.
    name : str
        Name of the label, for the finding.
    random_state : int, Generator or None, default 0
        Seed of the permutations.

    Returns
    -------
    list of Finding
        Assortativity by the label.

    Examples
    --------
    >>> from residuum import datasets
    >>> graph = datasets.karate_club()
    >>> [finding] = diagnose_groups(graph, graph.node_attributes["club"], "club")
    >>> finding.meaning
    '86% of the edges are within groups, 50% expected from degrees'
    """
    labels, codes = Labels.of(node_values(graph, groups, "groups"))
    between = weight_between(graph, codes, len(labels))
    total = float(between.sum())
    if total == 0:
        raise InvalidParameterError("groups must label both ends of at least one edge; no edge has two labels.")
    share = between / total
    within, expected = float(np.trace(share)), float(share.sum(axis=1) @ share.sum(axis=0))
    p_value = _permutation_test(graph, codes, as_generator(random_state))
    return [
        Finding(
            f"assortativity by {name}",
            _assortativity(within, expected),
            f"{within:.0%} of the edges are within groups, {expected:.0%} expected from degrees",
            "dcsbm" if abs(_assortativity(within, expected)) > 0.05 and p_value < _LEVEL else None,
            p_value,
        )
    ]


def _assortativity(within: float, expected: float) -> float:
    return (within - expected) / (1.0 - expected) if expected < 1 else 0.0


def _permutation_test(graph: Graph, codes: NDArray[np.int32], rng: np.random.Generator) -> float:
    """Return the p-value of the assortativity under permutations of the labels over the nodes with a labeled edge."""
    rows, columns, weights = _edges(graph)
    tested = np.flatnonzero((codes[rows] >= 0) & (codes[columns] >= 0) & (graph.directed | (rows <= columns)))
    if len(tested) > _EDGES_TESTED:
        tested = rng.choice(tested, _EDGES_TESTED, replace=False)
    nodes, ends = np.unique(np.stack([rows[tested], columns[tested]]), return_inverse=True)
    (i, j), share = ends.reshape(2, -1), weights[tested] / weights[tested].sum()
    out, into = (np.bincount(end, share, len(nodes)).astype(np.float64) for end in (i, j))
    if not graph.directed:
        out = into = (out + into) / 2

    def size(label: NDArray[np.int32]) -> float:
        of_groups = [np.bincount(label, strength) for strength in (out, into)]
        return abs(_assortativity(float(share @ (label[i] == label[j])), float(of_groups[0] @ of_groups[1])))

    label = codes[nodes]
    observed = size(label) - _ROUNDING
    as_far = sum(size(rng.permutation(label)) >= observed for _ in range(_PERMUTATIONS))
    return (1 + as_far) / (1 + _PERMUTATIONS)


def diagnose_sides(graph: Graph) -> list[Finding]:
    """Measure bipartivity, ``max(0, −λ_min)`` of the random walk averaged over connected components.

    Connected components are weighted by their strength. A bipartite connected component has the value 1; all others
    share the value of the subgraph that they form. A null model is recommended if all connected components are
    bipartite.

    Parameters
    ----------
    graph : Graph
        Directions are ignored.

    Returns
    -------
    list of Finding
        Bipartivity, between 0 and 1.

    Examples
    --------
    >>> from residuum import datasets
    >>> [finding] = diagnose_sides(datasets.karate_club())
    >>> round(finding.value, 2), finding.null_model
    (0.71, None)
    """
    strength = graph.out_strength + graph.in_strength
    symmetric = sparse.csr_array(graph.adjacency + graph.adjacency.T)
    bipartite = node_sides(graph) >= 0
    share = float(strength[bipartite].sum() / strength.sum())
    value = share
    if not bipartite.all():
        value += (1.0 - share) * _spectral_bipartivity(symmetric[~bipartite][:, ~bipartite])
    return [Finding("bipartivity", value, "1 = perfectly bipartite", "bipartite" if bipartite.all() else None)]


def _spectral_bipartivity(adjacency: "sparse.csr_array[Any]") -> float:
    scale = sparse.diags_array(1.0 / np.sqrt(np.asarray(adjacency.sum(axis=1)).ravel()))
    return max(0.0, -_smallest_eigenvalue(sparse.csr_array(scale @ adjacency @ scale)))


def _smallest_eigenvalue(walk: "sparse.csr_array[Any]") -> float:
    """Return the smallest eigenvalue of a symmetrized random-walk matrix."""
    if walk.shape[0] < _DENSE:
        return float(np.linalg.eigvalsh(walk.toarray())[0])
    start = np.random.default_rng(0).standard_normal(walk.shape[0])
    return float(eigsh(walk, k=1, which="SA", v0=start, tol=1e-4, return_eigenvectors=False)[0])


def diagnose_distance(graph: Graph, distance_of_pairs: Any, rng: np.random.Generator) -> list[Finding]:
    """Measure distance decay: minus the rank correlation of distance and adjacency, over edges and random pairs.

    At most 20,000 edges are used, and as many random pairs.

    Parameters
    ----------
    graph : Graph
        Graph with at least one edge.
    distance_of_pairs : callable
        Distances of pairs of nodes by position, ``(rows, columns) -> array``.
    rng : numpy Generator
        Random state of the sampled edges and pairs.

    Returns
    -------
    list of Finding
        Distance decay, between −1 and 1; positive if edges are shorter than random pairs.

    Examples
    --------
    >>> ring = Graph(np.roll(np.eye(50), 1, axis=1) + np.roll(np.eye(50), -1, axis=1))
    >>> [finding] = diagnose_distance(ring, lambda i, j: np.abs(i - j), np.random.default_rng(0))
    >>> finding.value > 0.5, finding.null_model
    (True, 'spatial')
    """
    rows, columns, _ = _edges(graph)
    sample = rng.choice(len(rows), min(len(rows), 20_000), replace=False)
    edge_distance = distance_of_pairs(rows[sample], columns[sample])
    random_distance = distance_of_pairs(*rng.choice(graph.n_nodes, (2, len(sample))))
    is_edge = np.repeat([1, 0], len(sample))
    correlation, p_value = spearmanr(np.concatenate([edge_distance, random_distance]), is_edge)
    decay = -float(correlation)
    return [
        Finding(
            "distance decay",
            decay,
            f"median distance {np.median(edge_distance):.3g} along edges, "
            f"{np.median(random_distance):.3g} between random nodes",
            "spatial" if decay > 0.1 and p_value < _LEVEL else None,
            float(p_value),
        )
    ]
