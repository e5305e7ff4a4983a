import numpy as np
import pytest
from scipy import sparse

from kernel_ranges import over_ranges
from residuum._kernels.products import _CHUNK, _N_CHUNKS, _WORTH_CHUNKS, row_chunks, walk_step

NO_MASK = np.empty(0, dtype=bool)


def random_matrix(n, density, seed=0):
    rng = np.random.default_rng(seed)
    return sparse.csr_array((rng.random((n, n)) < density) * rng.random((n, n)).astype(np.float32))


def step(matrix, scale, X, filled=NO_MASK, n_ranges=1):
    out = np.full(X.shape, np.nan, dtype=np.float32)
    arrays = matrix.indptr, matrix.indices, matrix.data, scale, X, filled, out
    over_ranges(walk_step, *arrays, length=len(out), n_ranges=n_ranges)
    return out


def expected_step(matrix, scale, X):
    return scale[:, None].astype(float) * (matrix.astype(float) @ X.astype(float))


@pytest.mark.parametrize("width", [0, 1, 5])
@pytest.mark.parametrize("density", [0.0, 0.02, 0.5])
def test_a_step_equals_the_product_of_numpy(density, width):
    rng = np.random.default_rng(1)
    matrix = random_matrix(60, density)
    X, scale = rng.normal(size=(60, width)).astype(np.float32), rng.random(60, dtype=np.float32)
    np.testing.assert_allclose(step(matrix, scale, X), expected_step(matrix, scale, X), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("length", [1, 2, 7, 8, 9, 17, _CHUNK - 1, _CHUNK, _CHUNK + 1, 2 * _CHUNK + 3])
def test_rows_of_any_length_are_summed(length):
    rng = np.random.default_rng(length)
    n = 3 * _CHUNK
    matrix = sparse.csr_array(
        (rng.random(length, dtype=np.float32), (np.ones(length, int), rng.permutation(n)[:length])), shape=(n, n)
    )
    X, scale = rng.random((n, 3), dtype=np.float32), np.full(n, 0.5, dtype=np.float32)
    np.testing.assert_allclose(step(matrix, scale, X), expected_step(matrix, scale, X), rtol=1e-5)


def test_skipping_the_zero_rows_of_the_factor_does_not_change_the_step():
    rng = np.random.default_rng(3)
    matrix = random_matrix(80, 0.2)
    filled = rng.random(80) < 0.2
    X = np.where(filled[:, None], rng.random((80, 4), dtype=np.float32), np.float32(0.0))
    scale = rng.random(80, dtype=np.float32)
    np.testing.assert_allclose(step(matrix, scale, X, filled), expected_step(matrix, scale, X), rtol=1e-5)
    # Rows that are marked as zero are not read.
    X[~filled] = np.nan
    assert np.isfinite(step(matrix, scale, X, filled)).all()


def test_long_rows_do_not_lose_small_terms():
    n = 64 * _CHUNK
    matrix = sparse.csr_array(np.ones((1, n), dtype=np.float32))
    X = np.full((n, 1), 1e-4, dtype=np.float32)
    X[0] = 4e4
    out = np.empty((1, 1), dtype=np.float32)
    ones = np.ones(1, dtype=np.float32)
    walk_step(matrix.indptr, matrix.indices, matrix.data, ones, X, NO_MASK, out, 0, 1)
    np.testing.assert_allclose(out[0, 0], X.astype(float).sum(), rtol=5e-6)


def test_the_result_does_not_depend_on_the_ranges():
    rng = np.random.default_rng(0)
    dense = (rng.random((3000, 3000)) < 0.01) * rng.random((3000, 3000)).astype(np.float32)
    dense[7] = rng.random(3000)
    matrix = sparse.csr_array(dense)
    X, scale = rng.random((3000, 5), dtype=np.float32), rng.random(3000, dtype=np.float32)
    once, parts = (step(matrix, scale, X, NO_MASK, n_ranges) for n_ranges in (1, 7))
    np.testing.assert_array_equal(once, parts)
    np.testing.assert_allclose(once, expected_step(matrix, scale, X), rtol=1e-5)


@pytest.mark.parametrize("first", [0, 123])
@pytest.mark.parametrize("lengths", [[100, 0, 1, 1, 1], [0] * 50 + [7], [5] * 400, [1] * 39 + [1000]])
def test_chunks_of_a_large_product_cover_all_rows_and_are_balanced(lengths, first):
    indptr = first + np.concatenate([[0], np.cumsum(lengths)])
    chunks = row_chunks(indptr, _N_CHUNKS * _WORTH_CHUNKS)
    assert len(chunks) == _N_CHUNKS + 1
    assert chunks[0] == 0
    assert chunks[-1] == len(lengths)
    assert (np.diff(chunks) >= 0).all()
    assert np.diff(indptr[chunks]).max() <= sum(lengths) / _N_CHUNKS + max(lengths)


@pytest.mark.parametrize("lengths", [[], [0, 0, 0], [5] * 40])
def test_a_small_product_is_one_chunk(lengths):
    indptr = 123 + np.concatenate([[0], np.cumsum(lengths, dtype=int)])
    width = (_WORTH_CHUNKS - 1) // max(sum(lengths), 1)
    np.testing.assert_array_equal(row_chunks(indptr, width), [0, len(lengths)])


def test_the_number_of_operations_may_exceed_the_integers_of_the_graph():
    indptr = np.linspace(0, 2**30, 101).astype(np.int32)
    assert len(row_chunks(indptr, 64)) == _N_CHUNKS + 1
