"""Shrinkage and scale from left-out edges: how well the factors score an edge of which they have not seen the walks.

Vectors of both ends of an edge are computed again from walks in the graph without this edge, which costs two rows of
the matrix instead of a fit. Such an edge scores like a held-out edge, so that the noise of the weak dimensions shows.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from residuum.embedding import PairScores
from residuum.residual.left_out_ends import EdgeEnds, LocalEnds, Side
from residuum.residual.linalg import Factors
from residuum.residual.matrix import ResidualMatrix
from residuum.residual.noise import leakage, noise_steps
from residuum.residual.spectrum import Spectrum, reweighted

__all__ = [
    "LeftOutEdges",
    "candidate_shrinkages",
    "leave_out",
    "left_out_pairs",
    "number_of_edges",
    "read_scale",
    "read_shrinkage",
]

# Number of left-out edges: fewer in large graphs, where a row of the matrix costs more, and fewer still in huge ones,
# where rows would take longer than the factors.
_MOST_EDGES, _USUAL_EDGES, _FEWEST_EDGES = 256, 96, 32
_ROW_ENTRIES, _ENTRIES_OF_HUGE = 2_000_000, 400_000_000
_FEWEST_TO_READ = 16
_UNIFORM_PAIRS = 4_000
# The same edges for every seed, so that the values depend on the graph alone.
_SEED = 0
# Matched pairs per left-out edge: a few times the edges, which are the fewer and set the precision.
_MATCHED_PER_EDGE = 8
_SCALE_BOUNDS = (1 / 16, 16.0)
_NEWTON_STEPS = 30


@dataclass(frozen=True)
class LeftOutEdges:
    """Products of the coordinates of pairs, ``x_k y_k`` with ``Σ_k x_k y_k = u_i · v_j``, and null scores.

    Attributes
    ----------
    values : array of shape (K,)
        Singular values.
    edges : array of shape (n, K)
        Left-out edges.
    matched : array of shape (m, K)
        Ends of different edges, which have the degrees of the ends of edges.
    uniform : array of shape (l, K)
        Random pairs of nodes.
    edges_null, uniform_null : arrays of shape (n,) and (l,)
        Null scores.
    leakage : array of shape (K,)
        Factor of each dimension, as defined by :func:`leakage`.
    """

    values: NDArray[np.float64]
    edges: NDArray[np.float32]
    matched: NDArray[np.float32]
    uniform: NDArray[np.float32]
    edges_null: NDArray[np.float64]
    uniform_null: NDArray[np.float64]
    leakage: NDArray[np.float64]

    def scores(self, spectrum: Spectrum) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return the residual scores of edges, matched and uniform pairs with reweighted singular values.

        Parameters
        ----------
        spectrum : Spectrum
            Power and shrinkage of the singular values; the scale is not applied.

        Returns
        -------
        edges, matched, uniform : arrays of shape (n,), (m,) and (l,)
            Scores.
        """
        kept = reweighted(self.values, spectrum.power, spectrum.shrinkage)
        factors = np.divide(kept, self.values, out=np.zeros_like(kept), where=self.values > 0)
        edges, matched, uniform = (
            np.asarray(pairs @ factors, dtype=np.float64) for pairs in (self.edges, self.matched, self.uniform)
        )
        return edges, matched, uniform


def leave_out(matrix: ResidualMatrix, factors: Factors) -> LeftOutEdges | None:
    """Score edges with vectors from walks that do not use them, ``x_i = R̃'_i Φ_r σ^(−1/2)``.

    The singular vectors Φ_r contain the edge as well, the more the closer a dimension is to the noise. With u_i the
    vector of the fit, ``u_i − x_i`` is what the walks along the edge add; :func:`leakage` times as much is
    subtracted from x_i.

    Edges whose ends no walk within the window joins any more are not used: no method predicts them.

    Parameters
    ----------
    matrix : ResidualMatrix
        The factorized matrix.
    factors : Factors
        Its leading factors.

    Returns
    -------
    LeftOutEdges or None
        None if the graph has too few edges to leave out.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> from residuum.solvers import Exact, Workspace
    >>> from residuum.walks import WindowProbabilities
    >>> graph = datasets.planted_groups(200, 4, random_state=0)
    >>> matrix = ResidualMatrix(WindowProbabilities(graph, 3), Configuration().fit(graph, 3), floor=-3.0)
    >>> factors = Exact().solve(matrix, 16, Workspace(1 << 30, np.random.default_rng(0))).factors
    >>> leave_out(matrix, factors).edges.shape[1]
    16
    """
    return left_out_pairs(LocalEnds(matrix, factors))


def left_out_pairs(ends: EdgeEnds) -> LeftOutEdges | None:
    """Score left-out edges and other pairs, wherever the graph and the factors are.

    Parameters
    ----------
    ends : EdgeEnds
        Access to the graph and the factors.

    Returns
    -------
    LeftOutEdges or None
        None if the graph has too few edges to leave out, or no pairs without an edge to compare them with.
    """
    matrix = ends.matrix
    graph = matrix.probabilities.graph
    rng = np.random.default_rng(_SEED)
    edges = ends.sample(number_of_edges(matrix.n_nodes), rng)
    if len(edges) < _FEWEST_TO_READ:
        return None
    steps = noise_steps(graph, matrix.probabilities.window)
    noise = leakage(ends.values, ends.energy(), steps)
    left, right, joined = _coordinates(ends, edges, noise.astype(np.float32))
    if np.count_nonzero(joined) < _FEWEST_TO_READ:
        return None
    rows, columns_of = np.divmod(rng.permutation(len(edges) ** 2)[: _MATCHED_PER_EDGE * len(edges)], len(edges))
    sources, targets = edges[rows, 0], edges[columns_of, 1]
    is_pair = (sources != targets) & ~ends.is_edge(sources, targets)
    if not is_pair.any():  # all nodes are connected
        return None
    nodes = np.flatnonzero((graph.out_strength > 0) & (graph.in_strength > 0))
    i, j = nodes[rng.integers(len(nodes), size=(2, _UNIFORM_PAIRS))]
    null = PairScores(
        np.empty((matrix.n_nodes, 0)),
        offsets=matrix.null.offset,
        source_offsets=matrix.null.source_offset,
        directed=graph.directed,
        log_null=matrix.null.log_probability,
    ).null
    # Pairs that the null model excludes, such as citations of the future, are known without a residual.
    uniform_null = null(i, j)
    is_possible = np.isfinite(uniform_null)
    if not is_possible.any():
        return None
    i, j, uniform_null = i[is_possible], j[is_possible], uniform_null[is_possible]
    return LeftOutEdges(
        values=ends.values,
        edges=(left * right)[joined],
        matched=left[rows[is_pair]] * right[columns_of[is_pair]],
        uniform=ends.vectors(i, "rows") * ends.vectors(j, "columns"),
        edges_null=null(*edges[joined].T),
        uniform_null=uniform_null,
        leakage=noise,
    )


def number_of_edges(n_nodes: int) -> int:
    """Return the maximum number of left-out edges.

    Parameters
    ----------
    n_nodes : int
        Number of nodes of the graph.

    Returns
    -------
    int
        256 for small graphs, 96 from 20,000 to 4 million nodes, and 32 from 12 million on.

    Examples
    --------
    >>> [number_of_edges(size) for size in (1_000, 100_000, 20_000_000)]
    [256, 96, 32]
    """
    usual = np.clip(_ROW_ENTRIES // n_nodes, _USUAL_EDGES, _MOST_EDGES)
    return int(np.clip(_ENTRIES_OF_HUGE // n_nodes, _FEWEST_EDGES, usual))


def _coordinates(
    ends: EdgeEnds, edges: NDArray[np.int64], noise: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_]]:
    """Return the coordinates of both ends of each edge, and whether a walk still joins them."""
    side: Side = "rows" if ends.matrix.symmetric else "columns"
    left, joined = ends.coordinates(edges, edges[:, 0], "rows")
    right, _ = ends.coordinates(edges, edges[:, 1], side)
    left -= noise * (ends.vectors(edges[:, 0], "rows") - left)
    right -= noise * (ends.vectors(edges[:, 1], side) - right)
    if ends.matrix.symmetric:
        right *= ends.signs
    return left, right, joined


def candidate_shrinkages(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return thresholds as shares of the smallest positive singular value, from 0 to the second largest.

    Parameters
    ----------
    values : array of shape (K,)
        Singular values, descending.

    Returns
    -------
    array of shape (n,)
        Ascending shares: 0 to 0.9, and the singular values of ranks K, K/√2, K/2 and so on.

    Examples
    --------
    >>> candidate_shrinkages(np.array([8.0, 4.0, 3.0, 2.0]))
    array([0. , 0.3, 0.6, 0.9, 1. , 2. ])
    """
    below = np.array([0.0, 0.3, 0.6, 0.9])
    positive = values[values > 0]
    if len(positive) < 3:
        return below
    ranks = np.unique((len(positive) * 2.0 ** (-np.arange(32) / 2)).astype(int))
    return np.concatenate([below, np.unique(positive[ranks[ranks >= 2] - 1]) / positive[-1]])


def read_shrinkage(left_out: LeftOutEdges, spectrum: Spectrum) -> float:
    """Return the shrinkage with the lowest logistic loss of left-out edges against degree-matched pairs.

    Parameters
    ----------
    left_out : LeftOutEdges
        Left-out edges and pairs.
    spectrum : Spectrum
        Its power is applied.

    Returns
    -------
    float
        Share of the smallest positive singular value.

    Examples
    --------
    >>> edges, pairs = np.array([[2.0, 0.0], [2.0, 1.0]]), np.array([[-1.0, 1.0], [1.5, 0.0]])
    >>> sample = LeftOutEdges(np.array([2.0, 1.0]), edges, pairs, pairs, np.zeros(2), np.zeros(2), np.zeros(2))
    >>> read_shrinkage(sample, Spectrum()) >= 0
    True
    """
    candidates = candidate_shrinkages(left_out.values)
    losses = []
    for shrinkage in candidates:
        edges, matched, _ = left_out.scores(replace(spectrum, shrinkage=float(shrinkage)))
        losses.append(_logistic(edges, matched)[1])
    return float(candidates[int(np.argmin(losses))])


def read_scale(left_out: LeftOutEdges, spectrum: Spectrum) -> float:
    """Return the maximum-likelihood scale b of ``ln odds = b · residual + null + a``, edges against uniform pairs.

    Parameters
    ----------
    left_out : LeftOutEdges
        Left-out edges and pairs.
    spectrum : Spectrum
        Its power and shrinkage are applied.

    Returns
    -------
    float
        Scale of the association, from 1/16 to 16.

    Examples
    --------
    >>> edges, pairs = np.array([[2.0, 0.0], [2.0, 1.0]]), np.array([[-1.0, 1.0], [1.5, 0.0]])
    >>> sample = LeftOutEdges(np.array([2.0, 1.0]), edges, pairs, pairs, np.zeros(2), np.zeros(2), np.zeros(2))
    >>> 1 / 16 <= read_scale(sample, Spectrum()) <= 16
    True
    """
    edges, _, uniform = left_out.scores(spectrum)
    slope = _logistic(edges, uniform, left_out.edges_null, left_out.uniform_null)[0]
    return float(np.clip(slope, *_SCALE_BOUNDS))


def _logistic(
    positive: NDArray[np.float64],
    negative: NDArray[np.float64],
    positive_offset: NDArray[np.float64] | float = 0.0,
    negative_offset: NDArray[np.float64] | float = 0.0,
) -> tuple[float, float]:
    """Return slope and loss of a logistic regression with intercept and offset, both classes with weight 1/2."""
    x = np.concatenate([positive, negative])
    offset = np.concatenate([positive_offset + np.zeros(len(positive)), negative_offset + np.zeros(len(negative))])
    label = np.repeat([1.0, -1.0], [len(positive), len(negative)])
    weight = np.repeat([0.5 / len(positive), 0.5 / len(negative)], [len(positive), len(negative)])
    design = np.stack([x, np.ones_like(x)], axis=1)

    def loss(point: NDArray[np.float64]) -> float:
        return float(weight @ np.logaddexp(0.0, -label * (design @ point + offset)))

    point = np.array([1.0, -float(np.mean(x + offset))])
    current = loss(point)
    for _ in range(_NEWTON_STEPS):
        probability = 0.5 * (1.0 + np.tanh((design @ point + offset) / 2))
        gradient = design.T @ (weight * (probability - (label > 0)))
        curvature = (design * (weight * probability * (1 - probability))[:, None]).T @ design + 1e-9 * np.eye(2)
        step, share = np.linalg.solve(curvature, gradient), 1.0
        while share > 1e-6 and loss(point - share * step) > current:
            share /= 2
        point = point - share * step
        current, previous = loss(point), current
        if previous - current < 1e-9:
            break
    return float(point[0]), current
