import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

from graph_cases import graph_cases
from residuum import datasets
from residuum.errors import InvalidParameterError
from residuum.evaluation import hide_edges, with_edges

GRAPH = datasets.planted_groups(200, 3, average_degree=8, random_state=0)


def rng():
    return np.random.default_rng(0)


def test_held_out_and_training_edges_make_up_the_graph():
    split = hide_edges(GRAPH, 0.5, rng())
    rebuilt = split.train.adjacency.toarray()
    rebuilt[*split.hidden.T] += 1
    rebuilt[*split.hidden.T[::-1]] += 1
    np.testing.assert_array_equal(rebuilt, GRAPH.adjacency.toarray())
    assert len(split.hidden) == round(0.5 * GRAPH.n_edges)


def test_connected_components_stay_the_same_even_if_the_fraction_is_one():
    split = hide_edges(GRAPH, 1.0, rng())
    before, after = (connected_components(g.adjacency)[0] for g in (GRAPH, split.train))
    assert after == before
    assert split.train.n_edges == GRAPH.n_nodes - before


def test_weights_and_attributes_are_kept():
    graph = graph_cases()["weighted"]
    train = hide_edges(graph, 0.3, rng()).train
    kept = train.adjacency.toarray() > 0
    np.testing.assert_array_equal(train.adjacency.toarray()[kept], graph.adjacency.toarray()[kept])
    assert list(hide_edges(GRAPH, 0.3, rng()).train.node_attributes) == ["group"]


def test_arcs_of_a_directed_graph_are_held_out():
    graph = graph_cases()["directed"]
    split = hide_edges(graph, 0.4, rng())
    assert split.train.directed
    assert split.train.n_edges + len(split.hidden) == graph.n_edges


def test_self_loops_are_never_held_out():
    split = hide_edges(graph_cases()["self-loops"], 1.0, rng())
    assert split.train.adjacency[2, 2] == 1.5
    assert (split.hidden[:, 0] != split.hidden[:, 1]).all()


def test_the_same_generator_state_holds_out_the_same_edges():
    np.testing.assert_array_equal(hide_edges(GRAPH, 0.5, rng()).hidden, hide_edges(GRAPH, 0.5, rng()).hidden)


def test_fraction_must_be_between_zero_and_one():
    with pytest.raises(InvalidParameterError, match=r"fraction must be .* between 0 and 1; got 1\.5"):
        hide_edges(GRAPH, 1.5, rng())


@pytest.mark.parametrize("name", ["weighted", "directed"])
def test_added_edges_have_weight_one_and_the_direction_of_the_graph(name):
    graph = graph_cases()[name]
    expected = graph.adjacency.toarray()
    pairs = np.argwhere(np.triu(expected == 0, k=1))[:3]
    for i, j in pairs:
        expected[i, j] = 1.0
        if not graph.directed:
            expected[j, i] = 1.0
    added = with_edges(graph, pairs)
    np.testing.assert_array_equal(added.adjacency.toarray(), expected)
    assert added.directed == graph.directed
