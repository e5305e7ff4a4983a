import numpy as np
import pytest

from residuum.solvers import Problem, Workspace
from residuum.solvers.all_columns import factorize_all, operations, tiled

PLENTY = 1 << 30


def test_the_factors_are_those_of_the_dense_matrix_from_any_start(matrix, dense_matrix):
    problem = Problem.of(matrix, 10, PLENTY)
    expected = np.linalg.svd(dense_matrix, compute_uv=False)[:10]
    for columns in (0, 7):
        start = np.random.default_rng(1).standard_normal((matrix.n_nodes, columns)).astype(np.float32)
        work = Workspace(PLENTY, np.random.default_rng(0))
        factors, details = factorize_all(matrix, start, problem, PLENTY, 1e-4, work)
        np.testing.assert_allclose(factors.values, expected, rtol=1e-3)
        assert details["passes"] == factors.passes
        assert details["tiles_kept"] == 1.0


def test_a_higher_tolerance_takes_no_more_passes_and_reports_a_larger_error(symmetric_matrix):
    problem = Problem.of(symmetric_matrix, 10, PLENTY)
    nothing = np.empty((symmetric_matrix.n_nodes, 0), np.float32)
    fine, coarse = (
        factorize_all(symmetric_matrix, nothing, problem, PLENTY, tolerance, Workspace(PLENTY, None))[0]
        for tolerance in (1e-5, 0.3)
    )
    assert coarse.passes < fine.passes
    assert coarse.lost_share > fine.lost_share


@pytest.mark.parametrize(("kept", "columns"), [(1.0, 400), (0.0, 3 * 400), (0.5, 2 * 400)])
def test_columns_that_are_not_kept_count_once_per_pass(kept, columns):
    problem = Problem(400, 3000, 8, 5, symmetric=True, memory_limit=PLENTY)
    assert operations(problem, kept, 0.0)[1] == 5 * 3000 * columns
    assert operations(problem, kept, 10.0)[1] == 5 * 3000 * (columns + 10)


def test_products_with_the_basis_and_the_matrix_are_counted():
    problem = Problem(400, 3000, 8, 5, symmetric=True, memory_limit=PLENTY)
    width, passes = 8 + 16, 3
    expected = [1.0, 5 * 3000 * 400, 400 * width**2, passes * 400 * 400 * width]
    np.testing.assert_array_equal(operations(problem, 1.0, 0.0), expected)


def test_tiles_beyond_the_spare_memory_are_not_kept(symmetric_matrix):
    problem, size = Problem.of(symmetric_matrix, 10, PLENTY), 4 * symmetric_matrix.n_nodes**2
    work = Workspace(PLENTY, None)
    shares = [tiled(symmetric_matrix, problem, spare, work).kept_share for spare in (0, size // 2, 9 * size)]
    assert shares[0] == 0.0
    assert shares[1] <= 0.5 + problem.tile_bytes[0] / size
    assert shares[2] == 1.0
