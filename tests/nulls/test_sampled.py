import numpy as np
import pytest
from scipy.stats import chisquare

from graph_cases import graph_cases, labels_for
from residuum import Graph, Residual2Vec, datasets
from residuum.errors import InvalidParameterError, NullModelError
from residuum.nulls import Configuration, FittedNull, NullModel, SampledNull, rewired
from residuum.walks import WindowProbabilities

GRAPH = datasets.planted_groups(120, 3, average_degree=8, random_state=0)
GROUP = GRAPH.node_attributes["group"]


@pytest.mark.parametrize("case", ["unweighted", "directed", "self-loops"])
def test_rewiring_preserves_degrees_self_loops_and_simplicity(case):
    graph = graph_cases()[case]
    random_graph = rewired(graph, 3)
    before, after = (g.adjacency.toarray() > 0 for g in (graph, random_graph))
    np.testing.assert_array_equal(before.sum(axis=0), after.sum(axis=0))
    np.testing.assert_array_equal(before.sum(axis=1), after.sum(axis=1))
    np.testing.assert_array_equal(np.diag(before), np.diag(after))
    assert random_graph.n_edges == graph.n_edges
    assert (before != after).any()


def test_rewiring_with_groups_preserves_the_mixing():
    member = np.eye(3)[GROUP]
    random_graph = rewired(GRAPH, 1, GROUP)
    mixing = [member.T @ g.adjacency.toarray() @ member for g in (GRAPH, random_graph)]
    np.testing.assert_array_equal(*mixing)
    assert (GRAPH.adjacency != random_graph.adjacency).nnz > 0


def test_seed_determines_the_rewired_graph():
    assert (rewired(GRAPH, 5).adjacency != rewired(GRAPH, 5).adjacency).nnz == 0
    assert (rewired(GRAPH, 5).adjacency != rewired(GRAPH, 6).adjacency).nnz > 0


def poisson_configuration(seed):
    """Return a sample of the soft configuration model, whose mean is the analytic null model.

    It has twenty times the edges, so that degrees vary little and the mean of a ratio is close to the ratio of means.
    """
    rng = np.random.default_rng(seed)
    degree = 20 * GRAPH.out_strength
    counts = np.triu(rng.poisson(np.outer(degree, degree) / degree.sum()), k=1)
    loops = np.diag(rng.poisson(degree**2 / degree.sum() / 2) * 2)
    return Graph(counts + counts.T + loops)


def distance_to_configuration(n_samples, estimate):
    null = SampledNull(poisson_configuration, n_samples, prior=0.0, estimate=estimate, n_walks=100).fit(GRAPH, 3)
    nodes = np.arange(120)
    estimated = np.exp(null.log_columns(nodes))
    expected = np.exp(Configuration().fit(GRAPH, 3).log_probability(nodes[:, None], nodes[None, :]))
    return np.linalg.norm(estimated - expected) / np.linalg.norm(expected)


@pytest.mark.parametrize("prior", [0.0, 1.0])
def test_samples_in_which_walks_end_too_early_do_not_count(prior):
    # The second sample ends at c after one step from a, before the window begins.
    long, short = ([[0, 1, 0], [0, 0, 1], [0, 1, 0]], [[0, 0, 1], [0, 0, 1], [0, 0, 0]])
    graph = Graph(long, ["a", "b", "c"], directed=True)
    null = SampledNull(lambda seed: Graph((long, short)[seed], directed=True), n_samples=2, prior=prior)
    fitted = null.fit(graph, window=[0.0, 1.0])
    rows = np.exp(fitted.log_rows([0, 1, 2]))
    np.testing.assert_allclose(rows.sum(axis=1), 1.0, rtol=1e-6)
    np.testing.assert_allclose(rows, np.exp(fitted.log_columns([0, 1, 2])), rtol=1e-6)
    np.testing.assert_allclose(np.exp(fitted.offset), np.exp(fitted.source_offset) @ rows, rtol=1e-6)
    contexts = fitted.sample(np.zeros(4000, dtype=np.int64), np.random.default_rng(0))
    np.testing.assert_allclose(np.bincount(contexts, minlength=3) / 4000, rows[0], atol=0.03)


def test_the_standard_error_is_that_of_the_samples_that_count():
    long, short = ([[0, 1, 0], [0, 0, 1], [0, 1, 0]], [[0, 0, 1], [0, 0, 1], [0, 0, 0]])
    graph = Graph(long, directed=True)
    other = [[0, 0.5, 0.5], [0, 0, 1], [0, 1, 0]]
    errors = {}
    cases = {"equal": (long, short, long), "one each": (long, short, short), "different": (long, short, other)}
    for name, samples in cases.items():
        null = SampledNull(lambda seed, samples=samples: Graph(samples[seed], directed=True), n_samples=3)
        errors[name] = null.fit(graph, window=[0.0, 1.0]).standard_error
    assert errors["equal"] == 0.0
    assert np.isnan(errors["one each"])
    # From a to (b, c) with (0, 1) and (1/2, 1/2), the same from the others: a variance of 1/8, in the mean of two.
    assert errors["different"] == pytest.approx(np.sqrt(2 / 16 / 9) / (3 / 9))


@pytest.mark.parametrize("estimate", ["exact", "walks"])
def test_estimate_converges_to_the_analytic_null_model(estimate):
    few, many = distance_to_configuration(8, estimate), distance_to_configuration(128, estimate)
    # Sixteen times the samples have a quarter of the noise.
    assert many < 0.35 * few


def test_standard_error_halves_with_four_times_the_samples():
    few, many = (SampledNull("rewire", n_samples=n).fit(GRAPH, 3) for n in (10, 40))
    assert few.standard_error == pytest.approx(2 * many.standard_error, rel=0.25)


def test_counting_walks_increases_the_standard_error():
    exact = SampledNull("rewire", n_samples=10).fit(GRAPH, 3)
    few, many = (SampledNull("rewire", 10, estimate="walks", n_walks=n).fit(GRAPH, 3) for n in (20, 2000))
    assert few.standard_error > 1.2 * exact.standard_error
    assert many.standard_error == pytest.approx(exact.standard_error, rel=0.1)


@pytest.mark.parametrize("estimate", ["exact", "walks"])
@pytest.mark.parametrize("case", ["unweighted", "directed", "dangling nodes", "isolated nodes"])
def test_fitted_null_implements_the_protocol(case, estimate):
    graph = graph_cases()[case]
    model = SampledNull(n_samples=3, estimate=estimate, n_walks=3000)
    null = model.fit(graph, 4)
    assert isinstance(model, NullModel)
    assert isinstance(null, FittedNull)
    active = np.flatnonzero(graph.out_strength > 0)
    nodes = np.arange(graph.n_nodes)
    rows = np.exp(null.log_rows(active))
    np.testing.assert_allclose(rows.sum(axis=1), 1.0, rtol=1e-5)
    np.testing.assert_allclose(np.exp(null.log_columns(nodes))[active], rows, rtol=1e-4)
    pairs = np.exp(null.log_probability(active[:, None], nodes[None, :]))
    np.testing.assert_allclose(pairs, rows, rtol=1e-4)
    source = np.exp(null.source_offset)
    np.testing.assert_allclose(
        np.exp(null.offset), source[active] @ rows, rtol=1e-4 if estimate == "exact" else 0.2, atol=1e-9
    )


@pytest.mark.parametrize("case", ["directed", "dangling nodes"])
def test_samples_have_the_window_probabilities_of_their_walks(case):
    graph = graph_cases()[case]
    null = SampledNull(lambda seed: graph, n_samples=2, prior=0.0).fit(graph, 3)
    nodes = np.arange(graph.n_nodes)
    expected = WindowProbabilities(graph, 3).rows(nodes)
    np.testing.assert_allclose(np.exp(null.log_rows(nodes)), expected, rtol=1e-5)


def test_sampled_contexts_follow_the_probabilities():
    graph = graph_cases()["dangling nodes"]
    null = SampledNull(n_samples=3).fit(graph, 4)
    draws = null.sample(np.full(40_000, 5), np.random.default_rng(0))
    counts = np.bincount(draws, minlength=graph.n_nodes)
    probability = np.exp(null.log_rows([5])[0])
    assert chisquare(counts, 40_000 * probability / probability.sum()).pvalue > 1e-3


@pytest.mark.parametrize("estimate", ["exact", "walks"])
@pytest.mark.parametrize("solver", ["exact", "landmark"])
def test_exact_and_landmark_solvers_accept_sampled_null_models(solver, estimate):
    null = SampledNull(n_samples=4, estimate=estimate)
    sampled = Residual2Vec(8, null_model=null, window=10, solver=solver, random_state=0).fit(GRAPH)
    analytic = Residual2Vec(8, null_model="configuration", window=10, solver=solver, random_state=0).fit(GRAPH)
    scores = [model.embedding_ @ model.context_embedding_.T for model in (sampled, analytic)]
    assert np.corrcoef(scores[0].ravel(), scores[1].ravel())[0, 1] > 0.9


def test_transform_with_a_sampled_null_model_raises():
    model = Residual2Vec(8, null_model=SampledNull(n_samples=2), random_state=0).fit(GRAPH)
    with pytest.raises(NullModelError, match="this one is sampled"):
        model.transform(GRAPH.adjacency[:2])


def test_invalid_generators_raise():
    SampledNull("rewire-groups", n_samples=2, groups=labels_for(GRAPH)).fit(GRAPH, 2)
    with pytest.raises(NullModelError, match="needs groups"):
        SampledNull("rewire-groups").fit(GRAPH, 2)
    with pytest.raises(
        InvalidParameterError, match="'rewire', 'rewire-groups' or a callable that takes a seed; got 'x'"
    ):
        SampledNull("x").fit(GRAPH, 2)
    with pytest.raises(NullModelError, match="same 120 nodes; got a graph with 34 nodes"):
        SampledNull(lambda seed: datasets.karate_club()).fit(GRAPH, 2)


@pytest.mark.parametrize("scale", [1e-14, 1.0, 1e14])
def test_n9_different_strengths_are_not_symmetric_in_any_unit_of_the_weights(scale):
    graph = Graph(scale * graph_cases()["weighted"].adjacency)
    assert not SampledNull(n_samples=2).fit(graph, 2).symmetric
