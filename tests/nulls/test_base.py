import numpy as np
import pytest

from graph_cases import OpaqueNull, graph_cases, labels_for
from residuum.nulls import Configuration, DegreeCorrectedSBM, FittedNull, NullModel

CASES = graph_cases()


class Table(FittedNull):
    """A null model whose probabilities are a dense matrix."""

    def __init__(self, probability):
        self.probability = np.asarray(probability, dtype=float)
        with np.errstate(divide="ignore"):
            self.offset = np.log(self.probability.mean(axis=0))
        self.source_offset = np.full(len(self.probability), -np.log(len(self.probability)))

    def log_probability(self, rows, columns):
        with np.errstate(divide="ignore"):
            return np.log(self.probability[np.asarray(rows), np.asarray(columns)])

    def sample(self, centers, rng):
        return np.array([rng.choice(len(self.probability), p=self.probability[i]) for i in np.asarray(centers)])


def random_table(n_nodes, seed=0):
    rng = np.random.default_rng(seed)
    probability = rng.dirichlet(np.ones(n_nodes), size=n_nodes) * (rng.random((n_nodes, n_nodes)) < 0.7)
    return Table(probability)


def ratios(observed, probability, lowest):
    """Return ``max(P_d / P_0, lowest)``, and ``lowest`` where ``P_0`` is 0, entry by entry."""
    result = np.full(observed.shape, lowest)
    for place in np.ndindex(*observed.shape):
        if probability[place] > 0:
            result[place] = max(observed[place] / probability[place], lowest)
    return result


def test_rows_and_columns_are_slices_of_the_pair_probabilities():
    null = random_table(7)
    with np.errstate(divide="ignore"):
        expected = np.log(null.probability)
    np.testing.assert_array_equal(null.log_rows([4, 0]), expected[[4, 0]])
    np.testing.assert_array_equal(null.log_columns([4, 0]), expected[:, [4, 0]])
    no_nodes = np.empty(0, dtype=np.int64)
    assert null.log_rows(no_nodes).shape == (0, 7)
    assert null.log_columns(no_nodes).shape == (7, 0)


@pytest.mark.parametrize("n_nodes", [1, 2, 13])
@pytest.mark.parametrize("lowest", [np.exp(-3.0), 1.0])
def test_division_by_columns_and_rows_equals_the_loop(n_nodes, lowest):
    null = random_table(n_nodes)
    observed = np.random.default_rng(1).random((n_nodes, n_nodes)).astype(np.float32)
    nodes = np.arange(n_nodes)[::-1].copy()
    expected = ratios(observed, null.probability, lowest)
    columns = observed[:, nodes].copy()
    null.divide_columns(columns, nodes, lowest)
    np.testing.assert_allclose(columns, expected[:, nodes], rtol=1e-6)
    rows = observed[nodes].T.copy()
    null.divide_rows(rows, nodes, lowest)
    np.testing.assert_allclose(rows, expected[nodes].T, rtol=1e-6)


def test_division_by_an_empty_tile_does_nothing():
    null = random_table(5)
    values = np.empty((5, 0), dtype=np.float32)
    null.divide_columns(values, np.empty(0, dtype=np.int64), 0.1)
    null.divide_rows(values, np.empty(0, dtype=np.int64), 0.1)
    assert values.shape == (5, 0)


def test_probabilities_below_the_float32_range_are_divided_in_float64():
    # 1e-50 is 0 in float32.
    null = Table(np.full((3, 3), 1e-50))
    values = np.full((3, 1), 1e-36, dtype=np.float32)
    null.divide_columns(values, np.array([1]), 0.1)
    np.testing.assert_allclose(values, 1e14, rtol=1e-6)


def test_unreachable_pairs_get_the_lowest_ratio():
    null = Table([[0.0, 1.0], [1.0, 0.0]])
    values = np.array([[0.5, 0.0], [0.5, 1.0]], dtype=np.float32)
    null.divide_columns(values, np.arange(2), 0.2)
    np.testing.assert_allclose(values, [[0.2, 0.2], [0.5, 0.2]])


@pytest.mark.parametrize("case", ["weighted", "dangling nodes", "isolated nodes"])
def test_default_methods_agree_with_the_block_form(case):
    graph = CASES[case]
    null = DegreeCorrectedSBM(labels_for(graph)).fit(graph, 3)
    default = OpaqueNull(null)
    nodes = np.array([5, 0, graph.n_nodes - 1])
    observed = np.random.default_rng(0).random((graph.n_nodes, 3)).astype(np.float32)
    for method in ("divide_columns", "divide_rows"):
        by_default, by_kernel = observed.copy(), observed.copy()
        getattr(default, method)(by_default, nodes, 0.05)
        getattr(null, method)(by_kernel, nodes, 0.05)
        np.testing.assert_allclose(by_default, by_kernel, rtol=1e-5)


def test_abstract_methods_are_required():
    class Incomplete(FittedNull):
        def log_probability(self, rows, columns):
            return np.zeros(np.broadcast(rows, columns).shape)

    with pytest.raises(TypeError, match="sample"):
        Incomplete()


def test_objects_with_a_fit_method_are_null_models():
    assert isinstance(Configuration(), NullModel)
    assert not isinstance(Configuration().fit(CASES["weighted"], 1), NullModel)


def test_block_form_is_optional():
    assert random_table(3).block_form is None
    assert not random_table(3).symmetric
