import itertools

import numpy as np
import pytest

from residuum import AUTO, Graph, NetMF, Residual2Vec, datasets
from residuum.errors import InvalidParameterError, ResiduumWarning
from residuum.evaluation import link_task, pair_scores
from residuum.models import choice
from residuum.models.choice import choose
from residuum.models.trials import READ_OFF, Trial
from residuum.nulls import Configuration

GRAPH = datasets.planted_groups(300, 5, mixing=0.1, average_degree=8, random_state=1)
SCALES = READ_OFF["scale"]
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


def test_a_fine_tolerance_is_for_the_last_fit_only(monkeypatch):
    found, fit = [], Residual2Vec.fit
    monkeypatch.setattr("residuum.residual.landmark._FIRST_LANDMARKS", 40)
    monkeypatch.setattr("residuum.residual.landmark._LANDMARKS_PER_COMPONENT", 2)
    monkeypatch.setattr("residuum.residual.landmark._HELD_OUT", 10)
    monkeypatch.setattr(Residual2Vec, "fit", lambda model, graph: found.append(fit(model, graph)) or model)
    common = {"window": "auto", "solver": "landmark", "random_state": 3}
    fine, coarse, coarser = (Residual2Vec(8, tolerance=t, **common).fit(GRAPH) for t in (0.0, 0.16, 1.0))
    trials = [one for one in found if one not in (fine, coarse, coarser)]
    assert sorted({one.tolerance for one in trials}) == [0.16, 1.0]
    assert fine.chosen_ == coarse.chosen_
    assert fine.trials_ == coarse.trials_
    assert fine.solver_details_["n_landmarks"] == GRAPH.n_nodes
    assert coarser.solver_details_["n_landmarks"] < GRAPH.n_nodes


def test_one_parameter_is_chosen_while_the_other_stays():
    model = Residual2Vec(8, window=4, weighting="auto", random_state=0).fit(GRAPH)
    tried = [trial.parameters["weighting"] for trial in model.trials_]
    assert tried in ([0.5, 1.0], [0.5, 1.0, 0.0])
    # Down only if up does not help.
    assert (model.trials_[1].auc > model.trials_[0].auc) == (len(tried) == 2)
    np.testing.assert_allclose(model.window_, np.full(4, 0.25))


def test_scores_are_those_of_hidden_edges_against_pairs_of_the_same_degrees():
    model = Residual2Vec(8, solver="exact")
    found = choose(model, GRAPH, ["window"], np.random.default_rng(7))[0][0]
    rng = np.random.default_rng(7)
    aucs = []
    # A small graph is split three times.
    for _ in range(3):
        task = link_task(GRAPH, 0.1, rng)
        trial = Residual2Vec(8, window=5, solver="exact", random_state=0).fit(task.train)
        aucs.append(task.auc(pair_scores(trial.embedding_, trial.context_embedding_)["residual"], "degree-matched"))
    assert found.parameters == {"window": 5}
    assert found.auc == pytest.approx(np.mean(aucs), abs=1e-3)


def test_the_scale_is_that_of_the_best_full_score():
    model = Residual2Vec(4, scale="auto", solver="exact", random_state=1)
    found, _ = choose(model, GRAPH, ["scale"], np.random.default_rng(7))
    rng = np.random.default_rng(7)
    aucs = []
    for _ in range(3):
        task = link_task(GRAPH, 0.1, rng)
        trial = Residual2Vec(4, solver="exact", random_state=0).fit(task.train)
        score = pair_scores(trial.embedding_, trial.context_embedding_, trial.offset_)
        full = [lambda i, j, s=s, one=score: s * one["residual"](i, j) + one["null"](i, j) for s in SCALES]
        aucs.append([task.auc(one, "uniform") for one in full])
    best = SCALES[int(np.mean(aucs, axis=0).argmax())]
    assert [trial.parameters for trial in found] == [{"scale": best}]
    fitted = model.fit(GRAPH)
    assert fitted.scale_ in SCALES
    np.testing.assert_array_equal(
        fitted.embedding_, Residual2Vec(4, scale=fitted.scale_, solver="exact").fit(GRAPH).embedding_
    )


def test_power_and_shrinkage_have_the_fewest_pairs_in_the_wrong_order_in_both_tasks():
    names = ["power", "shrinkage", "scale"]
    model = Residual2Vec(12, **dict.fromkeys(names, "auto"), solver="exact", random_state=1)
    (found,), best = choose(model, GRAPH, names, np.random.default_rng(7))
    assert found is best
    rng = np.random.default_rng(7)
    tasks = [link_task(GRAPH, 0.1, rng) for _ in range(3)]

    def shares(values):
        fits = [Residual2Vec(12, **values, solver="exact", random_state=0).fit(task.train) for task in tasks]
        scores = [pair_scores(fit.embedding_, fit.context_embedding_, fit.offset_) for fit in fits]
        matched = np.mean(
            [task.auc(one["residual"], "degree-matched") for task, one in zip(tasks, scores, strict=True)]
        )
        uniform = np.mean([task.auc(one["full"], "uniform") for task, one in zip(tasks, scores, strict=True)])
        return matched, (1 - matched) * (1 - uniform)

    grid = [dict(zip(names, one, strict=True)) for one in itertools.product((1.0, 1.2, 1.4), (0.0, 0.9), SCALES[2:6])]
    assert list(found.parameters) == names
    assert shares(found.parameters)[1] <= min(shares(one)[1] for one in grid) + 1e-6
    assert found.auc == pytest.approx(shares(found.parameters)[0], abs=1e-3)
    fitted = model.fit(GRAPH)
    assert fitted.power_ in READ_OFF["power"]
    assert fitted.shrinkage_ in READ_OFF["shrinkage"]


def test_a_power_that_is_given_stays_while_shrinkage_is_chosen():
    (found,), _ = choose(
        Residual2Vec(12, power=1.3, shrinkage="auto", solver="exact"), GRAPH, ["shrinkage"], np.random.default_rng(7)
    )
    rng, aucs = np.random.default_rng(7), []
    for _ in range(3):
        task = link_task(GRAPH, 0.1, rng)
        fit = Residual2Vec(12, power=1.3, shrinkage=found.parameters["shrinkage"], solver="exact").fit(task.train)
        aucs.append(task.auc(pair_scores(fit.embedding_, fit.context_embedding_)["residual"], "degree-matched"))
    assert found.auc == pytest.approx(np.mean(aucs), abs=1e-3)


def test_vectors_from_walks_are_scaled_too():
    walks = {"n_walks": 2, "walk_length": 20, "epochs": 1}
    common = {"solver": "sgd", "sgd": walks, "random_state": 0, "n_jobs": 1}
    plain, scaled = (Residual2Vec(8, scale=scale, **common).fit(GRAPH) for scale in (1.0, 2.0))
    np.testing.assert_allclose(scaled.embedding_, 2**0.5 * plain.embedding_, rtol=1e-5)
    np.testing.assert_allclose(
        scaled.transform(GRAPH.adjacency[:2]), 2**0.5 * plain.transform(GRAPH.adjacency[:2]), rtol=1e-3, atol=1e-4
    )
    chosen = Residual2Vec(8, scale="auto", **common).fit(GRAPH)
    assert chosen.trials_[0].parameters == {"scale": chosen.scale_}
    np.testing.assert_allclose(chosen.embedding_, chosen.scale_**0.5 * plain.embedding_, rtol=1e-5)


def test_large_graphs_are_split_once(monkeypatch):
    monkeypatch.setattr(choice, "_HIDDEN_IN_ALL", 2 * len(link_task(GRAPH, 0.1, np.random.default_rng(0)).positive) - 1)
    counted = []
    monkeypatch.setattr(
        choice, "try_values", lambda model, tasks, one, fixed: counted.append(len(tasks)) or Trial(one, 0.0, 0.0)
    )
    choose(Residual2Vec(4), GRAPH, ["weighting"], np.random.default_rng(0))
    assert set(counted) == {2}
    monkeypatch.setattr(choice, "_HIDDEN_IN_ALL", 10)
    counted.clear()
    choose(Residual2Vec(4), GRAPH, ["weighting"], np.random.default_rng(0))
    assert set(counted) == {1}


def test_floors_are_climbed_down_and_up(monkeypatch):
    # By both tasks together: that the first AUC alone falls or rises decides nothing.
    scores = {-3.0: (0.5, 0.5), -6.0: (0.45, 0.6), -10.0: (0.9, 0.0)}
    monkeypatch.setattr(choice, "try_values", lambda _, __, one, ___: Trial(one, *scores[one["floor"]]))
    trials, best = choose(Residual2Vec(), GRAPH, ["floor"], np.random.default_rng(0))
    assert [trial.parameters["floor"] for trial in trials] == [-3.0, -6.0, -10.0]
    assert best is trials[-1]
    scores |= {-6.0: (0.6, 0.3), -1.0: (0.55, 0.5), 0.0: (0.7, 0.2)}
    trials, best = choose(Residual2Vec(), GRAPH, ["floor"], np.random.default_rng(0))
    assert [trial.parameters["floor"] for trial in trials] == [-3.0, -6.0, -1.0, 0.0]
    assert best is trials[2]


FALLING = tuple(range(5, 0, -1))


def _tried(monkeypatch, scores, names):
    """Choose by scores that are made up: of a window, a weighting and a floor, without any fit."""
    monkeypatch.setattr(choice, "try_values", lambda _, __, one, ___: Trial(one, *scores(**one)))
    trials, best = choose(Residual2Vec(), GRAPH, names, np.random.default_rng(0))
    return [tuple(trial.parameters.values()) for trial in trials], tuple(best.parameters.values())


def test_weights_that_fall_are_tried_once_more_with_another_floor(monkeypatch):
    def scores(window, floor, weighting=0.5):
        falls = isinstance(window, tuple)
        auc = 0.5 + 0.1 * (window == 5) + 0.1 * (floor == -6.0)
        # Both tasks gain by what the first loses a little.
        return auc - 0.01 * falls, 0.9 if floor == -6.0 and (falls or weighting == 1.0) else 0.5 - 0.4 * falls

    _, best = _tried(monkeypatch, scores, ["window", "floor"])
    assert best == (FALLING, -6.0)
    tried, best = _tried(monkeypatch, scores, ["window", "weighting", "floor"])
    # The weightings are looked at once more, too, and judged by both tasks.
    assert tried[-2:] == [(FALLING, 1.0, -6.0), (FALLING, 0.0, -6.0)]
    assert best == (FALLING, 0.5, -6.0)


def test_weights_that_fall_are_tried_once_if_the_floor_stays(monkeypatch):
    tried, best = _tried(monkeypatch, lambda window, floor: (0.6 if window == 5 else 0.5, 0.5), ["window", "floor"])
    assert best == (5, -3.0)
    assert tried.count((FALLING, -3.0)) == 1
    assert sum(isinstance(window, tuple) for window, _ in tried) == 2


def test_windows_that_are_given_do_not_fall(monkeypatch):
    tried, best = _tried(monkeypatch, lambda floor: (-floor / 20, 0.5), ["floor"])
    assert (tried, best) == ([(-3.0,), (-6.0,), (-10.0,)], (-10.0,))


def test_the_exponent_is_climbed_down_last_and_by_pairs_of_the_same_degrees(monkeypatch):
    scores = {1.0: (0.5, 0.9), 0.75: (0.6, 0.1), 0.5: (0.55, 0.9)}
    tried, best = _tried(monkeypatch, lambda floor, exponent: scores[exponent], ["exponent", "floor"])
    assert tried == [(-3.0, 1.0), (-6.0, 1.0), (-1.0, 1.0), (-3.0, 0.75), (-3.0, 0.5)]
    assert best == (-3.0, 0.75)


def test_a_chosen_exponent_is_that_of_the_null_model():
    # Hubs are joined among themselves, more than their degrees say: to leave some of the degree in finds their edges.
    hubs = datasets.planted_groups(300, 2, mixing=0.3, average_degree=20, degree_exponent=2.1, random_state=2)
    model = Residual2Vec(8, null_model=Configuration("auto"), solver="exact", random_state=0).fit(hubs)
    tried = {trial.parameters["exponent"]: trial.auc for trial in model.trials_}
    assert model.chosen_ == {"exponent": max(tried, key=tried.get)}
    assert model.chosen_["exponent"] < 1.0
    assert model.null_model_.exponent == model.chosen_["exponent"]
    same = Residual2Vec(8, null_model=Configuration(model.chosen_["exponent"]), solver="exact").fit(hubs)
    np.testing.assert_allclose(model.offset_, same.offset_)
    np.testing.assert_allclose(model.singular_values_, same.singular_values_, rtol=1e-5)
    # The parameter stays as it was given, and a plan can be made of it.
    assert model.get_params()["null_model"].exponent == "auto"
    assert model.plan(hubs)[0].solver == "exact"


@pytest.mark.parametrize(
    ("model", "tried"),
    [
        (Residual2Vec(), [0, 10]),
        (Residual2Vec(memory_limit=4 * 300**2 - 1), [0]),
        (Residual2Vec(erase="degree"), [0]),
    ],
)
def test_sweeps_are_tried_if_they_can_be_and_judged_by_both_tasks(monkeypatch, model, tried):
    scores = {0: (0.6, 0.5), 10: (0.55, 0.9)}
    monkeypatch.setattr(choice, "try_values", lambda _, __, one, ___: Trial(one, *scores[one["refine"]]))
    trials, best = choose(model, GRAPH, ["refine"], np.random.default_rng(0))
    assert [trial.parameters["refine"] for trial in trials] == tried
    assert best is trials[-1]


@pytest.mark.filterwarnings("ignore:the graph has")
def test_sweeps_are_taken_where_there_are_more_groups_than_components():
    cliques = datasets.planted_groups(600, 60, mixing=0.02, average_degree=8, random_state=0)
    model = Residual2Vec(16, refine="auto", floor=-3.0, random_state=0).fit(cliques)
    assert model.chosen_ == {"refine": 10}
    assert model.refine_ == 10
    plain, refined = model.trials_
    assert (plain.auc, refined.auc) == (pytest.approx(0.91, abs=0.02), pytest.approx(1.0, abs=0.01))
    # Erasure still goes with all that is chosen.
    assert Residual2Vec(4, **AUTO, erase="degree", random_state=0).fit(GRAPH).refine_ == 0


def test_netmf_can_choose_its_window():
    model = NetMF(8, window="auto", random_state=0).fit(GRAPH)
    assert len(model.window_) > 1
    assert model.floor_ == 0


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
    monkeypatch.setattr(choice, "try_values", lambda _, __, one, ___: Trial(one, scores.get(one["window"], 0.0), 0.0))
    trials, best = choose(Residual2Vec(), GRAPH, ["window"], np.random.default_rng(0))
    assert [trial.parameters["window"] for trial in trials][:4] == [5, 10, 20, 40]
    assert best.auc == 0.9
    assert len(trials) == 6
    scores |= {10: 0.4, 3: 0.6}
    trials, _ = choose(Residual2Vec(), GRAPH, ["window"], np.random.default_rng(0))
    assert [trial.parameters["window"] for trial in trials] == [5, 10, 3, 2, (3, 2, 1), (6, 5, 4, 3, 2, 1)]


def test_a_ring_needs_more_than_two_steps():
    model = Residual2Vec(16, window="auto", random_state=0).fit(RING)
    assert len(model.window_) > 2


def test_progress_and_parameters(caplog):
    events = []
    model = Residual2Vec(4, window="auto", random_state=0, progress=events.append)
    with caplog.at_level("INFO", logger="residuum"):
        model.fit(datasets.karate_club())
    done = [event.done for event in events if event.stage == "choosing window"]
    assert (done[0], done[-1]) == (0, 7)
    assert sum("window 5: AUC" in message for message in caplog.messages) == 1
    assert model.get_params()["window"] == "auto"
    assert model.plan(datasets.karate_club())


def test_what_cannot_be_chosen_is_refused():
    with pytest.raises(InvalidParameterError, match=r"window must be .* or 'auto'; got 'long'"):
        Residual2Vec(4, window="long").fit(datasets.karate_club())
    with pytest.raises(InvalidParameterError, match=r"weighting must be .* or 'auto'; got 'even'"):
        Residual2Vec(4, weighting="even").fit(datasets.karate_club())
    with pytest.raises(InvalidParameterError, match=r"floor must be a number of at most 0, or 'auto'; got 'low'"):
        Residual2Vec(4, floor="low").fit(datasets.karate_club())
    with pytest.raises(InvalidParameterError, match=r"scale must be above 0; got 0"):
        Residual2Vec(4, window="auto", scale=0).fit(datasets.karate_club())
    with pytest.raises(InvalidParameterError, match=r"power must be above 0; got 0"):
        Residual2Vec(4, power=0).fit(datasets.karate_club())
    with pytest.raises(InvalidParameterError, match=r"shrinkage must be .*0\.99; got 1"):
        Residual2Vec(4, shrinkage=1).fit(datasets.karate_club())
    with pytest.raises(InvalidParameterError, match=r"power='auto' needs a solver that factorises"):
        Residual2Vec(4, solver="sgd", power="auto").fit(datasets.karate_club())
    with pytest.raises(InvalidParameterError, match=r"floor='auto' needs a solver that factorises"):
        Residual2Vec(4, solver="sgd", floor="auto").fit(datasets.karate_club())
    with pytest.raises(InvalidParameterError, match=r"exponent='auto' needs a solver that factorises"):
        Residual2Vec(4, solver="sgd", null_model=Configuration("auto")).fit(datasets.karate_club())
    with pytest.raises(InvalidParameterError, match=r"exponent must be a number between 0 and 1, or 'auto'; got 'all'"):
        Residual2Vec(4, null_model=Configuration("all")).fit(datasets.karate_club())
    with pytest.raises(InvalidParameterError, match=r"window='auto' with a checkpoint needs random_state"):
        Residual2Vec(4, window="auto", checkpoint="run").fit(datasets.karate_club())
    path = Graph(np.diag(np.ones(30), 1) + np.diag(np.ones(30), -1))
    with pytest.raises(InvalidParameterError, match=r"window='auto' hides .* of the 30 edges of this graph 0 can be"):
        Residual2Vec(4, window="auto").fit(path)
