import numpy as np
import pytest

from graph_cases import graph_cases
from residuum import Graph
from residuum._checkpoint import Store
from residuum._progress import Stage
from residuum.nulls import Configuration
from residuum.residual import ResidualMatrix
from residuum.solvers import Workspace
from residuum.solvers.sketch import Sketch, SketchOperator, common_level, leading_of_gram
from residuum.walks import WindowProbabilities

CASES = graph_cases()
SIDES = ["columns", "rows"]
PLENTY = 1 << 30


def matrix_of(graph, *, floor=-2.0, weighting=0.0):
    null = Configuration().fit(graph, 3)
    return ResidualMatrix(WindowProbabilities(graph, 3), null, floor, weighting)


def sketch_of(matrix, side="columns", *, level=0.0, size=0, width=4, budget=PLENTY, seed=0, store=None):
    work = Workspace(PLENTY, np.random.default_rng(seed), store or Store())
    sketch = Sketch(matrix, side, level, work, budget, width)
    sketch.grow(size, None)
    return sketch


def dense_columns(matrix, side, nodes, level=0.0):
    """Return the constant direction and the centered columns."""
    columns = (matrix.columns(nodes) if side == "columns" else matrix.rows(nodes).T).astype(float)
    scales = [scale.astype(float) for scale in (matrix.row_scale, matrix.column_scale)]
    down, across = scales if side == "columns" else scales[::-1]
    return np.concatenate([down[:, None], columns - level * np.outer(down, across[nodes])], axis=1)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("case", CASES)
def test_gram_matrix_and_rows_match_the_dense_columns(case, side):
    matrix = matrix_of(CASES[case])
    sketch = sketch_of(matrix, side, level=-0.5, size=11)
    C = dense_columns(matrix, side, sketch.nodes[:11], level=-0.5)
    np.testing.assert_allclose(sketch.gram, C.T @ C, rtol=1e-5, atol=1e-4)
    np.testing.assert_allclose(sketch.at(np.array([3, 0, 7]), 5), C[[3, 0, 7], :6], atol=1e-6)
    assert sketch.gram.dtype == sketch.at(np.array([0]), 1).dtype == np.float64


@pytest.mark.parametrize("side", SIDES)
def test_combine_is_the_product_with_the_dense_columns(general_matrix, side):
    sketch = sketch_of(general_matrix, side, size=30, width=7)
    C = dense_columns(general_matrix, side, sketch.nodes[:30])
    rng = np.random.default_rng(1)
    for size in (1, 7, 8, 30):
        coefficients = rng.standard_normal((1 + size, 3))
        product = sketch.combine(coefficients)
        assert product.dtype == np.float32
        np.testing.assert_allclose(product, C[:, : 1 + size] @ coefficients, rtol=1e-4, atol=1e-3)


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
    np.testing.assert_array_equal(in_steps.gram[:10, :10], before)
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
        np.testing.assert_array_equal(on_disk.combine(np.eye(21)), in_memory.combine(np.eye(21)))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("size", "rank"), [(60, 20), (60, 60), (1, 1)])
def test_basis_is_orthonormal(general_matrix, side, size, rank):
    sketch = sketch_of(general_matrix, side, size=60, width=16)
    B = sketch.basis(size, rank)
    assert B.shape == (1 + size, 1 + rank)
    Q = dense_columns(general_matrix, side, sketch.nodes[:size]) @ B
    np.testing.assert_allclose(Q.T @ Q, np.eye(1 + rank), atol=1e-3)


def test_basis_spans_almost_the_best_subspace_of_its_rank(matrix):
    sketch = sketch_of(matrix, size=120, width=32)
    C = dense_columns(matrix, "columns", sketch.nodes[:120])
    Q = C @ sketch.basis(120, 30)
    C = C[:, 1:]
    values = np.linalg.svd(C, compute_uv=False)
    error = np.linalg.norm(C - Q @ (Q.T @ C))
    assert error < 1.001 * np.sqrt(np.sum(values[30:] ** 2))
    leading = np.linalg.svd(C)[0][:, :5]
    np.testing.assert_allclose(Q @ (Q.T @ leading), leading, atol=1e-4)


def test_basis_drops_directions_that_the_columns_do_not_have():
    # Nodes of a complete bipartite graph have the same column as the other nodes of their side.
    sides = np.kron(np.array([[0, 1], [1, 0]]), np.ones((8, 8)))
    matrix = matrix_of(Graph(sides))
    sketch = sketch_of(matrix, size=12)
    C = dense_columns(matrix, "columns", sketch.nodes[:12])
    assert np.linalg.matrix_rank(C, tol=1e-4) == 2
    B = sketch.basis(12, 6)
    assert B.shape == (13, 2)
    np.testing.assert_allclose((C @ B).T @ (C @ B), np.eye(2), atol=1e-4)


@pytest.mark.parametrize("scale", [1e-12, 1e12])
def test_sketch_does_not_depend_on_the_scale_of_the_weights(scale):
    graph = CASES["weighted"]
    plain, scaled = (sketch_of(matrix_of(g), size=10) for g in (graph, Graph(scale * graph.adjacency)))
    np.testing.assert_array_equal(scaled.nodes, plain.nodes)
    np.testing.assert_allclose(scaled.gram, plain.gram, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("case", CASES)
def test_common_level_is_that_of_the_floor_where_almost_all_pairs_are_at_the_floor(case):
    matrix = matrix_of(CASES[case], floor=-2.0)
    dense_matrix = matrix.columns(np.arange(matrix.n_nodes)).astype(float)
    assert dense_matrix.min() <= common_level(matrix) <= dense_matrix.max()
    matching = Graph(np.kron(np.eye(200), [[0, 1], [1, 0]]))
    assert common_level(matrix_of(matching, floor=-2.0)) == pytest.approx(-2.0, abs=0.05)


@pytest.mark.parametrize("case", ["weighted", "directed", "isolated nodes", "dangling nodes"])
def test_operator_of_a_complete_sketch_is_the_matrix(case):
    matrix = matrix_of(CASES[case], weighting=0.5)
    sketch = sketch_of(matrix, level=-1.0, size=matrix.n_nodes)
    operator = SketchOperator(sketch, matrix.symmetric)
    X = np.random.default_rng(0).standard_normal((matrix.n_nodes, 3)).astype(np.float32)
    dense_matrix = matrix.columns(np.arange(matrix.n_nodes))
    np.testing.assert_allclose(operator.matmat(X), dense_matrix @ X, atol=1e-4)
    np.testing.assert_allclose(operator.rmatmat(X), dense_matrix.T @ X, atol=1e-4)
    inner = operator.rmatmat(X)
    np.testing.assert_array_equal(operator.gram(X), np.concatenate([inner, operator.matmat(inner)], axis=1))


def test_large_gram_matrices_have_the_same_leading_eigenpairs(monkeypatch):
    X = np.random.default_rng(0).standard_normal((300, 120)) * 0.9 ** np.arange(120)
    direct = leading_of_gram(X.T @ X, 20)
    monkeypatch.setattr("residuum.solvers.sketch._DIRECT_SIZE", 10)
    values, vectors = leading_of_gram(X.T @ X, 20)
    np.testing.assert_allclose(values, direct[0], rtol=1e-4)
    np.testing.assert_allclose(np.abs(np.sum(vectors[:, :10] * direct[1][:, :10], axis=0)), 1.0, atol=1e-4)


def test_n10_basis_keeps_directions_far_below_the_common_level():
    # The constant part of the matching is 200 times as large as all others.
    matching = Graph(np.kron(np.eye(2000), [[0, 1], [1, 0]]))
    matrix = matrix_of(matching, floor=-3.0)
    sketch = sketch_of(matrix, level=common_level(matrix), size=100, width=50)
    assert sketch.basis(100, 60).shape == (101, 61)


def test_progress_counts_columns(symmetric_matrix):
    events = []
    sketch = sketch_of(symmetric_matrix, width=4)
    sketch.grow(10, Stage("columns", 10, events.append))
    assert [event.done for event in events] == [0, 4, 8, 10]


@pytest.mark.parametrize("side", SIDES)
def test_tiles_one_by_one_have_the_same_bits(general_matrix, side):
    work = [Workspace(PLENTY, np.random.default_rng(0), Store()) for _ in range(2)]
    first, second = (
        Sketch(general_matrix, side, -0.5, work, PLENTY, 16, one_by_one=one_by_one)
        for work, one_by_one in zip(work, (False, True), strict=True)
    )
    first.grow(40, None)
    second.grow(40, None)
    np.testing.assert_array_equal(first.gram, second.gram)


@pytest.mark.parametrize("case", CASES)
def test_gram_matrix_of_ranges_of_rows_equals_that_of_all_rows(case, monkeypatch):
    matrix = matrix_of(CASES[case])
    expected = sketch_of(matrix, level=-0.5, size=11).gram
    monkeypatch.setattr("residuum.solvers.sketch._ALIGNED", 4)
    monkeypatch.setattr("residuum.solvers.sketch._GRAM_BYTES", 0)
    sketch = sketch_of(matrix, level=-0.5, size=5)
    sketch.grow(11, None)
    np.testing.assert_allclose(sketch.gram, expected, rtol=1e-6, atol=1e-6)
