import numpy as np
import pytest

from residuum import Graph, Residual2Vec, datasets
from residuum.errors import InvalidParameterError, ResiduumWarning
from residuum.evaluation import link_task, pair_scores
from residuum.models import choice
from residuum.models.choice import Trial, choose

GRAPH = datasets.planted_groups(300, 5, mixing=0.1, average_degree=8, random_state=1)
RING = Graph(sum(np.roll(np.eye(200), step, axis=1) for step in (1, 2, 3, -1, -2, -3)))


def test_the_best_values_are_taken_and_the_graph_is_embedded_with_them():
    model = Residual2Vec(8, window="auto", weighting="auto", random_state=3).fit(GRAPH)
    best = max(model.trials_, key=lambda trial: trial.auc).parameters
    assert model.weighting_ == best["weighting"]
    same = Residual2Vec(8, window=best["window"], weighting=best["weighting"], random_state=0).fit(GRAPH)
    np.testing.assert_allclose(model.window_, same.window_)
    np.testing.assert_allclose(model.singular_values_, same.singular_values_, rtol=1e-4)
    assert same.trials_ == []
    again = Residual2Vec(8, window="auto", weighting="auto", random_state=3).fit(GRAPH)
    np.testing.assert_array_equal(again.embedding_, model.embedding_)


def test_one_parameter_is_chosen_while_the_other_stays():
    model = Residual2Vec(8, window=4, weighting="auto", random_state=0).fit(GRAPH)
    tried = [trial.parameters["weighting"] for trial in model.trials_]
    assert tried in ([0.5, 1.0], [0.5, 1.0, 0.0])
    # Down only if up does not help.
    assert (model.trials_[1].auc > model.trials_[0].auc) == (len(tried) == 2)
    np.testing.assert_allclose(model.window_, np.full(4, 0.25))


def test_scores_are_those_of_hidden_edges_against_pairs_of_the_same_degrees():
    model = Residual2Vec(8, solver="exact")
    found = choose(model, GRAPH, ["window"], np.random.default_rng(7))[0]
    task = link_task(GRAPH, 0.2, np.random.default_rng(7))
    trial = Residual2Vec(8, window=5, solver="exact", random_state=0).fit(task.train)
    score = pair_scores(trial.embedding_, trial.context_embedding_)["residual"]
    assert found.parameters == {"window": 5}
    assert found.auc == pytest.approx(task.auc(score, "degree-matched"), abs=1e-3)


def test_arcs_of_a_directed_graph_are_told_by_their_direction():
    graph = Graph(sum(np.roll(np.eye(200), step, axis=1) for step in (1, 2, 3, 4)), directed=True)
    with pytest.warns(ResiduumWarning, match="teleportation was switched on") as told:
        model = Residual2Vec(16, window="auto", random_state=0).fit(_cut_open(graph))
    assert len(told) == 1
    assert max(trial.auc for trial in model.trials_) > 0.9


def _cut_open(graph):
    """Take away the arcs to node 0: the ring cannot be walked all around."""
    cut = graph.adjacency.toarray()
    cut[:, 0] = 0
    return Graph(cut, directed=True)


def test_steps_are_climbed_while_the_score_rises(monkeypatch):
    scores = {2: 0.1, 3: 0.3, 5: 0.5, 10: 0.6, 20: 0.8, 40: 0.7, tuple(range(20, 0, -1)): 0.9}
    monkeypatch.setattr(choice, "_try", lambda model, task, one, fixed: Trial(one, scores.get(one["window"], 0.0)))
    trials = choose(None, GRAPH, ["window"], np.random.default_rng(0))
    assert [trial.parameters["window"] for trial in trials][:4] == [5, 10, 20, 40]
    assert max(trials, key=lambda trial: trial.auc).auc == 0.9
    assert len(trials) == 6
    scores |= {10: 0.4, 3: 0.6}
    shorter = [trial.parameters["window"] for trial in choose(None, GRAPH, ["window"], np.random.default_rng(0))]
    assert shorter == [5, 10, 3, 2, (3, 2, 1), (6, 5, 4, 3, 2, 1)]


def test_a_ring_needs_more_than_two_steps():
    model = Residual2Vec(16, window="auto", random_state=0).fit(RING)
    assert len(model.window_) > 2


def test_progress_and_parameters(caplog):
    events = []
    model = Residual2Vec(4, window="auto", random_state=0, progress=events.append)
    with caplog.at_level("INFO", logger="residuum"):
        model.fit(datasets.karate_club())
    done = [event.done for event in events if event.stage == "choosing window"]
    assert (done[0], done[-1]) == (0, 6)
    assert sum("window 5: AUC" in message for message in caplog.messages) == 1
    assert model.get_params()["window"] == "auto"
    assert model.plan(datasets.karate_club())


def test_what_cannot_be_chosen_is_refused():
    with pytest.raises(InvalidParameterError, match=r"window must be .* or 'auto'; got 'long'"):
        Residual2Vec(4, window="long").fit(datasets.karate_club())
    with pytest.raises(InvalidParameterError, match=r"weighting must be .* or 'auto'; got 'even'"):
        Residual2Vec(4, weighting="even").fit(datasets.karate_club())
    path = Graph(np.diag(np.ones(30), 1) + np.diag(np.ones(30), -1))
    with pytest.raises(InvalidParameterError, match=r"window='auto' hides .* of the 30 edges of this graph 0 can be"):
        Residual2Vec(4, window="auto").fit(path)
