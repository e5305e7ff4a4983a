import numpy as np
import pytest
from scipy.stats import chisquare

from graph_cases import graph_cases, labels_for
from residuum import Graph, Residual2Vec, datasets
from residuum.errors import InvalidParameterError, NullModelError
from residuum.graph import resolve_teleport
from residuum.nulls import Configuration, FittedNull, NullModel, SampledNull, rewired
from residuum.walks import WindowProbabilities

GRAPH = datasets.planted_groups(120, 3, average_degree=8, random_state=0)
GROUP = GRAPH.node_attributes["group"]


@pytest.mark.parametrize("case", ["unweighted", "directed", "self-loops"])
def test_rewiring_keeps_degrees_and_simplicity(case):
    graph = graph_cases()[case]
    drawn = rewired(graph, 3)
    before, after = (g.adjacency.toarray() > 0 for g in (graph, drawn))
    np.testing.assert_array_equal(before.sum(axis=0), after.sum(axis=0))
    np.testing.assert_array_equal(before.sum(axis=1), after.sum(axis=1))
    np.testing.assert_array_equal(np.diag(before), np.diag(after))
    assert drawn.n_edges == graph.n_edges
    assert (before != after).any()


def test_rewiring_inside_groups_keeps_the_mixing():
    member = np.eye(3)[GROUP]
    drawn = rewired(GRAPH, 1, GROUP)
    mixing = [member.T @ g.adjacency.toarray() @ member for g in (GRAPH, drawn)]
    np.testing.assert_array_equal(*mixing)
    assert (GRAPH.adjacency != drawn.adjacency).nnz > 0


def test_the_same_seed_rewires_the_same():
    assert (rewired(GRAPH, 5).adjacency != rewired(GRAPH, 5).adjacency).nnz == 0
    assert (rewired(GRAPH, 5).adjacency != rewired(GRAPH, 6).adjacency).nnz > 0


def poisson_configuration(seed):
    """The soft configuration model itself, whose mean is the analytic null.

    With twenty times the edges, so that degrees vary little: the mean of a ratio is then the ratio of the means.
    """
    rng = np.random.default_rng(seed)
    degree = 20 * GRAPH.out_strength
    counts = np.triu(rng.poisson(np.outer(degree, degree) / degree.sum()), k=1)
    loops = np.diag(rng.poisson(degree**2 / degree.sum() / 2) * 2)
    return Graph(counts + counts.T + loops)


def distance_to_configuration(n_samples, estimate):
    null = SampledNull(poisson_configuration, n_samples, prior=0.0, estimate=estimate, n_walks=100).fit(GRAPH, 3)
    everyone = np.arange(120)
    found = np.exp(null.log_columns(everyone))
    expected = np.exp(Configuration().fit(GRAPH, 3).log_probability(everyone[:, None], everyone[None, :]))
    return np.linalg.norm(found - expected) / np.linalg.norm(expected)


@pytest.mark.parametrize("estimate", ["exact", "walks"])
def test_the_estimate_converges_to_the_analytic_null(estimate):
    few, many = distance_to_configuration(8, estimate), distance_to_configuration(128, estimate)
    # Sixteen times the samples, a quarter of the noise.
    assert many < 0.35 * few


def test_the_standard_error_is_that_of_the_mean():
    null = SampledNull("rewire", n_samples=40).fit(GRAPH, 3)
    half = SampledNull("rewire", n_samples=10).fit(GRAPH, 3)
    assert half.standard_error == pytest.approx(2 * null.standard_error, rel=0.25)


def test_walks_add_to_the_standard_error():
    exact = SampledNull("rewire", n_samples=10).fit(GRAPH, 3)
    few, many = (SampledNull("rewire", 10, estimate="walks", n_walks=n).fit(GRAPH, 3) for n in (20, 2000))
    assert few.standard_error > 1.2 * exact.standard_error
    assert many.standard_error == pytest.approx(exact.standard_error, rel=0.1)


@pytest.mark.parametrize("estimate", ["exact", "walks"])
@pytest.mark.parametrize("case", ["unweighted", "directed", "dangling nodes", "isolated nodes"])
def test_it_keeps_the_protocol(case, estimate):
    graph = graph_cases()[case]
    model = SampledNull(n_samples=3, estimate=estimate, n_walks=3000)
    null = model.fit(graph, 4, resolve_teleport(graph, None))
    assert isinstance(model, NullModel)
    assert isinstance(null, FittedNull)
    active = np.flatnonzero((graph.out_strength > 0) | (graph.in_strength > 0))
    everyone = np.arange(graph.n_nodes)
    rows = np.exp(null.log_rows(active))
    np.testing.assert_allclose(rows.sum(axis=1), 1.0, rtol=1e-5)
    np.testing.assert_allclose(np.exp(null.log_columns(everyone))[active], rows, rtol=1e-4)
    pairs = np.exp(null.log_probability(active[:, None], everyone[None, :]))
    np.testing.assert_allclose(pairs, rows, rtol=1e-4)
    source = np.exp(null.source_offset)
    np.testing.assert_allclose(
        np.exp(null.offset), source[active] @ rows, rtol=1e-4 if estimate == "exact" else 0.2, atol=1e-9
    )


@pytest.mark.parametrize("target", ["out-strength", "uniform", np.arange(20.0)], ids=["strength", "uniform", "given"])
def test_walkers_of_samples_jump_where_the_user_says(target):
    graph = graph_cases()["directed"]
    teleport = resolve_teleport(graph, (0.3, target))
    null = SampledNull(lambda seed: graph, n_samples=2, prior=0.0).fit(graph, 3, teleport)
    everyone = np.arange(graph.n_nodes)
    expected = WindowProbabilities(graph, 3, teleport).rows(everyone)
    np.testing.assert_allclose(np.exp(null.log_rows(everyone)), expected, rtol=1e-5)


def test_samples_follow_the_probabilities():
    graph = graph_cases()["dangling nodes"]
    null = SampledNull(n_samples=3).fit(graph, 4, resolve_teleport(graph, None))
    draws = null.sample(np.full(40_000, 5), np.random.default_rng(0))
    counts = np.bincount(draws, minlength=graph.n_nodes)
    probability = np.exp(null.log_rows([5])[0])
    assert chisquare(counts, 40_000 * probability / probability.sum()).pvalue > 1e-3


def test_walkers_end_where_the_window_says():
    graph = graph_cases()["weighted"]
    probabilities = WindowProbabilities(graph, [0.5, 0.2, 0.3])
    ends = probabilities.walk_ends(np.full(40_000, 2), np.random.default_rng(0))
    expected = probabilities.rows([2])[0].astype(float)
    counts = np.bincount(ends, minlength=20)
    assert counts[expected == 0].sum() == 0
    assert chisquare(counts[expected > 0], 40_000 * expected[expected > 0] / expected.sum()).pvalue > 1e-3


@pytest.mark.parametrize("estimate", ["exact", "walks"])
@pytest.mark.parametrize("solver", ["exact", "landmark"])
def test_both_solvers_serve_it(solver, estimate):
    null = SampledNull(n_samples=4, estimate=estimate)
    model = Residual2Vec(8, null_model=null, solver=solver, random_state=0).fit(GRAPH)
    close = Residual2Vec(8, null_model="configuration", solver=solver, random_state=0).fit(GRAPH)
    pairs = [m.embedding_ @ m.context_embedding_.T for m in (model, close)]
    assert np.corrcoef(pairs[0].ravel(), pairs[1].ravel())[0, 1] > 0.9


def test_new_nodes_are_refused_with_a_reason():
    model = Residual2Vec(8, null_model=SampledNull(n_samples=2), random_state=0).fit(GRAPH)
    with pytest.raises(NullModelError, match="this one is sampled"):
        model.transform(GRAPH.adjacency[:2])


def test_groups_of_the_generator_and_bad_generators():
    SampledNull("rewire-groups", n_samples=2, groups=labels_for(GRAPH)).fit(GRAPH, 2)
    with pytest.raises(NullModelError, match="needs groups"):
        SampledNull("rewire-groups").fit(GRAPH, 2)
    with pytest.raises(InvalidParameterError, match="function of a seed or one of 'rewire', 'rewire-groups'; got 'x'"):
        SampledNull("x").fit(GRAPH, 2)
    with pytest.raises(NullModelError, match="same 120 nodes; got one of 34"):
        SampledNull(lambda seed: datasets.karate_club()).fit(GRAPH, 2)
