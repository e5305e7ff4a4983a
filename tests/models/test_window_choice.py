import numpy as np
import pytest

from residuum import Graph, Residual2Vec, datasets
from residuum.errors import InvalidParameterError
from residuum.evaluation import link_task, pair_scores
from residuum.models.window_choice import WINDOWS, choose_window

GRAPH = datasets.planted_groups(300, 5, mixing=0.1, average_degree=8, random_state=1)


def test_the_best_window_is_taken_and_the_graph_is_embedded_with_it():
    model = Residual2Vec(8, window="auto", random_state=3).fit(GRAPH)
    assert list(model.window_scores_) == list(WINDOWS)
    best = max(model.window_scores_, key=model.window_scores_.get)
    np.testing.assert_allclose(model.window_, np.full(best, 1 / best))
    same = Residual2Vec(8, window=best, random_state=0).fit(GRAPH)
    np.testing.assert_allclose(np.abs(model.singular_values_), np.abs(same.singular_values_), rtol=1e-4)
    again = Residual2Vec(8, window="auto", random_state=3).fit(GRAPH)
    np.testing.assert_array_equal(again.embedding_, model.embedding_)


def test_scores_are_those_of_hidden_edges_against_pairs_of_the_same_degrees():
    model = Residual2Vec(8, solver="exact")
    found = choose_window(model, GRAPH, np.random.default_rng(7), windows=[2])
    task = link_task(GRAPH, 0.2, np.random.default_rng(7))
    trial = Residual2Vec(8, window=2, solver="exact", random_state=0).fit(task.train)
    score = pair_scores(trial.embedding_, trial.context_embedding_)["residual"]
    assert found[2] == pytest.approx(task.auc(score, "degree-matched"), abs=1e-3)


def test_a_ring_of_cliques_needs_few_steps_and_a_long_ring_many():
    """Edges of cliques are told by next neighbours; of a ring with chords only longer walks know where they belong."""
    ring = np.arange(400)
    chords = [(i, (i + step) % 400) for i in ring for step in (1, 2, 3)]
    adjacency = np.zeros((400, 400))
    for i, j in chords:
        adjacency[i, j] = adjacency[j, i] = 1
    long = Residual2Vec(32, window="auto", random_state=0).fit(Graph(adjacency))
    assert len(long.window_) > 1


def test_progress_and_parameters(caplog):
    events = []
    model = Residual2Vec(4, window="auto", random_state=0, progress=events.append)
    with caplog.at_level("INFO", logger="residuum"):
        model.fit(datasets.karate_club())
    assert events[0].stage == "choosing the window"
    assert sum("window 3: AUC" in message for message in caplog.messages) == 1
    assert model.get_params()["window"] == "auto"
    assert model.plan(datasets.karate_club())


def test_what_cannot_be_chosen_is_refused():
    with pytest.raises(InvalidParameterError, match=r"window must be .* or 'auto'; got 'long'"):
        Residual2Vec(4, window="long").fit(datasets.karate_club())
    path = Graph(np.diag(np.ones(30), 1) + np.diag(np.ones(30), -1))
    with pytest.raises(InvalidParameterError, match=r"only 0 to hide, of 30 edges; .* such as window=10"):
        Residual2Vec(4, window="auto").fit(path)
