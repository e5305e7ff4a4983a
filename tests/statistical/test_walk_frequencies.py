"""Step frequencies of random walks, within five standard deviations of dense step probabilities at fixed seeds."""

import numpy as np
import pytest

import dense_reference as dense
from graph_cases import graph_cases, labels_for
from residuum.walks import RandomWalks

CASES = graph_cases()


def steps_by_past(corpus, n_nodes):
    """Count the steps by previous, current and next node; the previous node is N at the start."""
    counts = np.zeros((n_nodes + 1, n_nodes, n_nodes))
    np.add.at(counts, (np.full(len(corpus), n_nodes), corpus[:, 0], corpus[:, 1]), 1)
    np.add.at(counts, (corpus[:, :-2], corpus[:, 1:-1], corpus[:, 2:]), 1)
    return counts


def bias(A, p, q):
    """Return ``α(t, x)`` as a matrix, with a last row of 1 for walkers without a previous node."""
    alpha = np.where(A > 0, 1.0, 1.0 / q)
    np.fill_diagonal(alpha, 1.0 / p)
    return np.concatenate([alpha, np.ones((1, len(A)))])


def transition(A, alpha_row, here, groups):
    """Return the distribution of the next node by definition."""
    law = A[here] * alpha_row
    if groups is None:
        return law / law.sum()
    by_group = [law * (groups == g) for g in np.unique(groups[A[here] > 0])]
    return sum(part / part.sum() for part in by_group) / len(by_group)


@pytest.mark.parametrize("grouped", [False, True], ids=["plain", "groups"])
@pytest.mark.parametrize(("p", "q"), [(1.0, 1.0), (1.0, 0.5), (0.25, 4.0), (4.0, 0.25), (1e-3, 1.0), (1.0, 1e3)])
@pytest.mark.parametrize("case", ["unweighted", "weighted", "directed", "self-loops", "weights below one"])
def test_step_frequencies_follow_the_definition(case, p, q, grouped):
    graph = CASES[case]
    n_nodes = graph.n_nodes
    groups = np.unique(labels_for(graph), return_inverse=True)[1] if grouped else None
    walks = RandomWalks(graph, n_walks=400, walk_length=30, p=p, q=q, groups=groups, random_state=11)
    corpus = np.concatenate(list(walks.chunks()))
    counts = steps_by_past(corpus, n_nodes)
    A = graph.adjacency.toarray().astype(float)
    alpha = bias(A, p, q)
    for before, here in np.argwhere(counts.sum(axis=2) > 0):
        total = counts[before, here].sum()
        law = transition(A, alpha[before], here, groups)
        tolerance = 5 * np.sqrt(law * (1 - law) / total) + 5 / total
        assert (np.abs(counts[before, here] / total - law) <= tolerance).all()
        assert not counts[before, here][law == 0].any()


@pytest.mark.parametrize("case", ["directed", "dangling nodes"])
def test_pairs_that_are_not_across_a_jump_have_the_window_probabilities(case):
    graph, n_steps = CASES[case], 3
    corpus = np.concatenate(list(RandomWalks(graph, n_walks=20_000, walk_length=n_steps, random_state=3).chunks()))
    counts = np.zeros((graph.n_nodes, graph.n_nodes))
    on_the_way = np.ones(len(corpus), dtype=bool)
    for step in range(1, n_steps + 1):
        on_the_way &= corpus[:, step] >= 0
        np.add.at(counts, (corpus[on_the_way, 0], corpus[on_the_way, step]), 1)
    law = dense.window_probability(graph.adjacency.toarray(), np.full(n_steps, 1 / n_steps))
    total = np.maximum(counts.sum(axis=1, keepdims=True), 1)
    # The nodes of a walk are not independent: at worst a walk counts once for all its steps.
    tolerance = 5 * np.sqrt(n_steps * law * (1 - law) / total)
    assert (np.abs(counts / total - law) <= tolerance).all()


def test_consecutive_walks_are_independent():
    graph = CASES["unweighted"]
    walks = RandomWalks(graph, n_walks=1, walk_length=1, random_state=0)
    hub = int(np.argmax(graph.out_strength))
    first = np.concatenate([walks.walks_from(np.full(1000, hub), 1000 * k)[:, 1] for k in range(40)])
    law = graph.adjacency.toarray()[hub] / graph.out_strength[hub]
    pairs = np.zeros((graph.n_nodes, graph.n_nodes))
    np.add.at(pairs, (first[:-1], first[1:]), 1)
    expected = np.outer(law, law) * (len(first) - 1)
    chosen = expected > 0
    chi_square = ((pairs - expected)[chosen] ** 2 / expected[chosen]).sum()
    degrees_of_freedom = chosen.sum() - 1
    assert chi_square < degrees_of_freedom + 5 * np.sqrt(2 * degrees_of_freedom)
