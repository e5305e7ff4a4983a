import pickle

import numpy as np
import pytest

import dense_reference as dense
from graph_cases import OpaqueNull, graph_cases, labels_for
from residuum import Graph
from residuum.nulls import Configuration, DegreeCorrectedSBM, ErdosRenyi
from residuum.residual import ResidualMatrix, build_erasure
from residuum.walks import WindowProbabilities

CASES = graph_cases()
KINDS = {
    "erdos-renyi": (lambda graph: ErdosRenyi(), {}),
    "configuration": (lambda graph: Configuration(), {}),
    "configuration 0.75": (lambda graph: Configuration(0.75), {"exponent": 0.75}),
    "dcsbm": (lambda graph: DegreeCorrectedSBM(labels_for(graph)), {}),
}


def fitted(case, kind, window, floor, weighting=0.0):
    """Return the matrix and its dense reference."""
    graph = CASES[case] if isinstance(case, str) else case
    make, extra = KINDS[kind]
    weights = np.full(window, 1 / window)
    A = graph.adjacency.toarray().astype(float)
    groups = labels_for(graph) if kind == "dcsbm" else None
    observed = dense.window_probability(A, weights)
    expected = dense.null_probability(A, kind.split()[0], weights, groups=groups, **extra)
    active = graph.out_strength > 0, graph.in_strength > 0
    matrix = ResidualMatrix(WindowProbabilities(graph, window), make(graph).fit(graph, window), floor, weighting)
    return matrix, dense.residual(observed, expected, floor, *active)


@pytest.mark.parametrize("floor", [0.0, -1.0, -5.0])
@pytest.mark.parametrize("window", [1, 2, 10])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", CASES)
def test_matrix_equals_the_formula(case, kind, window, floor):
    matrix, expected = fitted(case, kind, window, floor)
    everyone = np.arange(matrix.n_nodes)
    np.testing.assert_allclose(matrix.columns(everyone), expected, atol=2e-4)
    np.testing.assert_allclose(matrix.rows(everyone), expected, atol=2e-4)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", CASES)
def test_symmetry_depends_on_the_null_model_and_the_direction_of_edges(case, kind):
    matrix, expected = fitted(case, kind, 4, -1.0)
    assert matrix.symmetric == (kind in {"configuration", "dcsbm"} and not CASES[case].directed)
    if matrix.symmetric:
        np.testing.assert_allclose(expected, expected.T, atol=1e-9)


def test_matrix_is_invariant_to_the_scale_of_the_weights():
    matrix, _ = fitted("weighted", "configuration", 10, -2.0)
    graph = CASES["weighted"]
    for factor in (1e-3, 0.5, 40.0):
        rescaled, _ = fitted(Graph(factor * graph.adjacency), "configuration", 10, -2.0)
        np.testing.assert_allclose(rescaled.columns(np.arange(20)), matrix.columns(np.arange(20)), atol=1e-5)


@pytest.mark.parametrize("floor", [0.0, -1.0, -3.0, -200.0])  # exp(-200) is zero in float32
def test_pairs_that_no_walk_joins_are_at_the_floor(floor):
    clique = np.ones((5, 5)) - np.eye(5)
    graph = Graph(np.block([[clique, np.zeros((5, 5))], [np.zeros((5, 5)), clique]]))
    matrix, _ = fitted(graph, "configuration", 10, floor)
    values = matrix.columns(np.arange(10))
    assert np.all(values[:5, 5:] == np.float32(floor))
    assert np.all(values[:5, :5] > 0)


def test_ends_of_a_long_path_are_at_the_floor():
    path = Graph(np.eye(60, k=1) + np.eye(60, k=-1))
    matrix, _ = fitted(path, "configuration", 10, -1.0)
    assert matrix.columns([59])[0, 0] == -1.0


@pytest.mark.parametrize("case", ["weighted", "directed", "isolated nodes"])
def test_weighting_scales_rows_and_columns_by_degree(case):
    plain, _ = fitted(case, "configuration", 5, -2.0)
    weighted, _ = fitted(case, "configuration", 5, -2.0, weighting=0.6)
    graph = CASES[case]
    out, into = (s / s[s > 0].mean() for s in (graph.out_strength, graph.in_strength))
    everyone = np.arange(graph.n_nodes)
    expected = np.outer(out**0.3, into**0.3) * plain.columns(everyone)
    np.testing.assert_allclose(weighted.columns(everyone), expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("case", ["weighted", "directed", "isolated nodes"])
def test_a_null_model_without_a_block_form_gives_the_same_matrix(case):
    matrix, expected = fitted(case, "configuration", 5, -2.0)

    opaque = ResidualMatrix(matrix.probabilities, OpaqueNull(matrix.null), -2.0)
    everyone = np.arange(matrix.n_nodes)
    np.testing.assert_allclose(opaque.columns(everyone), expected, atol=2e-4)
    np.testing.assert_allclose(opaque.rows(everyone), expected, atol=2e-4)


@pytest.mark.parametrize("case", ["weighted", "directed"])
def test_only_an_erasure_has_a_projector_with_one_side_if_the_matrix_is_symmetric(case):
    graph = CASES[case]
    matrix, _ = fitted(case, "configuration", 5, -2.0, weighting=0.6)
    assert matrix.projector is None
    erasure = build_erasure(graph, {"kind": labels_for(graph)}, matrix.null)
    erased = ResidualMatrix(matrix.probabilities, matrix.null, -2.0, 0.6, erasure)
    sides = erased.projector.left, erased.projector.right
    assert (sides[0] is sides[1]) == matrix.symmetric
    for side, scale in zip(sides, (matrix.row_scale, matrix.column_scale), strict=True):
        np.testing.assert_allclose(side.raised, scale[:, None] ** 2 * side.lowered, rtol=1e-5)


@pytest.mark.parametrize("case", ["weighted", "dangling nodes"])
def test_sampled_rows_are_rows_of_sixteen_centers_and_are_not_pickled(case):
    matrix, expected = fitted(case, "configuration", 3, -2.0)
    nodes, rows = matrix.sampled_rows
    assert len(set(nodes.tolist())) == 16
    assert (CASES[case].out_strength[nodes] > 0).all()
    np.testing.assert_array_equal(nodes, matrix.sampled_nodes)
    np.testing.assert_allclose(rows, expected[nodes], atol=2e-4)
    copy = pickle.loads(pickle.dumps(matrix))
    assert "sampled_rows" not in vars(copy)
    np.testing.assert_array_equal(copy.sampled_rows[1], rows)
