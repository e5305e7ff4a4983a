import numpy as np
import pytest

from graph_cases import graph_cases
from residuum import Graph
from residuum._checkpoint import Store
from residuum._progress import Stage
from residuum.nulls import Configuration
from residuum.residual import ResidualMatrix
from residuum.solvers import Workspace
from residuum.solvers.sketch import Sketch
from residuum.walks import WindowProbabilities, resolve_teleport

CASES = graph_cases()
SIDES = ["columns", "rows"]
PLENTY = 1 << 30


def matrix_of(graph, *, floor=-2.0, weighting=0.0, teleport=None):
    teleport = resolve_teleport(graph, teleport)
    null = Configuration().fit(graph, 3, teleport)
    return ResidualMatrix(WindowProbabilities(graph, 3, teleport), null, floor, weighting)


def sketch_of(matrix, side="columns", *, size=0, width=4, budget=PLENTY, seed=0, store=None):
    sketch = Sketch(matrix, side, Workspace(PLENTY, np.random.default_rng(seed), store or Store()), budget, width)
    sketch.grow(size, None)
    return sketch


def dense_columns(matrix, side, nodes):
    return (matrix.columns(nodes) if side == "columns" else matrix.rows(nodes).T).astype(float)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("case", CASES)
def test_gram_matrix_and_rows_match_the_dense_columns(case, side):
    matrix = matrix_of(CASES[case])
    sketch = sketch_of(matrix, side, size=11)
    C = dense_columns(matrix, side, sketch.nodes[:11])
    np.testing.assert_allclose(sketch.gram, C.T @ C, rtol=1e-5, atol=1e-4)
    np.testing.assert_array_equal(sketch.at(np.array([3, 0, 7]), 5), C[[3, 0, 7], :5])
    assert sketch.gram.dtype == sketch.at(np.array([0]), 1).dtype == np.float64


@pytest.mark.parametrize("side", SIDES)
def test_combine_is_the_product_with_the_dense_columns(general_matrix, side):
    sketch = sketch_of(general_matrix, side, size=30, width=7)
    C = dense_columns(general_matrix, side, sketch.nodes[:30])
    rng = np.random.default_rng(1)
    for size in (1, 7, 8, 30):
        coefficients = rng.standard_normal((size, 3))
        product = sketch.combine(coefficients)
        assert product.dtype == np.float32
        np.testing.assert_allclose(product, C[:, :size] @ coefficients, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("case", CASES)
def test_candidates_are_the_nodes_with_a_row_or_column_in_the_matrix(case):
    matrix = matrix_of(CASES[case])
    for side, scale in (("columns", matrix.column_scale), ("rows", matrix.row_scale)):
        sketch = sketch_of(matrix, side)
        np.testing.assert_array_equal(np.sort(sketch.nodes), np.flatnonzero(scale > 0))
        assert sketch.n_candidates == np.count_nonzero(scale > 0)


@pytest.mark.parametrize("side", SIDES)
def test_nodes_are_sampled_in_proportion_to_the_root_of_their_strength(side):
    graph = CASES["directed"]
    matrix = matrix_of(graph)
    strength = graph.in_strength if side == "columns" else graph.out_strength
    expected = np.sqrt(strength) / np.sqrt(strength).sum()
    n_samples = 4000
    first = [sketch_of(matrix, side, seed=seed).nodes[0] for seed in range(n_samples)]
    frequencies = np.bincount(first, minlength=graph.n_nodes) / n_samples
    assert (np.abs(frequencies - expected) <= 5 * np.sqrt(expected / n_samples)).all()


def test_growing_in_steps_equals_growing_at_once(general_matrix):
    at_once = sketch_of(general_matrix, size=50, width=16)
    in_steps = sketch_of(general_matrix, size=9, width=16)
    before = in_steps.gram
    for size in (9, 33, 50):
        in_steps.grow(size, None)
    np.testing.assert_array_equal(in_steps.nodes, at_once.nodes)
    np.testing.assert_array_equal(in_steps.gram[:9, :9], before)
    np.testing.assert_allclose(in_steps.gram, at_once.gram, rtol=1e-5)
    assert in_steps.size == at_once.size == 50


def test_growing_to_a_smaller_size_changes_nothing(symmetric_matrix):
    sketch = sketch_of(symmetric_matrix, size=12)
    gram, columns = sketch.gram.copy(), sketch.combine(np.eye(12))
    sketch.grow(5, None)
    assert sketch.size == 12
    np.testing.assert_array_equal(sketch.gram, gram)
    np.testing.assert_array_equal(sketch.combine(np.eye(12)), columns)


def test_columns_are_computed_once(symmetric_matrix, monkeypatch):
    computed = []
    columns = ResidualMatrix.columns
    monkeypatch.setattr(ResidualMatrix, "columns", lambda self, nodes: computed.extend(nodes) or columns(self, nodes))
    sketch = sketch_of(symmetric_matrix, size=10)
    sketch.grow(25, None)
    np.testing.assert_array_equal(np.sort(computed), np.sort(sketch.nodes[:25]))


def test_tiles_beyond_the_budget_are_on_disk_and_have_the_same_values(symmetric_matrix):
    in_memory = sketch_of(symmetric_matrix, size=20)
    with Store() as store:
        # The budget of 10 columns fits two tiles of 4 columns.
        on_disk = sketch_of(symmetric_matrix, size=20, budget=10 * 4 * 700, store=store)
        saved = {path.name for path in store._place().glob("*.npy")}
        assert saved == {"columns-8-12.npy", "columns-12-16.npy", "columns-16-20.npy"}
        np.testing.assert_array_equal(on_disk.gram, in_memory.gram)
        np.testing.assert_array_equal(on_disk.combine(np.eye(20)), in_memory.combine(np.eye(20)))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("size", "rank"), [(60, 20), (60, 60), (1, 1)])
def test_basis_is_orthonormal(general_matrix, side, size, rank):
    sketch = sketch_of(general_matrix, side, size=60, width=16)
    B = sketch.basis(size, rank)
    assert B.shape == (size, rank)
    Q = dense_columns(general_matrix, side, sketch.nodes[:size]) @ B
    np.testing.assert_allclose(Q.T @ Q, np.eye(rank), atol=1e-3)


def test_basis_spans_almost_the_best_subspace_of_its_rank(matrix):
    sketch = sketch_of(matrix, size=120, width=32)
    C = dense_columns(matrix, "columns", sketch.nodes[:120])
    Q = C @ sketch.basis(120, 30)
    values = np.linalg.svd(C, compute_uv=False)
    error = np.linalg.norm(C - Q @ (Q.T @ C))
    assert error < 1.05 * np.sqrt(np.sum(values[30:] ** 2))
    leading = np.linalg.svd(C)[0][:, :5]
    np.testing.assert_allclose(Q @ (Q.T @ leading), leading, atol=1e-2)


def test_basis_drops_directions_that_the_columns_do_not_have():
    # Nodes of a complete bipartite graph have the same column as the other nodes of their side.
    sides = np.kron(np.array([[0, 1], [1, 0]]), np.ones((8, 8)))
    matrix = matrix_of(Graph(sides))
    sketch = sketch_of(matrix, size=12)
    C = dense_columns(matrix, "columns", sketch.nodes[:12])
    assert np.linalg.matrix_rank(C, tol=1e-4) == 2
    B = sketch.basis(12, 6)
    assert B.shape == (12, 2)
    np.testing.assert_allclose((C @ B).T @ (C @ B), np.eye(2), atol=1e-4)


@pytest.mark.parametrize("scale", [1e-12, 1e12])
def test_sketch_does_not_depend_on_the_scale_of_the_weights(scale):
    graph = CASES["weighted"]
    plain, scaled = (sketch_of(matrix_of(g), size=10) for g in (graph, Graph(scale * graph.adjacency)))
    np.testing.assert_array_equal(scaled.nodes, plain.nodes)
    np.testing.assert_allclose(scaled.gram, plain.gram, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("weighting", [0.0, 0.7])
@pytest.mark.parametrize("case", ["weighted", "directed", "isolated nodes"])
def test_variation_is_the_squared_distance_from_the_best_constant_level(case, weighting, side):
    matrix = matrix_of(CASES[case], weighting=weighting)
    sketch = sketch_of(matrix, side, size=12)
    C = dense_columns(matrix, side, sketch.nodes[:12])
    down, across = matrix.row_scale, matrix.column_scale
    if side == "rows":
        down, across = across, down
    for which in (slice(0, 12), slice(5, 12), slice(3, 4)):
        level = np.outer(down, across[sketch.nodes[:12][which]]).ravel()[:, None]
        residual = np.linalg.lstsq(level, C[:, which].ravel(), rcond=None)[1]
        np.testing.assert_allclose(sketch.variation(which), residual[0], rtol=1e-4, atol=1e-3)


def test_progress_counts_columns(symmetric_matrix):
    events = []
    sketch = sketch_of(symmetric_matrix, width=4)
    sketch.grow(10, Stage("columns", 10, events.append))
    assert [event.done for event in events] == [0, 4, 8, 10]
