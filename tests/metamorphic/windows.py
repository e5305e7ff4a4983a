"""Relations of the window and of the walks."""

from typing import Any

import numpy as np
from scipy import sparse

from metamorphic.relation import (
    DIRECTED_ONLY,
    NULLS,
    ROUNDING,
    SAME_BITS,
    SAMPLED,
    SWAPS,
    UNDIRECTED_ONLY,
    Case,
    only,
    rebuilt,
    relation,
)
from residuum import Graph
from residuum.walks import WindowProbabilities

WINDOW = (3.0, 2.0, 1.0)


def walked(graph: Graph, window: Any) -> Any:
    """Return P_d of all pairs."""
    return WindowProbabilities(graph, window).rows(np.arange(graph.n_nodes)).astype(np.float64)


@relation("write the window as weights of any size", "weights are divided by their sum", SAME_BITS)
def window_weights(case: Case) -> tuple[Any, Any]:
    return [case.changed(window=window) for window in ([1, 1, 1], [8.0, 8.0, 8.0])], [case.scores] * 2


@relation("mix the windows of single steps", "P_d and P_0 are linear in the window", 1e-6)
def linear_in_the_window(case: Case) -> tuple[Any, Any]:
    share = np.array(WINDOW) / np.sum(WINDOW)
    nodes, null = np.arange(case.graph.n_nodes), NULLS[case.null]
    both = [
        np.stack([walked(case.graph, window), np.exp(null.fit(case.graph, window).log_rows(nodes))])
        for window in (WINDOW, [1], [0, 1], [0, 0, 1])
    ]
    return both[0], sum(weight * part for weight, part in zip(share, both[1:], strict=True))


@relation("concatenate two windows of steps", "P^(s+t) = P^s P^t", 1e-6)
def concatenated_steps(case: Case) -> tuple[Any, Any]:
    one, two, three = (walked(case.graph, window) for window in ([1], [0, 1], [0, 0, 1]))
    return [three, three, two], [one @ two, two @ one, one @ one]


@relation("reverse the walks", "d_i P_d(j | i) is symmetric in an undirected graph", 1e-6, UNDIRECTED_ONLY)
def detailed_balance(case: Case) -> tuple[Any, Any]:
    share = case.graph.out_strength / case.graph.out_strength.sum()
    flow = share[:, None] * walked(case.graph, WINDOW)
    return flow, flow.T


@relation(
    "reverse the walks of both graphs",
    "R̃ is symmetric, and so are the associations",
    ROUNDING,
    SAMPLED | UNDIRECTED_ONLY | SWAPS | {"erdos-renyi": "P_0 is symmetric there, and P_d is not"},
)
def reversed_walks(case: Case) -> tuple[Any, Any]:
    return case.scores, case.scores.T


@relation(
    "reverse all arcs at window 1",
    "ln P_d − ln P_0 is transposed: sources and targets swap sides",
    ROUNDING,
    SAMPLED | DIRECTED_ONLY | SWAPS | {"erdos-renyi": "divides by out-degree only"},
)
def transposed(case: Case) -> tuple[Any, Any]:
    swapped = rebuilt(case.graph, case.graph.adjacency.T)
    return case.changed(swapped, window=1), case.changed(window=1).T


@relation(
    "take one step in the graph of two steps",
    "A D⁻¹ A has the degrees of A and the steps P²",
    ROUNDING,
    SAMPLED | UNDIRECTED_ONLY | only("configuration erdos-renyi", "mixes groups by the edges, which are others"),
)
def two_step_graph(case: Case) -> tuple[Any, Any]:
    A = case.graph.adjacency.toarray().astype(np.float64)
    squared = A / A.sum(axis=1) @ A
    return case.changed(rebuilt(case.graph, (squared + squared.T) / 2), window=1), case.changed(window=[0, 1])


def bicliques() -> Graph:
    """Return complete bipartite graphs with weights a_i b_j, on which a walker forgets all but its side: P³ = P."""
    rng = np.random.default_rng(3)
    parts = []
    for _ in range(4):
        left, right = rng.integers(1, 9, 3) / 4, rng.integers(1, 9, 3) / 4
        zeros = np.zeros((3, 3))
        parts.append(np.block([[zeros, np.outer(left, right)], [np.outer(right, left), zeros]]))
    side, component = np.tile(np.repeat([0, 1], 3), 4), np.repeat(np.arange(4), 6)
    # Groups are sides of pairs of graphs, so that the walk between groups has the same period.
    group = np.array([f"{pair}{half}" for pair, half in zip(component // 2, side, strict=True)])
    attributes = {"side": side, "group": group, "layer": side, "time": 10 * (component // 2) + side}
    return Graph(sparse.block_diag(parts), node_attributes=attributes)


@relation(
    "double the window of a graph with P³ = P",
    "odd steps are equal, and so are even steps",
    ROUNDING,
    SAMPLED
    | SWAPS
    | {
        "directed": "the graph is undirected",
        "spatial": "places have no such period",
        "degree-correlated": "bins of the degree have no such period",
    },
)
def doubled_window(case: Case) -> tuple[Any, Any]:
    graph = bicliques()
    return [case.changed(graph, window=4), case.changed(graph, window=[1, 0, 1])], [
        case.changed(graph, window=2),
        case.changed(graph, window=1),
    ]


@relation("add self-loops of the weight of each node", "the walk is lazy: (P + I) / 2", 1e-6)
def lazy_walk(case: Case) -> tuple[Any, Any]:
    A, strength = case.graph.adjacency.toarray().astype(np.float64), case.graph.out_strength
    lazy = rebuilt(case.graph, A + np.diag(strength))
    one, two = (walked(case.graph, window) for window in ([1], [0, 1]))
    same = np.eye(len(A))
    expected = [(one + same) / 2, (two + 2 * one + same) / 4]
    return [walked(lazy, [1]), walked(lazy, [0, 1])], expected
