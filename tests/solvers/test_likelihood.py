import numpy as np
import pytest

from graph_cases import OpaqueNull, graph_cases, labels_for
from residuum import Graph, Residual2Vec, datasets
from residuum.errors import InvalidParameterError, MemoryLimitError
from residuum.nulls import Configuration, DegreeCorrectedSBM, SampledNull
from residuum.residual import N_COLUMNS, ResidualMatrix, chunk_rows, newton
from residuum.solvers import Exact, Likelihood, Problem, Workspace
from residuum.walks import WindowProbabilities

CASES = graph_cases()
COMMUNITIES = datasets.planted_groups(400, 40, mixing=0.1, average_degree=8, random_state=0)

pytestmark = pytest.mark.filterwarnings("ignore:the graph has", "ignore:a null model with groups")


def fit(graph, n_components=4, n_sweeps=6, **parameters):
    solver = Likelihood(n_sweeps=n_sweeps)
    return Residual2Vec(n_components, solver=solver, **{"window": 3, "random_state": 0, **parameters}).fit(graph)


@pytest.mark.parametrize(
    "null_model",
    ["configuration", "erdos-renyi", "degree-correlated", "dcsbm", SampledNull("rewire", n_samples=3)],
    ids=str,
)
@pytest.mark.parametrize("case", CASES)
def test_every_null_model_and_graph_is_fitted(case, null_model):
    graph = CASES[case]
    null = DegreeCorrectedSBM(labels_for(graph)) if null_model == "dcsbm" else null_model
    model = fit(graph, null_model=null)
    losses = model.solver_details_["losses"]
    assert losses[-1] < min(losses[0], 2 * np.log(2))
    assert np.isfinite(model.embedding_).all()
    isolated = (graph.out_strength == 0) & (graph.in_strength == 0)
    assert not model.embedding_[isolated].any()


@pytest.mark.parametrize("case", ["weighted", "directed"])
def test_a_null_model_that_hides_its_block_form_gives_the_same_loss(case):
    graph = CASES[case]
    null = Configuration().fit(graph, 3)
    losses = []
    for fitted in (null, OpaqueNull(null)):
        matrix = ResidualMatrix(WindowProbabilities(graph, 3), fitted, -3.0)
        work = Workspace(1 << 30, np.random.default_rng(0))
        losses.append(Likelihood(n_sweeps=20).solve(matrix, 4, work).details["losses"][-1])
    assert losses[0] == pytest.approx(losses[1], rel=0.02)


@pytest.mark.parametrize("window", [1, 2, [0, 0, 1], [3, 2, 1], None])
def test_any_window_is_fitted(window):
    model = fit(CASES["weighted"], window=window)
    assert model.solver_details_["losses"][-1] < 2 * np.log(2)


def test_the_loss_approaches_that_of_the_log_ratios_if_the_rank_suffices():
    graph = datasets.karate_club()
    solver = Likelihood(n_sweeps=100, n_contexts=2000, regularization=0.0, tolerance=0.0)
    model = Residual2Vec(16, window=6, solver=solver, random_state=0).fit(graph)
    observed = WindowProbabilities(graph, 6).rows(np.arange(34)).astype(float)
    shares = graph.out_strength / graph.out_strength.sum()

    def loss(scores):
        losses = observed * np.logaddexp(0, -scores) + shares * np.logaddexp(0, scores)
        return shares @ losses.sum(axis=1)

    best, zero = loss(np.log(np.maximum(observed / shares, 1e-30))), loss(np.zeros((34, 34)))
    assert loss(model.embedding_ @ model.context_embedding_.T) - best < 0.1 * (zero - best)


def test_the_solver_has_a_lower_loss_than_a_factorization_if_there_are_many_communities():
    null = Configuration().fit(COMMUNITIES, 3)
    matrix = ResidualMatrix(WindowProbabilities(COMMUNITIES, 3), null, -3.0)
    solutions = [
        solver.solve(matrix, 16, Workspace(1 << 30, np.random.default_rng(0))) for solver in (Exact(), Likelihood())
    ]
    factorized = solutions[0].refined(1, seed=0).details["losses"][0]
    assert solutions[1].details["losses"][-1] < 0.95 * factorized


def test_sweeps_from_a_random_start_take_long_first_steps(monkeypatch):
    graph = datasets.planted_groups(600, 60, average_degree=8, mixing=0.1, random_state=0)
    losses = {}
    for first in (newton.FIRST_STEPS, ()):
        monkeypatch.setattr("residuum.solvers.likelihood.FIRST_STEPS", first)
        losses[first] = Residual2Vec(16, solver=Likelihood(4), random_state=0).fit(graph).solver_details_["losses"][-1]
    assert losses[newton.FIRST_STEPS] < losses[()]


@pytest.mark.parametrize("directed", [False, True])
def test_one_and_two_threads_give_the_same_bits(directed):
    graph = Graph(COMMUNITIES.adjacency, directed=directed)
    one, two = (fit(graph, 8, n_jobs=n_jobs) for n_jobs in (1, 2))
    np.testing.assert_array_equal(one.embedding_, two.embedding_)
    np.testing.assert_array_equal(one.context_embedding_, two.context_embedding_)


@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_the_unit_of_the_weights_does_not_matter(unit):
    graph = CASES["weighted"]
    plain, scaled = (fit(Graph(factor * graph.adjacency)) for factor in (1.0, unit))
    np.testing.assert_allclose(scaled.singular_values_, plain.singular_values_, rtol=0.02)


@pytest.mark.parametrize("case", ["weighted", "directed"])
def test_the_edges_of_a_node_reproduce_its_vector(case):
    graph = CASES[case]
    solver = Likelihood(n_sweeps=300, tolerance=0.0)
    model = Residual2Vec(4, solver=solver, window=3, power=1.2, scale=2.0, random_state=0).fit(graph)
    error = np.abs(model.transform(graph.adjacency) - model.embedding_).max()
    assert error < 0.05 * np.abs(model.embedding_).max()


@pytest.mark.parametrize("n_nodes", [2, 3, 5])
def test_tiny_graphs_are_fitted(n_nodes):
    path = Graph(np.eye(n_nodes, k=1) + np.eye(n_nodes, k=-1))
    model = fit(path, n_nodes - 1)
    assert model.embedding_.shape == (n_nodes, n_nodes - 1)
    assert np.isfinite(model.embedding_).all()


def test_more_dimensions_than_the_rank_are_harmless():
    star = np.zeros((30, 30))
    star[0, 1:] = star[1:, 0] = 1.0
    model = fit(Graph(star), 20)
    assert np.isfinite(model.embedding_).all()
    assert model.singular_values_.shape == (20,)


def test_the_memory_limit_is_checked_before_any_work():
    with pytest.raises(MemoryLimitError, match="the likelihood solver needs at least"):
        fit(COMMUNITIES, memory_limit=100_000)


def test_sampled_pairs_of_directed_graphs_and_sampled_null_models_need_memory():
    plain = Problem(50_000, 1_000_000, 64, 10, symmetric=True, memory_limit=8 << 30)
    needs = Likelihood().bytes(plain).least
    for changed in ({"directed": True}, {"n_groups": 0}):
        assert Likelihood().bytes(Problem(**{**vars(plain), **changed})).least > 1.2 * needs


def test_the_error_is_that_of_unfinished_sweeps():
    swept = {n: fit(COMMUNITIES, 16, n_sweeps=n) for n in (1, 2, 3, 6, 40)}
    losses = {n: model.solver_details_["losses"][-1] for n, model in swept.items()}
    gain = 2 * np.log(2) - losses[40]
    for n in (3, 6):
        assert swept[n].approximation_error_ == pytest.approx(np.sqrt((losses[n] - losses[40]) / gain), rel=0.3)
    assert swept[1].approximation_error_ == swept[2].approximation_error_ == 1.0
    assert 0.0 < swept[40].approximation_error_ < 0.5 * swept[3].approximation_error_


def test_erasure_and_refinement_need_a_factorization():
    with pytest.raises(InvalidParameterError, match="erase needs a solver that factorizes"):
        fit(CASES["weighted"], erase="degree")
    with pytest.raises(InvalidParameterError, match="refine needs a solver that factorizes"):
        fit(CASES["weighted"], refine=3)
    erasing = Problem(50, 100, 4, 3, symmetric=True, memory_limit=1 << 30, erases=True)
    assert "erase_level='distribution'" in Likelihood().refusal(erasing)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_sweeps": 0}, "n_sweeps must be at least 1; got 0"),
        ({"n_contexts": 0}, "n_contexts must be at least 1; got 0"),
        ({"regularization": -1.0}, "regularization must be a finite number of at least 0"),
        ({"tolerance": -1.0}, "tolerance must be a finite number of at least 0"),
    ],
)
def test_invalid_parameters_are_rejected(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        Likelihood(**parameters)


def test_progress_has_the_loss_of_each_sweep():
    events = []
    model = fit(CASES["weighted"], n_sweeps=3, progress=events.append)
    losses = [event.loss for event in events if event.stage == "sweeps" and event.loss is not None]
    assert losses[-3:] == model.solver_details_["losses"][1:]


def test_every_thread_needs_memory_for_a_chunk_of_rows():
    sizes = {"symmetric": True, "memory_limit": 8 << 30}
    one, two = (Problem(50_000, 1_000_000, 64, 10, threads=threads, **sizes) for threads in (1, 2))
    solver = Likelihood(n_contexts=40)
    # In float32: four vectors, scores and weights of all columns, and four numbers for every context.
    row = 4 * (4 * 64 + 2 * N_COLUMNS + 4 * 40)
    assert solver.bytes(two).least - solver.bytes(one).least == chunk_rows(50_000) * row
