import math

import numpy as np
import pytest

from kernel_ranges import over_ranges
from residuum._kernels.alias import alias_of
from residuum._kernels.drawing import SAMPLES_PER_STREAM, draw_contexts

NO_TABLES = np.empty(0, dtype=np.float32), np.empty(0, dtype=np.int32)
N = 9
GROUPS = np.array([0, 1, 0, 2, 1, 1, 0, 2, 1], dtype=np.int32)
THETA = np.array([0.2, 0.1, 0.8, 1.0, 0.0, 0.6, 0.0, 0.0, 0.3])
WEIGHTS = np.array([[0.5, 0.3, 0.2], [0.0, 1.0, 0.0], [0.2, 0.2, 0.6]])


def members(theta):
    """Return the nodes with a positive θ, sorted by group, and the boundaries of the groups."""
    order = np.argsort(GROUPS, kind="stable")
    order = order[theta[order] > 0]
    return order, np.searchsorted(GROUPS[order], np.arange(4)).astype(np.int64)


def block_tables(*, even=False):
    """Return the tables of ``P_0(j | i) = θ_j W[g_i, g_j]``, and P_0 as a dense matrix."""
    theta = THETA
    if even:
        theta = (THETA > 0) / np.bincount(GROUPS, THETA > 0)[GROUPS]
    order, borders = members(theta)
    choice = alias_of(np.arange(4) * 3, WEIGHTS.ravel())
    inner = NO_TABLES if even else alias_of(borders, theta[order])
    return (GROUPS, *choice, order.astype(np.int32), borders, *inner), theta * WEIGHTS[GROUPS][:, GROUPS]


def contexts_of(tables, centers, seed=3, n_ranges=1):
    contexts = np.full(len(centers), -1, dtype=np.int64)
    arrays = np.asarray(centers, dtype=np.int64), np.uint64(seed), *tables, contexts
    over_ranges(draw_contexts, *arrays, length=math.ceil(len(centers) / SAMPLES_PER_STREAM), n_ranges=n_ranges)
    return contexts


@pytest.mark.parametrize("even", [False, True])
@pytest.mark.parametrize("center", range(4))
def test_contexts_have_the_frequencies_of_the_null_model(center, even):
    tables, dense = block_tables(even=even)
    np.testing.assert_allclose(dense.sum(axis=1), 1.0)
    n, expected = 20_000, dense[center]
    frequency = np.bincount(contexts_of(tables, np.full(n, center)), minlength=N) / n
    assert not frequency[expected == 0].any()
    assert (np.abs(frequency - expected) <= 5 * np.sqrt(expected * (1 - expected) / n) + 1e-12).all()


def test_a_single_group_needs_no_table_of_groups():
    theta = np.array([0.5, 0.0, 0.2, 0.3])
    order = np.flatnonzero(theta).astype(np.int32)
    inner = alias_of(np.array([0, 3]), theta[order])
    tables = (np.zeros(4, np.int32), *NO_TABLES, order, np.array([0, 3]), *inner)
    n = 20_000
    frequency = np.bincount(contexts_of(tables, np.arange(n) % 4), minlength=4) / n
    np.testing.assert_allclose(frequency, theta, atol=5 * np.sqrt(0.25 / n))
    assert frequency[1] == 0


def test_no_centers_have_no_contexts():
    assert contexts_of(block_tables()[0], []).shape == (0,)


def test_further_centers_do_not_change_the_first_contexts():
    tables, _ = block_tables()
    size = SAMPLES_PER_STREAM
    centers = np.arange(2 * size + 10) % 4
    contexts = contexts_of(tables, centers)
    np.testing.assert_array_equal(contexts[: size + 5], contexts_of(tables, centers[: size + 5]))
    assert (contexts[:size] != contexts[size : 2 * size]).mean() > 0.3


def test_seeds_give_different_contexts():
    tables, _ = block_tables()
    centers = np.zeros(1000, dtype=np.int64)
    assert (contexts_of(tables, centers, seed=3) != contexts_of(tables, centers, seed=4)).mean() > 0.3


def test_the_result_does_not_depend_on_the_ranges():
    tables, _ = block_tables()
    centers = np.arange(5 * SAMPLES_PER_STREAM + 3) % N
    once, parts = (contexts_of(tables, centers, n_ranges=n_ranges) for n_ranges in (1, 4))
    np.testing.assert_array_equal(once, parts)
    assert (once >= 0).all()
