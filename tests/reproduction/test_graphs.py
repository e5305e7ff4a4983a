import numpy as np
import pytest

from residuum import datasets
from residuum.errors import InvalidParameterError
from residuum.reproduction.graphs import PAPER_GRAPHS, graphs_of, load_graph, split
from residuum.reproduction.target import Settings


def adjacent(graph, pairs):
    return graph.adjacency.toarray()[pairs[:, 0], pairs[:, 1]] > 0


def test_a_full_benchmark_has_the_graphs_of_the_paper(tmp_path):
    assert graphs_of(Settings(tmp_path)) == list(PAPER_GRAPHS)
    assert graphs_of(Settings(tmp_path), ("polblogs", "airport")) == ["polblogs", "airport"]


def test_a_quick_benchmark_has_the_planted_graph(tmp_path):
    assert graphs_of(Settings(tmp_path, quick=True)) == ["planted"]


@pytest.mark.parametrize("quick", [False, True])
def test_named_graphs_replace_the_default(tmp_path, monkeypatch, quick):
    monkeypatch.setattr(datasets, "names", lambda: ["airport", "polblogs"])
    settings = Settings(tmp_path, quick=quick, graphs=("polblogs", "planted"))
    assert graphs_of(settings, ("airport",)) == ["planted", "polblogs"]


def test_an_unknown_graph_is_refused(tmp_path):
    with pytest.raises(InvalidParameterError, match=r"graphs must be among 'planted'.*got 'nowhere'"):
        graphs_of(Settings(tmp_path, graphs=("nowhere",)))


def test_the_planted_graph_has_four_groups():
    graph = load_graph("planted")
    assert graph.n_nodes == 300
    assert len(np.unique(graph.node_attributes["group"])) == 4
    rows, columns = graph.adjacency.nonzero()
    group = graph.node_attributes["group"]
    assert np.mean(group[rows] == group[columns]) > 0.8


@pytest.mark.parametrize("fraction", [0.25, 0.5])
def test_held_out_edges_are_edges_of_the_graph_but_not_of_the_training_graph(fraction):
    graph, task = load_graph("planted"), split("planted", fraction, 0)
    assert adjacent(graph, task.positive).all()
    assert not adjacent(task.train, task.positive).any()
    assert len(task.positive) == pytest.approx(fraction * graph.n_edges, abs=1)
    assert task.train.n_edges + len(task.positive) == graph.n_edges


@pytest.mark.parametrize("kind", ["uniform", "degree-matched", "distance 2"])
def test_negatives_are_not_edges(kind):
    task = split("planted", 0.5, 0)
    negatives = task.negatives[kind]
    assert len(negatives) > 0
    assert not adjacent(load_graph("planted"), negatives).any()


def test_negatives_at_distance_2_share_a_neighbor():
    adjacency = load_graph("planted").adjacency.toarray() > 0
    pairs = split("planted", 0.5, 0).negatives["distance 2"]
    assert (adjacency[pairs[:, 0]] & adjacency[pairs[:, 1]]).any(axis=1).all()


def test_a_run_has_the_same_split_and_another_run_has_another():
    first = split("planted", 0.5, 0).positive.copy()
    other = split("planted", 0.5, 1).positive.copy()
    split.cache_clear()
    np.testing.assert_array_equal(split("planted", 0.5, 0).positive, first)
    assert first.shape != other.shape or (first != other).any()


def test_the_last_graph_and_split_are_cached():
    assert load_graph("planted") is load_graph("planted")
    assert split("planted", 0.5, 0) is split("planted", 0.5, 0)
