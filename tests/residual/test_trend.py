import numpy as np
import pytest

from residuum import Graph, Residual2Vec, datasets
from residuum.nulls import Configuration
from residuum.residual import build_erasure, erases_trend, subtract_trend
from residuum.residual.trend import Trend, length_sums, radius_of, trend_sums


def case(n=60, k=3, seed=0):
    """Return vectors of very different lengths, some of them zero, and columns of bins and a number."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, k)) * rng.exponential(1.0, n)[:, None]
    X[:5] = 0.0
    x = rng.random(n)
    return X, np.column_stack([np.eye(4)[(4 * x).astype(int)], x])


def reference(X, Z, strength):
    """Return the vectors by weighted least squares, node by node."""
    lengths = [np.sqrt(sum(x * x)) for x in X]
    radius = np.sqrt(np.mean([length**2 for length in lengths if length > 0]))
    weights = [length**2 * min(1.0, length / radius) ** 8 for length in lengths]
    gram = sum(m * np.outer(z, z) for m, z in zip(weights, Z, strict=True))
    C = np.linalg.lstsq(gram, Z.T @ X, rcond=1e-12)[0]
    return np.array([x - strength * m * (z @ C) for x, m, z in zip(X, weights, Z, strict=True)])


def erase(X, Z, strength=1.0):
    radius = radius_of(length_sums(X))
    return Trend.of_sums(radius, trend_sums(X, Z, radius), strength).subtract(X, Z)


@pytest.mark.parametrize("strength", [1.0, 0.4, 0.0])
def test_the_trend_is_that_of_weighted_least_squares(strength):
    X, Z = case()
    erased = erase(X, Z, strength)
    np.testing.assert_allclose(erased, reference(X, Z, strength), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(Z.T @ erased, (1 - strength) * Z.T @ X, atol=1e-5 * np.abs(X).sum())
    assert not erased[:5].any()


def test_sums_of_parts_give_the_trend_of_all_nodes():
    X, Z = case()
    parts = (slice(0, 7), slice(7, 8), slice(8, None))
    radius = radius_of(sum(length_sums(X[rows]) for rows in parts))
    trend = Trend.of_sums(radius, sum(trend_sums(X[rows], Z[rows], radius) for rows in parts))
    np.testing.assert_allclose(trend.subtract(X, Z), erase(X, Z), rtol=1e-5, atol=1e-6)


def test_short_vectors_stay_beside_long_ones_and_move_without():
    # In the second group all vectors are short; its share of the weights, 1e-50, is not that of a dependent column.
    rng = np.random.default_rng(0)
    Z = np.eye(2)[np.arange(40) % 2]
    lengths = np.where(np.arange(40) % 2, 1e-5, np.where(np.arange(40) % 4, 1.0, 1e-3))[:, None]
    X = (1.0 + rng.random((40, 2))) * lengths
    erased = erase(X, Z)
    np.testing.assert_array_equal(erased[::4], X[::4].astype(np.float32))
    assert np.abs(erased[1::2].sum(axis=0)).max() < 1e-5 * np.abs(X[1::2]).sum()


def test_multiples_of_the_vectors_lose_multiples_of_the_trend():
    X, Z = case()
    np.testing.assert_allclose(erase(3.0 * X, Z), 3.0 * erase(X, Z), rtol=1e-4, atol=1e-5)


def test_vectors_that_are_all_zero_stay_zero():
    X, Z = np.zeros((6, 2)), np.ones((6, 1))
    np.testing.assert_array_equal(erase(X, Z), X)


def ordered_graph(n=300, seed=0):
    """Return papers that cite earlier papers, most of them a few, with years and a label."""
    rng = np.random.default_rng(seed)
    attractive = rng.exponential(1.0, n) ** 2
    cited = np.tril(rng.random((n, n)) < np.minimum(8 * attractive / attractive.sum(), 1.0), -1)
    years = 1990.0 + np.arange(n) // 30
    return Graph(cited.astype(float), directed=True), years, np.where(rng.random(n) < 0.5, "a", "b")


ERASED = {
    "few years": lambda years, label: {"year": years},
    "many years": lambda years, label: {"year": years + np.linspace(0, 1, len(years))},
    "time stamps": lambda years, label: {"year": years.astype(int).astype(str).astype("datetime64[Y]")},
    "degree": lambda years, label: "degree",
    "year and label": lambda years, label: {"year": years, "label": label},
}


@pytest.mark.filterwarnings("ignore:the graph has")
@pytest.mark.parametrize("solver", ["exact", "landmark", "block"])
@pytest.mark.parametrize("erased", ERASED)
def test_no_column_of_the_attributes_has_a_product_with_the_vectors(erased, solver):
    graph, years, label = ordered_graph()
    attributes = ERASED[erased](years, label)
    before, model = (Residual2Vec(6, solver=solver, erase=e, random_state=0).fit(graph) for e in (None, attributes))
    assert model.floor_ == 0.0
    Z = build_erasure(graph, attributes, Configuration().fit(graph, model.window_)).columns()
    for X, full in ((model.embedding_, before.embedding_), (model.context_embedding_, before.context_embedding_)):
        assert np.abs(Z.T @ X).max() < 1e-5 * np.abs(full).sum() < 0.1 * np.abs(Z.T @ full).max()
        empty = ~full.any(axis=1)
        assert empty.any()
        assert not X[empty].any()


@pytest.mark.filterwarnings("ignore:the graph has", "ignore:.*out-of-sample nodes")
@pytest.mark.parametrize("strength", [1.0, 0.5])
def test_out_of_sample_nodes_with_the_edges_of_a_node_get_its_vector(strength):
    graph, years, label = ordered_graph()
    attributes = {"year": years, "label": label}
    parameters = {"solver": "exact", "random_state": 0, "shrinkage": 0.0, "scale": 1.0}
    model = Residual2Vec(6, erase=attributes, erase_strength=strength, **parameters).fit(graph)
    vectors = model.transform(graph.adjacency, attributes=attributes)
    np.testing.assert_allclose(vectors, model.embedding_, atol=2e-3 * np.abs(model.embedding_).max())
    assert np.abs(vectors - Residual2Vec(6, **parameters).fit(graph).embedding_).max() > 0.05


def test_only_numbers_in_directed_graphs_without_a_negative_floor_are_erased_as_a_trend():
    graph, years, label = ordered_graph()
    null = Configuration().fit(graph, 3)
    numbers, labels = (build_erasure(graph, values, null) for values in (years, label))
    both = build_erasure(graph, [label, "degree"], null)
    assert erases_trend(numbers, graph, 0.0)
    assert erases_trend(both, graph, 0.0)
    assert not erases_trend(labels, graph, 0.0)
    assert not erases_trend(numbers, graph, -1.0)
    undirected = datasets.planted_groups(300, 3, random_state=0)
    assert not erases_trend(numbers, undirected, 0.0)


def test_strength_zero_keeps_the_vectors():
    graph, years, _ = ordered_graph(60)
    erasure = build_erasure(graph, years, Configuration().fit(graph, 3), 0.0)
    u, v = np.random.default_rng(0).standard_normal((2, 60, 3)).astype(np.float32)
    same_u, same_v, _ = subtract_trend(u, v, None, erasure)
    np.testing.assert_array_equal(same_u, u)
    np.testing.assert_array_equal(same_v, v)
