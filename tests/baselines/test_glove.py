import numpy as np
import pytest

from graph_cases import graph_cases
from residuum import Graph, datasets
from residuum._validation import window_weights
from residuum.baselines.glove import GloVe, co_occurrences
from residuum.errors import DivergenceError, InvalidParameterError
from residuum.walks import RandomWalks

CASES = graph_cases()
GRAPH = datasets.planted_groups(120, 3, random_state=1)
SHORT = {"n_components": 6, "window": 4, "n_walks": 10, "walk_length": 20, "n_jobs": 1, "random_state": 0}


def test_biases_are_the_offsets_and_correlate_with_degree():
    model = GloVe(**SHORT, epochs=20).fit(GRAPH)
    assert np.corrcoef(model.offset_, np.log(GRAPH.in_strength))[0, 1] > 0.8
    np.testing.assert_allclose(
        model.score_pairs([0, 1], [2, 3], mode="null"),
        (model.source_offset_[[0, 1]] + model.offset_[[2, 3]] + model.source_offset_[[2, 3]] + model.offset_[[0, 1]])
        / 2,
    )


def test_the_loss_decreases_and_links_are_predicted():
    events = []
    model = GloVe(**SHORT, epochs=40, progress=events.append).fit(GRAPH)
    assert model.losses_[-1] < 0.5 * model.losses_[0]
    assert [event.loss for event in events if event.stage == "GloVe"][1:] == model.losses_
    assert model.score(GRAPH) > 0.75


def test_pairs_of_a_directed_graph_count_in_one_direction():
    ring = np.roll(np.eye(30), 1, axis=1)
    model = GloVe(3, window=1, n_jobs=1, random_state=0, epochs=3000).fit(Graph(ring, directed=True))
    forward = model.score_pairs(np.arange(29), np.arange(1, 30), mode="full")
    assert forward == pytest.approx(np.full(29, np.log(10 * 80)), abs=0.5)


def test_invalid_parameters_and_divergence_are_named():
    with pytest.raises(InvalidParameterError, match="epochs must be at least 1; got 0"):
        GloVe(4, epochs=0).fit(GRAPH)
    with pytest.raises(InvalidParameterError, match="learning_rate must be"):
        GloVe(4, learning_rate=-1.0).fit(GRAPH)
    with pytest.raises(DivergenceError, match="learning_rate is 10"):
        GloVe(**SHORT, learning_rate=10.0).fit(GRAPH)


@pytest.mark.parametrize("window", [3, [1.0, 0.0, 0.5]], ids=["equal weights", "own weights"])
@pytest.mark.parametrize("case", ["weighted", "directed"])
def test_co_occurrences_equal_a_count_over_the_walks(case, window, monkeypatch):
    graph = CASES[case]
    monkeypatch.setattr("residuum.walks.random_walks._CHUNK_NODES", 9 * 11)
    walks = RandomWalks(graph, n_walks=4, walk_length=8, random_state=0)
    weights = window_weights(window)
    expected = np.zeros((graph.n_nodes, graph.n_nodes))
    for walk in np.concatenate(list(walks.chunks())):
        for start in range(9):
            for t, weight in enumerate(weights / weights.max(), start=1):
                if start + t < 9:
                    expected[walk[start], walk[start + t]] += weight
    if not graph.directed:
        expected = expected + expected.T
    np.testing.assert_allclose(co_occurrences(walks, weights).toarray(), expected, rtol=1e-5)
