import numpy as np
import pytest

from residuum import Graph, Residual2Vec, Residual2VecCV, datasets
from residuum.errors import InvalidParameterError, ResiduumWarning
from residuum.evaluation import link_task
from residuum.models.defaults import read_window
from residuum.selection import Trial, residual2vec_cv
from residuum.solvers import Landmark, Likelihood, SkipGram

GRAPH = datasets.planted_groups(300, 5, mixing=0.1, average_degree=8, random_state=1)
RING = Graph(sum(np.roll(np.eye(200), step, axis=1) for step in (1, 2, 3, -1, -2, -3)))
# All parameters are fixed; a test opens the parameters that it tunes.
FIXED = {
    "window": [5],
    "weighting": [0.5],
    "floor": [-3.0],
    "refine": [0],
    "power": [1.0],
    "shrinkage": [0.0],
    "scale": [1.0],
}


def tuned(n_components=8, *, open_names=(), search=None, **parameters):
    fixed = {name: values for name, values in FIXED.items() if name not in open_names}
    return Residual2VecCV(n_components, search=fixed | (search or {}), random_state=3, **parameters)


def test_the_graph_is_embedded_with_the_best_values():
    model = tuned(open_names=["window", "weighting"]).fit(GRAPH)
    best = min(model.trials_, key=lambda trial: trial.loss("both")).parameters
    assert model.best_params_ == best
    same = Residual2Vec(8, **best, random_state=3).fit(GRAPH)
    np.testing.assert_array_equal(model.embedding_, same.embedding_)
    again = tuned(open_names=["window", "weighting"]).fit(GRAPH)
    np.testing.assert_array_equal(again.embedding_, model.embedding_)


def test_it_has_all_attributes_and_methods_of_the_best_estimator():
    model = tuned().fit(GRAPH)
    final = model.best_estimator_
    assert isinstance(final, Residual2Vec)
    for name in vars(final):
        if name.endswith("_") and not name.startswith("_"):
            assert hasattr(model, name), name
    np.testing.assert_array_equal(model.embedding_, final.embedding_)
    np.testing.assert_array_equal(model.score_pairs([0, 1], [2, 3]), final.score_pairs([0, 1], [2, 3]))
    np.testing.assert_array_equal(model.transform(GRAPH.adjacency[:3]), final.transform(GRAPH.adjacency[:3]))
    assert model.to_embedding().metadata["best_params"]["window"] == 5
    assert model.plan(GRAPH)[0].solver == "exact"


def test_a_parameter_is_tuned_while_others_are_fixed():
    model = tuned(open_names=["weighting"], search={"window": [4]}).fit(GRAPH)
    tried = [trial.parameters["weighting"] for trial in model.trials_]
    assert tried in ([0.5, 1.0], [0.5, 1.0, 0.0])
    # Smaller values are tried only if larger values are not better.
    assert (model.trials_[1].loss("both") < model.trials_[0].loss("both")) == (len(tried) == 2)
    np.testing.assert_allclose(model.window_, np.full(4, 0.25))


def test_auto_uses_a_finer_landmark_tolerance_in_the_final_fit():
    large = datasets.planted_groups(15_000, 4, random_state=0)
    model = tuned(4).fit(large)
    assert model.solver_ == "landmark"
    assert model.best_estimator_.solver == Landmark(tolerance=0.2, all_columns=True)


def test_window_and_scale_are_tuned_with_the_skipgram_solver():
    solver = SkipGram(n_walks=2, walk_length=20, epochs=1)
    model = Residual2VecCV(8, search={"window": [4]}, solver=solver, n_jobs=1, random_state=0).fit(GRAPH)
    assert set(model.best_params_) == {"window", "scale"}
    plain = Residual2Vec(8, window=4, solver=solver, n_jobs=1, random_state=model.best_estimator_.random_state).fit(
        GRAPH
    )
    root = model.best_params_["scale"] ** 0.5
    np.testing.assert_allclose(model.embedding_, root * plain.embedding_, rtol=1e-5)


@pytest.mark.filterwarnings("ignore:the graph has")
def test_the_likelihood_is_maximized_where_one_fit_would(monkeypatch):
    monkeypatch.setattr("residuum.solvers.likelihood._FEWEST_NODES", 400)
    monkeypatch.setattr("residuum.solvers.likelihood._LONG_SPECTRUM", 0.0)
    monkeypatch.setattr(Likelihood, "patience", 1e9)
    graph = datasets.planted_groups(400, 40, mixing=0.05, average_degree=8, random_state=0)
    model = Residual2VecCV(8, search={"window": [5]}, random_state=0).fit(graph)
    assert model.solver_ == "likelihood"
    assert set(model.best_params_) == {"window", "scale"}
    asked = Residual2VecCV(8, search={"window": [5], "floor": [-3.0]}, random_state=0)
    assert asked._solver_on(graph) == "auto"


def test_smaller_graphs_are_split_more_often(monkeypatch):
    n_held_out = len(link_task(GRAPH, 0.1, np.random.default_rng(0)).positive)
    rng = np.random.default_rng(0)
    for in_all, n_splits in ((10, 1), (2 * n_held_out - 1, 2), (10**6, 3)):
        monkeypatch.setattr(residual2vec_cv, "_TOTAL_HELD_OUT", in_all)
        assert len(residual2vec_cv._splits(GRAPH, rng)) == n_splits


def test_the_tuned_exponent_is_used_in_the_null_model():
    # Hubs are connected to each other more often than expected: part of the degree helps to predict their edges.
    hubs = datasets.planted_groups(300, 2, mixing=0.3, average_degree=20, degree_exponent=2.1, random_state=2)
    model = tuned(search={"exponent": [0.25, 0.5, 0.75, 1.0]}, solver="exact", scoring="residual").fit(hubs)
    tried = {trial.parameters["exponent"]: trial.auc for trial in model.trials_}
    assert model.best_params_["exponent"] == max(tried, key=tried.get) < 1.0
    assert model.null_model_.exponent == model.best_params_["exponent"]


@pytest.mark.parametrize(("parameters", "is_tuned"), [({}, True), ({"erase": "degree"}, False)])
def test_sweeps_are_tuned_unless_erasure_forbids_them(parameters, is_tuned):
    assert ("refine" in Residual2VecCV(8, **parameters)._tuned(GRAPH, "auto")) is is_tuned


@pytest.mark.filterwarnings("ignore:the graph has")
def test_sweeps_are_chosen_if_there_are_more_groups_than_dimensions():
    cliques = datasets.planted_groups(600, 60, mixing=0.02, average_degree=8, random_state=0)
    model = tuned(16, open_names=["refine"], search={"window": [10]}).fit(cliques)
    assert model.best_params_["refine"] == 10
    plain, refined = model.trials_
    assert (plain.auc, refined.auc) == (pytest.approx(0.91, abs=0.02), pytest.approx(0.98, abs=0.02))


def test_erasure_is_compatible_with_all_default_parameters():
    search = {"window": [5], "weighting": [0.5], "floor": [-3.0]}
    model = Residual2VecCV(4, search=search, erase="degree", random_state=0).fit(GRAPH)
    assert model.erased_ == ["degree"]
    assert "refine" not in model.best_params_


def test_edges_of_a_directed_graph_are_predicted_with_their_direction():
    graph = sum(np.roll(np.eye(200), step, axis=1) for step in (1, 2, 3, 4))
    graph[0] = 0  # the ring is open, so that walks end
    with pytest.warns(ResiduumWarning, match="1 dangling node without out-edges") as caught:
        model = tuned(32, open_names=["window"]).fit(Graph(graph, directed=True))
    assert len(caught) == 1
    assert max(trial.auc for trial in model.trials_) > 0.9


def test_a_window_of_more_than_two_steps_is_chosen_for_a_ring():
    assert len(tuned(16, open_names=["window"]).fit(RING).window_) > 2


def test_progress_and_log_report_the_trials(caplog):
    events = []
    model = tuned(4, open_names=["window"], progress=events.append)
    with caplog.at_level("INFO", logger="residuum"):
        model.fit(datasets.karate_club())
    done = [event.done for event in events if event.stage.startswith("tuning window")]
    assert done[0] == 0
    assert done[-1] == max(done) > 2
    start = len(read_window(datasets.karate_club())[0])
    reported = [message for message in caplog.messages if message.startswith(f"window {start} (decreasing weights)")]
    assert len(reported) == 1
    assert "AUC" in reported[0]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"scoring": "best"}, "scoring must be one of 'residual', 'full', 'both'; got 'best'"),
        ({"search": {"alpha": [1.0]}}, "'alpha' cannot be tuned"),
        ({"solver": "skipgram", "search": {"floor": [-1.0]}}, "'floor' needs a solver that factorizes"),
        ({"checkpoint": "run", "random_state": None}, "checkpoint needs random_state"),
        ({"search": {"floor": [1.0]}}, "floor must be .* at most 0"),
    ],
)
def test_invalid_parameters_are_named(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        Residual2VecCV(4, **{"random_state": 0} | parameters).fit(datasets.karate_club())


def test_a_tree_without_edges_to_hold_out_is_refused():
    path = Graph(np.diag(np.ones(30), 1) + np.diag(np.ones(30), -1))
    with pytest.raises(InvalidParameterError, match=r"only 0 of the 30 edges of this graph can be held out"):
        Residual2VecCV(4).fit(path)


def test_a_failed_fit_leaves_the_estimator_unfitted():
    model = Residual2VecCV(4, search={"floor": [1.0]}, random_state=0)
    with pytest.raises(InvalidParameterError):
        model.fit(datasets.karate_club())
    assert not [name for name in vars(model) if name.endswith("_")]


def test_a_choice_that_loses_against_the_defaults_with_all_columns_is_not_taken(monkeypatch):
    # A single step predicts the links of planted groups badly; trials with few landmarks are made to prefer it.
    def prefer_one_step(try_values, tuned, scoring):
        start = {name: tunable.start for name, tunable in tuned.items() if not tunable.read_off}
        trial = try_values(start)
        one_step = Trial({**trial.parameters, "window": 1}, auc=1.0, auc_full=1.0)
        return [trial, one_step], one_step

    monkeypatch.setattr(residual2vec_cv, "coordinate_search", prefer_one_step)
    graph = datasets.planted_groups(3000, 30, random_state=0)
    model = Residual2VecCV(8, random_state=0).fit(graph)
    assert model.best_params_["window"] == tuple(read_window(graph)[0])
    assert [trial.parameters["window"] for trial in model.trials_[2:]] == [model.best_params_["window"], 1]
