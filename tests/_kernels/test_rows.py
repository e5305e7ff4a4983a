import itertools

import numpy as np
import pytest
from scipy import sparse

from kernel_ranges import over_ranges
from residuum._kernels.rows import (
    add_between_groups,
    add_strengths,
    add_transposed,
    asymmetric_entry,
    copy_ranges,
    count_components,
    fill_transposed,
    first_entries,
    invalid_entry,
    merge_sorted,
    stable_order,
    sum_of_hashes,
    sum_of_rows,
)


def random_matrix(n=12, density=0.3, seed=0):
    rng = np.random.default_rng(seed)
    return sparse.csr_array((rng.random((n, n)) < density) * rng.random((n, n)))


def rows_of(matrix, first, last):
    begin, end = matrix.indptr[first], matrix.indptr[last]
    return matrix.indptr[first : last + 1].astype(np.int64) - begin, matrix.indices[begin:end], matrix.data[begin:end]


@pytest.mark.parametrize("density", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("bounds", [[0, 12], [0, 5, 5, 12]])
def test_strengths_equal_the_sums_of_rows_and_columns(bounds, density):
    matrix = random_matrix(density=density)
    out_strength, in_strength, n_loops = np.zeros(12), np.zeros(12), 0
    for first, last in itertools.pairwise(bounds):
        starts, columns, weights = rows_of(matrix, first, last)
        n_loops += add_strengths(first, np.diff(starts), columns, weights, out_strength, in_strength)
    np.testing.assert_allclose(out_strength, matrix.sum(axis=1))
    np.testing.assert_allclose(in_strength, matrix.sum(axis=0))
    assert n_loops == np.count_nonzero(matrix.diagonal())


@pytest.mark.parametrize(("first", "last"), [(0, 12), (4, 9), (5, 5)])
def test_columns_are_those_of_the_transpose(first, last):
    matrix = random_matrix()
    starts, columns, weights = rows_of(sparse.csr_array(matrix.T), first, last)
    place, out_rows, out_weights = starts[:-1].copy(), np.empty_like(columns), np.empty_like(weights)
    fill_transposed(matrix.indptr, matrix.indices, matrix.data, first, last, place, out_rows, out_weights)
    np.testing.assert_array_equal(out_rows, columns)
    np.testing.assert_array_equal(out_weights, weights)
    np.testing.assert_array_equal(place, starts[1:])


@pytest.mark.parametrize("density", [0.0, 0.3, 1.0])
@pytest.mark.parametrize(("first", "last"), [(0, 12), (3, 8), (6, 6)])
def test_a_matrix_and_its_transpose_are_added_with_the_diagonal_once(first, last, density):
    matrix = random_matrix(density=density)
    reverse = sparse.csr_array(matrix.T)
    expected = sparse.csr_array(matrix + reverse - sparse.diags_array(matrix.diagonal()))
    expected.eliminate_zeros()
    expected_starts, expected_columns, expected_weights = rows_of(expected, first, last)
    rows, reverse_rows = rows_of(matrix, first, last), rows_of(reverse, first, last)
    room = len(rows[1]) + len(reverse_rows[1])
    columns, weights = np.empty(room, dtype=np.int32), np.empty(room)
    lengths = add_transposed(first, rows, reverse_rows, columns, weights)
    np.testing.assert_array_equal(lengths, np.diff(expected_starts))
    np.testing.assert_array_equal(columns[: lengths.sum()], expected_columns)
    np.testing.assert_allclose(weights[: lengths.sum()], expected_weights)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("density", [0.0, 0.005, 0.01, 0.02, 0.2])
def test_components_are_those_of_scipy(density, directed):
    for seed in range(5):
        matrix = random_matrix(100, density, seed)
        if not directed:
            matrix = sparse.csr_array(matrix + matrix.T)
        expected, _ = sparse.csgraph.connected_components(matrix, connection="weak")
        assert count_components(matrix.indptr, matrix.indices, np.arange(matrix.shape[0])) == expected


def test_a_long_path_is_one_connected_component_in_any_direction():
    for target in (np.arange(1, 2000), np.arange(1999)):
        source = np.arange(1999) + np.arange(1, 2000) - target
        matrix = sparse.csr_array((np.ones(1999), (source, target)), shape=(2000, 2000))
        assert count_components(matrix.indptr, matrix.indices, np.arange(matrix.shape[0])) == 1


@pytest.mark.parametrize("size", [0, 1, 200])
def test_the_order_equals_a_stable_argsort(size):
    rng = np.random.default_rng(size)
    keys, order = rng.integers(7, size=size).astype(np.int32), rng.permutation(size).astype(np.int32)
    expected = order[np.argsort(keys[order], kind="stable")]
    result = stable_order(keys, 7, order)
    np.testing.assert_array_equal(result, expected)
    assert result.dtype == np.int32


@pytest.mark.parametrize("size", [0, 1, 300])
def test_merged_entries_equal_the_sum_of_duplicates(size):
    rng = np.random.default_rng(size)
    rows, columns = rng.integers(9, size=(2, size)).astype(np.int32)
    weights = rng.integers(-2, 3, size=size).astype(float)
    dense = np.zeros((9, 9))
    np.add.at(dense, (rows, columns), weights)
    expected = sparse.csr_array(dense)
    order = np.lexsort((columns, rows)).astype(np.int32)
    out_columns, out_weights = np.empty(size, dtype=np.int32), np.empty(size)
    lengths = merge_sorted(order, rows, columns, weights, 9, out_columns, out_weights)
    np.testing.assert_array_equal(lengths, np.diff(expected.indptr))
    np.testing.assert_array_equal(out_columns[: lengths.sum()], expected.indices)
    np.testing.assert_array_equal(out_weights[: lengths.sum()], expected.data)


def between_groups(matrix, factor, groups, n_groups, n_ranges=1):
    members = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[members], np.arange(n_groups + 1))
    out = np.full((n_groups, n_groups), np.nan)
    arrays = matrix.indptr, matrix.indices, matrix.data, factor, groups, members, starts, out
    over_ranges(add_between_groups, *arrays, length=n_groups, n_ranges=n_ranges)
    return out


@pytest.mark.parametrize("n_groups", [1, 4, 12])
@pytest.mark.parametrize("density", [0.0, 0.3])
def test_weights_between_groups_equal_the_dense_product(density, n_groups):
    rng = np.random.default_rng(1)
    matrix, factor = random_matrix(density=density), rng.random(12)
    groups = rng.integers(n_groups, size=12).astype(np.int32)
    member = np.eye(n_groups)[groups]
    expected = member.T @ (factor[:, None] * matrix.toarray()) @ member
    np.testing.assert_allclose(between_groups(matrix, factor, groups, n_groups), expected, atol=1e-15)


def test_weights_between_groups_do_not_depend_on_the_ranges():
    rng = np.random.default_rng(2)
    matrix, factor = random_matrix(200, 0.1), rng.random(200)
    groups = rng.integers(7, size=200).astype(np.int32)
    once, parts = (between_groups(matrix, factor, groups, 7, n_ranges) for n_ranges in (1, 3))
    np.testing.assert_array_equal(once, parts)


def test_the_first_entry_that_is_not_canonical_is_found():
    matrix = random_matrix()
    assert invalid_entry(matrix.indptr, matrix.indices, matrix.data) == -1
    for entry, weight in ((3, np.nan), (5, -1.0), (7, np.inf), (0, 0.0)):
        weights = matrix.data.copy()
        weights[entry] = weight
        assert invalid_entry(matrix.indptr, matrix.indices, weights) == entry
    for entry, column in ((4, 12), (2, -1)):
        columns = matrix.indices.copy()
        columns[entry] = column
        assert invalid_entry(matrix.indptr, columns, matrix.data) == entry


def test_the_first_entry_without_its_reverse_is_found():
    matrix = random_matrix()
    arrays = (matrix.indptr, matrix.indices, matrix.data)
    reverse = sparse.csr_array(matrix.T)
    assert asymmetric_entry(*arrays, reverse.indptr, reverse.indices, reverse.data, 0.0, 0.0) == -1
    changed = matrix.data.copy()
    changed[6] *= 1 + 1e-8
    other = (reverse.indptr, reverse.indices, reverse.data)
    assert asymmetric_entry(matrix.indptr, matrix.indices, changed, *other, 0.0, 0.0) == 6
    assert asymmetric_entry(matrix.indptr, matrix.indices, changed, *other, 1e-6, 0.0) == -1
    wider = sparse.csr_array(matrix.T + 1e-9 * np.ones((12, 12)))
    assert asymmetric_entry(*arrays, wider.indptr, wider.indices, wider.data, 0.0, 0.0) >= 0
    assert asymmetric_entry(*arrays, wider.indptr, wider.indices, wider.data, 0.0, 1e-8) == -1


def test_hashes_of_a_transpose_have_the_same_sum_and_those_of_any_other_matrix_have_not():
    matrix, key = random_matrix(), np.uint64(12345)

    def total(matrix, transposed):
        return sum_of_hashes(matrix.indptr, matrix.indices, matrix.data.view(np.uint64), key, transposed, 0, 12)

    reverse = sparse.csr_array(matrix.T)
    expected = total(matrix, False)
    assert total(reverse, True) == expected
    assert total(matrix, True) != expected
    for entry in range(reverse.nnz):
        changed = reverse.copy()
        changed.data[entry] = np.nextafter(changed.data[entry], np.inf)
        assert total(changed, True) != expected
    swapped = reverse.copy()
    swapped.data[[0, 1]] = swapped.data[[1, 0]]
    assert total(swapped, True) != expected


@pytest.mark.parametrize("density", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("bounds", [(0, 12), (0, 5, 6, 12)])
def test_ranges_of_columns_are_the_blocks_of_a_matrix(bounds, density):
    matrix = random_matrix(density=density)
    begins = matrix.indptr[:-1].astype(np.int64)
    for low, high in itertools.pairwise(bounds):
        ends = np.empty_like(begins)
        first_entries(begins, matrix.indptr[1:], matrix.indices, high, ends)
        expected = sparse.csr_array(matrix[:, low:high])
        np.testing.assert_array_equal(ends - begins, np.diff(expected.indptr))
        columns, weights = np.empty_like(expected.indices), np.empty_like(expected.data)
        copy_ranges(begins, ends, matrix.indices, matrix.data, low, columns, weights)
        np.testing.assert_array_equal(columns, expected.indices)
        np.testing.assert_array_equal(weights, expected.data)
        begins = ends
    np.testing.assert_array_equal(begins, matrix.indptr[1:])


def test_rows_are_summed_in_float64():
    matrix = random_matrix(density=0.5)
    weights = (1e7 * matrix.data).astype(np.float32)
    sums = np.full((12, 3), np.nan)
    sum_of_rows(np.diff(matrix.indptr).astype(np.int64), weights, sums)
    rows = np.repeat(np.arange(12), np.diff(matrix.indptr))
    wide = weights.astype(np.float64)
    expected = [np.bincount(rows, values, 12) for values in (wide, wide**2, np.ones(len(wide)))]
    np.testing.assert_array_equal(sums, np.stack(expected, axis=1))
