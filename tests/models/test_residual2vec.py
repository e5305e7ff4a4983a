import numpy as np
import pytest

import dense_reference as dense
from graph_cases import graph_cases
from residuum import Graph, Residual2Vec, datasets
from residuum.errors import InvalidGraphError, InvalidParameterError, MemoryLimitError, NullModelError, ResiduumWarning
from residuum.nulls import (
    Configuration,
    DegreeCorrectedSBM,
    DegreeCorrelated,
    ErdosRenyi,
    Multilayer,
    SampledNull,
    Spatial,
    Temporal,
)
from residuum.solvers import Block, Landmark, Likelihood

CASES = graph_cases()
NULL_MODELS = {
    "erdos-renyi": lambda graph: ErdosRenyi(),
    "configuration": lambda graph: Configuration(),
    "configuration 0.75": lambda graph: Configuration(0.75),
    "dcsbm": lambda graph: DegreeCorrectedSBM(np.arange(graph.n_nodes) % 3),
    "multilayer": lambda graph: Multilayer(np.arange(graph.n_nodes) % 2),
    "temporal": lambda graph: Temporal(1990 + np.arange(graph.n_nodes) % 13, bins=3),
    "degree-correlated": lambda graph: DegreeCorrelated(),
    "spatial": lambda graph: Spatial(np.random.default_rng(4).random((graph.n_nodes, 2)), n_places=6, n_bins=3),
}
NEUTRAL = {"shrinkage": 0.0, "scale": 1.0}
QUIET = [case for case in CASES if case not in {"isolated nodes", "disconnected", "dangling nodes"}]


@pytest.fixture(scope="module")
def planted():
    return datasets.planted_groups(900, 4, random_state=1)


def associations(model):
    return model.embedding_ @ model.context_embedding_.T


@pytest.mark.parametrize("case", QUIET)
def test_full_rank_vectors_reproduce_the_residual_matrix(case):
    graph = CASES[case]
    A = graph.adjacency.toarray().astype(float)
    weights = np.full(10, 0.1)
    expected = dense.residual(
        dense.window_probability(A, weights),
        dense.null_probability(A, "configuration", weights),
        -1.0,
        *np.ones((2, len(A))),
    )
    rank = len(A) - 1
    model = Residual2Vec(rank, window=10, floor=-1.0, weighting=0.0, random_state=0, **NEUTRAL).fit(graph)
    left, values, right = np.linalg.svd(expected)
    np.testing.assert_allclose(associations(model), (left[:, :rank] * values[:rank]) @ right[:rank], atol=1e-3)
    np.testing.assert_allclose(model.singular_values_, values[:rank], rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("alpha", [0.0, 0.3, 1.0])
def test_alpha_splits_the_singular_values_between_vectors_and_context_vectors(alpha):
    model = Residual2Vec(5, alpha=alpha, weighting=0.0, random_state=0, **NEUTRAL).fit(CASES["weighted"])
    np.testing.assert_allclose(np.linalg.norm(model.embedding_, axis=0), model.singular_values_**alpha, rtol=1e-4)
    np.testing.assert_allclose(
        np.linalg.norm(model.context_embedding_, axis=0), model.singular_values_ ** (1 - alpha), rtol=1e-4
    )


@pytest.mark.parametrize("erase", [None, "degree"])
@pytest.mark.parametrize("alpha", [0.0, 0.5])
def test_scale_multiplies_associations_but_not_offsets(alpha, erase):
    graph = datasets.karate_club()
    plain, scaled = (
        Residual2Vec(5, alpha=alpha, erase=erase, scale=scale, random_state=0).fit(graph) for scale in (1.0, 3.0)
    )
    np.testing.assert_allclose(associations(scaled), 3 * associations(plain), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(scaled.embedding_, 3**0.5 * plain.embedding_, rtol=1e-5)
    np.testing.assert_array_equal(scaled.offset_, plain.offset_)
    np.testing.assert_array_equal(scaled.singular_values_, plain.singular_values_)
    new = graph.adjacency[:3]
    np.testing.assert_allclose(scaled.transform(new), 3**0.5 * plain.transform(new), rtol=1e-4, atol=1e-6)


def test_weighting_fits_pairs_of_high_degree_better(planted):
    degree = planted.out_strength
    weight = np.sqrt(np.outer(degree, degree))
    plain, weighted = (
        Residual2Vec(8, weighting=kappa, solver="exact", random_state=0, **NEUTRAL).fit(planted) for kappa in (0.0, 1.0)
    )
    full = associations(Residual2Vec(880, weighting=0.0, solver="exact", random_state=0, **NEUTRAL).fit(planted))
    losses = [np.sum(weight**2 * (full - associations(model)) ** 2) for model in (plain, weighted)]
    assert losses[1] < losses[0]


def test_the_scale_of_the_weights_does_not_matter():
    graph = CASES["weighted"]
    plain = Residual2Vec(6, random_state=0).fit(graph)
    scaled = Residual2Vec(6, random_state=0).fit(Graph(0.01 * graph.adjacency))
    np.testing.assert_allclose(scaled.embedding_, plain.embedding_, atol=1e-3)


def test_a_single_group_equals_the_configuration_model():
    graph = CASES["weighted"]
    grouped = Residual2Vec(6, null_model=DegreeCorrectedSBM(np.zeros(20)), random_state=0).fit(graph)
    configuration = Residual2Vec(6, null_model="configuration", random_state=0).fit(graph)
    np.testing.assert_allclose(associations(grouped), associations(configuration), atol=1e-4)


def test_a_window_of_one_step_gives_finite_vectors():
    assert np.isfinite(Residual2Vec(4, window=1, random_state=0).fit_transform(CASES["weighted"])).all()


@pytest.mark.parametrize("solver", ["exact", "landmark", "block"])
def test_the_same_seed_gives_identical_vectors(planted, solver):
    fits = [Residual2Vec(8, solver=solver, random_state=3).fit(planted).embedding_ for _ in range(2)]
    np.testing.assert_array_equal(*fits)


@pytest.mark.parametrize("solver", ["exact", "landmark", "block"])
def test_associations_agree_to_1e5_for_any_number_of_threads(planted, solver):
    serial, parallel = (Residual2Vec(8, solver=solver, n_jobs=n, random_state=3).fit(planted) for n in (1, 2))
    scale = np.abs(associations(serial)).max()
    np.testing.assert_allclose(associations(parallel), associations(serial), atol=1e-5 * scale)


def test_equal_generators_give_identical_vectors(planted):
    first, second = (
        Residual2Vec(8, solver=Landmark(300), random_state=np.random.default_rng(5)).fit(planted) for _ in range(2)
    )
    np.testing.assert_array_equal(first.embedding_, second.embedding_)


def test_landmarks_approximate_the_exact_solver_and_report_the_error(planted):
    exact = Residual2Vec(8, solver="exact", random_state=0).fit(planted)
    close = Residual2Vec(8, solver=Landmark(500), random_state=0).fit(planted)
    assert 0 < exact.approximation_error_ < 0.02
    assert 0 < close.approximation_error_ < 0.25
    assert np.corrcoef(associations(exact).ravel(), associations(close).ravel())[0, 1] > 0.95
    assert close.solver_details_["n_landmarks"] == 500
    assert close.solver_details_["check"] < close.approximation_error_


@pytest.mark.parametrize("solver", ["exact", "landmark", "block"])
def test_the_memory_limit_does_not_change_the_vectors(planted, solver):
    # Without a fixed number, as many landmarks are added as fit.
    fixed = Landmark(n_landmarks=600) if solver == "landmark" else solver
    ample = Residual2Vec(8, solver=fixed, memory_limit="1GiB", random_state=0).fit(planted)
    # The smallest limit that the solver accepts.
    estimate = next(estimate for estimate in ample.plan(planted) if estimate.solver == solver)
    limits = [int(share * estimate.bytes) for share in np.arange(0.1, 1.0, 0.05)]
    for limit in limits:
        try:
            tight = Residual2Vec(8, solver=fixed, memory_limit=limit, random_state=0).fit(planted)
        except MemoryLimitError:
            continue
        break
    if solver != "landmark":
        assert tight.solver_details_["tiles_kept"] < 1.0 == ample.solver_details_["tiles_kept"]
    # A pass over tiles that are not kept makes two steps of the iteration, which may stop one step later.
    np.testing.assert_allclose(tight.embedding_, ample.embedding_, atol=2e-3 * np.abs(ample.embedding_).max())


def test_auto_chooses_exact_for_small_and_landmark_for_large_graphs():
    assert Residual2Vec(4, random_state=0).fit(CASES["weighted"]).solver_ == "exact"
    large = datasets.planted_groups(15_000, 4, random_state=0)
    assert Residual2Vec(4, random_state=0).fit(large).solver_ == "landmark"


def test_refitting_on_another_graph_equals_a_new_fit():
    model = Residual2Vec(4, random_state=0)
    model.fit(CASES["weighted"])
    model.fit(CASES["disconnected"].subgraph(np.arange(22) < 10))
    assert model.embedding_.shape == (10, 4)
    np.testing.assert_array_equal(model.embedding_, Residual2Vec(4, random_state=0).fit(model.graph_).embedding_)


def test_isolated_nodes_have_zero_vectors_and_one_warning():
    with pytest.warns(ResiduumWarning, match=r"2 isolated nodes \(zero vectors, offset -inf\)") as caught:
        model = Residual2Vec(4, random_state=0).fit(CASES["isolated nodes"])
    assert len(caught) == 1
    assert not model.embedding_[[3, 19]].any()
    assert not model.context_embedding_[[3, 19]].any()
    assert np.all(model.offset_[[3, 19]] == -np.inf)
    assert np.isfinite(model.embedding_).all()


def test_connected_components_give_a_warning_and_low_associations_between_them():
    with pytest.warns(ResiduumWarning, match="2 connected components"):
        model = Residual2Vec(12, floor=-2.0, random_state=0).fit(CASES["disconnected"])
    assert associations(model)[:10, 10:].max() < -1.0


def test_dangling_nodes_give_a_warning_and_have_target_vectors_only():
    with pytest.warns(ResiduumWarning, match="2 dangling nodes"):
        model = Residual2Vec(4, random_state=0).fit(CASES["dangling nodes"])
    assert np.isfinite(model.embedding_).all()
    assert not model.embedding_[[4, 11]].any()
    assert model.context_embedding_[[4, 11]].all(axis=1).all()


def test_directed_graphs_have_source_and_target_vectors():
    model = Residual2Vec(15, random_state=0, weighting=0.0).fit(CASES["directed"])
    assert not np.allclose(np.abs(model.embedding_), np.abs(model.context_embedding_))
    ids = model.node_ids_
    assert model.score_pairs([ids[0]], [ids[1]])[0] != model.score_pairs([ids[1]], [ids[0]])[0]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_components": 20}, "n_components must be below the number of nodes, 20; got 20"),
        ({"n_components": 0}, "n_components must be at least 1; got 0"),
        ({"n_components": 2.5}, "n_components must be an integer"),
        ({"window": 0}, "window must be at least 1; got 0"),
        ({"window": [1.0, -1.0]}, "window weights must be finite and non-negative"),
        ({"floor": 0.5}, "floor must be .* at most 0 .*; got 0.5"),
        ({"floor": -np.inf}, "floor must be a finite number"),
        ({"alpha": 2}, "alpha must be .* between 0 and 1; got 2"),
        ({"weighting": -1}, "weighting must be .* between 0 and 1; got -1"),
        (
            {"solver": "magic"},
            "solver must be one of 'auto', 'exact', 'landmark', 'block', 'likelihood', 'skipgram'; got 'magic'",
        ),
        ({"null_model": "nosuch"}, "null_model must be one of 'configuration', 'bipartite'"),
        ({"null_model": 3}, "null_model must be a name or an object"),
        ({"solver": Landmark(2)}, "n_landmarks must be at least n_components, which is 4; got 2"),
        ({"floor": "low"}, "floor must be .* at most 0 .*; got 'low'"),
        ({"window": "long"}, "window must be an integer of at least 1; got 'long'"),
        ({"weighting": "even"}, "weighting must be a finite number between 0 and 1; got 'even'"),
        ({"power": 0}, "power must be above 0; got 0"),
        (
            {"scale": 1e308},
            r"scale must be .* between 1e-06 and 1e\+06 \(vectors are in single precision\); got 1e\+308",
        ),
        ({"scale": 0}, "scale must be .* between 1e-06"),
        ({"shrinkage": -1}, r"shrinkage must be .*at least 0; got -1"),
        ({"memory_limit": "much"}, "memory_limit must be .* '8GiB'; got 'much'"),
        ({"n_jobs": 0}, "n_jobs must be at least 1; got 0"),
        ({"random_state": "seed"}, "random_state must be"),
    ],
)
def test_invalid_parameters_are_named_with_rule_and_value(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        Residual2Vec(**({"n_components": 4} | parameters)).fit(CASES["weighted"])


@pytest.mark.parametrize("solver", ["exact", "landmark", "block"])
def test_too_little_memory_is_an_error_before_any_work(planted, solver):
    events = []
    with pytest.raises(MemoryLimitError, match="memory_limit"):
        Residual2Vec(8, solver=solver, memory_limit="100KiB", progress=events.append).fit(planted)
    assert events == []


def test_a_null_model_that_does_not_match_the_graph_is_refused():
    with pytest.raises(InvalidParameterError, match="one value for each of the 20 nodes"):
        Residual2Vec(4, null_model=DegreeCorrectedSBM(["a", "b"])).fit(CASES["weighted"])
    with pytest.raises(NullModelError, match="needs groups"):
        Residual2Vec(4, null_model="dcsbm").fit(CASES["weighted"])


def test_progress_ends_with_a_complete_stage(planted):
    events = []
    Residual2Vec(8, solver="landmark", random_state=0, progress=events.append).fit(planted)
    assert events[-1].done == events[-1].total


@pytest.mark.filterwarnings("ignore:a null model with groups:residuum.errors.ResiduumWarning")
@pytest.mark.parametrize("null_model", NULL_MODELS.values(), ids=NULL_MODELS)
def test_the_block_solver_supports_every_analytic_null_model(null_model):
    graph = datasets.planted_groups(200, 4, random_state=1)
    exact, block = (
        Residual2Vec(8, null_model=null_model(graph), solver=solver, random_state=0).fit(graph)
        for solver in ("exact", Block(40))
    )
    assert block.solver_details_["n_clusters"] <= 40 + len(set(exact.null_.block_form.groups))
    assert np.corrcoef(associations(exact).ravel(), associations(block).ravel())[0, 1] > 0.85


def test_the_block_solver_refuses_a_sampled_null_model_before_any_work():
    def never(graph, rng):
        raise AssertionError("a graph was drawn")

    with pytest.raises(NullModelError, match="this one is sampled; use solver='landmark' or solver='exact'"):
        Residual2Vec(4, null_model=SampledNull(never), solver="block").fit(CASES["weighted"])


def test_one_cluster_per_node_equals_the_exact_solver():
    exact, block = (
        Residual2Vec(6, solver=solver, random_state=0).fit(CASES["weighted"]) for solver in ("exact", Block(20))
    )
    np.testing.assert_allclose(associations(block), associations(exact), atol=1e-4)
    assert block.approximation_error_ < 1e-5


def test_the_block_solver_reports_clusters_steps_tiles_and_error(planted):
    model = Residual2Vec(8, window=10, solver=Block(50), random_state=0).fit(planted)
    assert model.solver_ == "block"
    assert model.solver_details_["n_clusters"] == 50
    assert model.solver_details_["exact_steps"] == 10
    assert model.solver_details_["tiles_kept"] == 1.0
    finer = Residual2Vec(8, window=10, solver=Block(500), random_state=0).fit(planted)
    assert 0 < finer.approximation_error_ < model.approximation_error_ < 1


@pytest.mark.filterwarnings("ignore:the graph has")
@pytest.mark.parametrize("solver", ["exact", "landmark"])
def test_n9_weights_of_sixty_orders_of_magnitude_give_finite_vectors(solver):
    n = 100
    path = np.zeros((n, n))
    here = np.arange(n - 1)
    path[here, here + 1] = path[here + 1, here] = 10 ** np.random.default_rng(0).uniform(-30, 30, n - 1)
    model = Residual2Vec(8, solver=solver, random_state=0).fit(Graph(path))
    assert np.isfinite(model.embedding_).all()
    assert (model.singular_values_ > 0).all()


def test_n9_weights_that_underflow_are_reported():
    A = CASES["weighted"].adjacency.toarray()
    A[0] = A[:, 0] = A[0] * 1e-40
    with pytest.warns(ResiduumWarning, match="1 node with less than 1e-36 of the largest strength"):
        model = Residual2Vec(4, random_state=0).fit(Graph(A))
    assert np.isfinite(model.embedding_).all()


def test_n9_sums_that_overflow_are_an_error():
    with pytest.raises(InvalidGraphError, match="the sum of the edge weights overflows float64"):
        Graph((CASES["weighted"].adjacency.toarray() > 0) * 1.5e308)


def test_n9_the_block_solver_refuses_weights_beyond_single_precision():
    A = CASES["weighted"].adjacency.toarray()
    A[0] = A[:, 0] = A[0] * 1e-40
    with pytest.warns(ResiduumWarning), pytest.raises(InvalidGraphError, match="within 36 orders of magnitude"):
        Residual2Vec(4, solver="block", random_state=0).fit(Graph(A))


@pytest.mark.filterwarnings("ignore:the graph has")
@pytest.mark.parametrize("floor", [-100.0, -1000.0])
def test_unreachable_pairs_are_at_any_floor(floor):
    model = Residual2Vec(10, window=1, floor=floor, weighting=0.0, random_state=0).fit(CASES["disconnected"])
    assert associations(model)[:10, 10:].mean() == pytest.approx(floor, rel=0.05)


def test_auto_reads_the_rank_unless_parameters_ask_for_a_factorization(monkeypatch):
    graph = datasets.planted_groups(400, 40, mixing=0.05, average_degree=8, random_state=0)
    monkeypatch.setattr(Likelihood, "patience", 1e9)

    def solver(**parameters):
        return next(
            estimate.solver for estimate in Residual2Vec(8, window=5, **parameters).plan(graph) if estimate.chosen
        )

    assert solver() == "exact"  # the graph is small
    monkeypatch.setattr("residuum.solvers.likelihood._FEWEST_NODES", 400)
    assert solver() == solver(erase="degree", erase_level="distribution") == "likelihood"
    for parameters in ({"floor": 0.0}, {"weighting": 1.0}, {"refine": 2}, {"erase": "degree"}):
        assert solver(**parameters) == "exact"


def test_more_sweeps_than_end_are_refused():
    for name, fit in (
        ("refine", lambda: Residual2Vec(2, refine=2**70).fit(datasets.karate_club())),
        ("n_sweeps", lambda: Likelihood(n_sweeps=2**70)),
    ):
        with pytest.raises(InvalidParameterError, match=rf"^{name} must be at most 10,000; got 1180591620717411303424"):
            fit()
