"""Defaults that are read off the graph."""

import numpy as np
import pytest

from residuum import Graph, Residual2Vec, datasets
from residuum.graph import triangles_by_degree
from residuum.models.defaults import geometric_window, read_floor, read_window
from residuum.walks import effective_degree


def random_graph(degree, n_nodes=400):
    A = np.triu(np.random.default_rng(0).random((n_nodes, n_nodes)) < degree / n_nodes, 1).astype(float)
    A[np.arange(n_nodes - 1), np.arange(1, n_nodes)] = 1.0
    return Graph(A + A.T)


def test_a_graph_whose_degrees_explain_its_triangles_takes_more_steps(monkeypatch):
    graph = random_graph(40)
    windows = {}
    for share in (0.2, 0.51, 0.6, 0.7, 1.0):
        monkeypatch.setattr("residuum.models.defaults.triangles_by_degree", lambda graph, share=share: share)
        windows[share], details = read_window(graph)
        assert details.get("triangles_by_degree") == (share if share >= 0.6 else None)
    assert mean_of(windows[0.2]) == mean_of(windows[0.51]) < 2.0
    assert mean_of(windows[0.6]) == pytest.approx(3.6, rel=0.1)
    assert mean_of(windows[0.7]) == mean_of(windows[1.0]) == pytest.approx(6.0, rel=0.1)
    np.testing.assert_array_equal(read_window(Graph(graph.adjacency, directed=True))[0], windows[0.2])


def test_faint_edges_do_not_lengthen_the_window():
    groups = datasets.planted_groups(400, 8, random_state=0).adjacency.toarray()
    faint = np.triu(np.random.default_rng(0).random((400, 400)) < 0.25, 1) * 1e-9
    assert triangles_by_degree(Graph(groups + faint + faint.T)) > 2 / 3
    with_faint, details = read_window(Graph(groups + faint + faint.T))
    np.testing.assert_allclose(with_faint, read_window(Graph(groups))[0])
    assert "triangles_by_degree" not in details


def test_a_sparse_graph_keeps_its_long_window():
    window, details = read_window(random_graph(3))
    assert mean_of(window) > 6.0
    assert "triangles_by_degree" not in details


def mean_of(window):
    return float(window @ np.arange(1, len(window) + 1))


@pytest.fixture
def triangles(monkeypatch):
    """Triangles that degrees do not explain, as those of communities."""
    monkeypatch.setattr("residuum.models.defaults.triangles_by_degree", lambda graph: 0.1)


def test_the_mean_step_damps_the_noise_eigenvalue_to_an_eighth(triangles):
    window, details = read_window(random_graph(12))
    mean_step = window @ np.arange(1, len(window) + 1)
    assert details["noise_eigenvalue"] ** mean_step == pytest.approx(1 / 8, rel=0.15)
    assert (np.diff(window) < 0).all()


def test_a_geometric_window_stops_after_each_step_with_the_same_probability():
    window = geometric_window(5.0)
    np.testing.assert_allclose(window[1:] / window[:-1], 0.8)
    assert window.sum() == pytest.approx(1.0)
    assert 0.8 ** len(window) <= 0.01 < 0.8 ** (len(window) - 1)
    assert window @ np.arange(1, len(window) + 1) == pytest.approx(5.0, rel=0.06)


@pytest.mark.parametrize(("degree", "steps"), [(0.5, 63), (60, 5), (390, 4)])
def test_sparse_graphs_have_long_windows_and_dense_graphs_short_ones(triangles, degree, steps):
    assert len(read_window(random_graph(degree))[0]) == steps


def test_a_fit_says_what_it_read():
    graph = datasets.planted_groups(300, 4, mixing=0.3, random_state=0)
    model = Residual2Vec(32, random_state=0).fit(graph)
    details = model.solver_details_
    assert len(model.window_) == len(read_window(graph)[0])
    assert details["effective_degree"] == pytest.approx(effective_degree(graph))
    assert details["left_out_edges"] > 100
    assert details["remaining_dimensions"] == np.count_nonzero(np.abs(model.embedding_).sum(axis=0))
    assert model.scale_ != 1.0


def test_numbers_are_taken_as_they_are():
    graph = datasets.planted_groups(300, 4, random_state=0)
    model = Residual2Vec(8, window=4, shrinkage=0.25, scale=2.0, random_state=0).fit(graph)
    assert (len(model.window_), model.shrinkage_, model.scale_) == (4, 0.25, 2.0)
    assert not {"effective_degree", "left_out_edges"} & set(model.solver_details_)


@pytest.mark.parametrize("parameters", [{"refine": 1}, {"solver": "skipgram"}])
def test_solutions_without_factors_of_the_matrix_keep_neutral_values(parameters):
    graph = datasets.planted_groups(400, 4, random_state=0)
    model = Residual2Vec(4, random_state=0, n_jobs=1, **parameters).fit(graph)
    assert (model.shrinkage_, model.scale_) == (0.0, 1.0)


@pytest.mark.filterwarnings("ignore::residuum.errors.ResiduumWarning")
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("n_nodes", [5, 6, 30])
def test_a_graph_in_which_all_nodes_are_connected_keeps_neutral_values(n_nodes, directed):
    model = Residual2Vec(4, random_state=0).fit(Graph(1.0 - np.eye(n_nodes), directed=directed))
    assert model.solver_details_["left_out_edges"] == 0
    assert (model.shrinkage_, model.scale_) == (0.0, 1.0)
    assert np.isfinite(model.embedding_).all()


@pytest.mark.filterwarnings("ignore::residuum.errors.ResiduumWarning")
@pytest.mark.parametrize("n_nodes", [2, 4, 5, 20])
def test_complete_bipartite_graphs_are_fitted(n_nodes):
    sides = np.kron([[0, 1], [1, 0]], np.ones((n_nodes, n_nodes)))
    assert np.isfinite(Residual2Vec(3, random_state=0).fit(Graph(sides)).embedding_).all()


def test_sweeps_that_do_not_improve_the_likelihood_change_nothing():
    graph, parameters = datasets.karate_club(), {"weighting": 0.5, "alpha": 0.5, "random_state": 0}
    plain, swept = (Residual2Vec(4, refine=n, **parameters).fit(graph) for n in (0, 3))
    losses = swept.solver_details_["losses"]
    assert losses[-1] > losses[0]
    assert swept.shrinkage_ == plain.shrinkage_ > 0
    np.testing.assert_array_equal(swept.embedding_, plain.embedding_)
    new = graph.adjacency[:3]
    np.testing.assert_array_equal(swept.transform(new), plain.transform(new))


@pytest.mark.parametrize("erase", [None, "degree"])
@pytest.mark.parametrize("null_model", ["configuration", "erdos-renyi"])
def test_directed_and_erased_graphs_are_read_or_left_neutral(null_model, erase):
    A = (np.random.default_rng(0).random((60, 60)) < 0.2).astype(float)
    np.fill_diagonal(A, 0)
    model = Residual2Vec(8, null_model=null_model, erase=erase, random_state=0).fit(Graph(A, directed=True))
    assert np.isfinite(model.embedding_).all()
    assert (model.solver_details_["left_out_edges"] > 0) == (erase is None)


def test_the_floor_is_zero_if_most_arcs_are_part_of_no_cycle():
    order = Graph(np.triu(np.ones((6, 6)), 1), directed=True)
    ring = Graph(np.roll(np.eye(6), 1, axis=1), directed=True)
    assert read_floor(order) == (0.0, {"weight_in_cycles": 0.0})
    assert read_floor(ring) == (-3.0, {"weight_in_cycles": 1.0})
    assert read_floor(datasets.karate_club()) == (-3.0, {})


def test_arcs_in_cycles_count_by_weight():
    A = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 3.0], [0.0, 0.0, 0.0]])
    floor, details = read_floor(Graph(A, directed=True))
    assert floor == 0.0
    assert details["weight_in_cycles"] == pytest.approx(0.4)
    A[1, 2] = 1.0
    assert read_floor(Graph(A, directed=True))[0] == -3.0


@pytest.mark.filterwarnings("ignore:the graph has")
def test_a_floor_that_is_set_is_not_read():
    graph = Graph(np.triu(np.ones((12, 12)), 1), directed=True)
    assert Residual2Vec(3, random_state=0).fit(graph).floor_ == 0.0
    model = Residual2Vec(3, floor=-1.0, random_state=0).fit(graph)
    assert model.floor_ == -1.0
    assert "weight_in_cycles" not in model.solver_details_
