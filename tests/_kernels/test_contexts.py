"""Contexts of walks, compared with exact window probabilities."""

import numpy as np
import pytest
from scipy import sparse

import dense_reference as dense
from residuum._kernels.alias import alias_of
from residuum._kernels.contexts import walk_contexts

N = 6
WEIGHTS = np.array(
    [
        [0.0, 1, 3, 0, 0, 1],
        [2, 0, 1, 0, 0, 0],
        [1, 1, 0, 2, 0, 0],
        [0, 0, 1, 0, 4, 0],
        [0, 0, 0, 1, 0, 1],
        [5, 0, 0, 0, 1, 0],
    ]
)


def sample(keep, stride=1, n_walks=40_000, seed=1, nodes=None, weights=WEIGHTS):
    matrix = sparse.csr_array(weights)
    keep = np.asarray(keep, dtype=float)
    nodes = np.arange(N) if nodes is None else np.asarray(nodes)
    levels = np.arange(64) / 64
    last = np.array([max(np.flatnonzero(keep > level) + 1, default=0) for level in levels])
    walks = np.full(N, n_walks)
    contexts = np.full(len(nodes) * n_walks * len(keep), -1, dtype=np.int32)
    borders = np.empty(len(nodes) + 1, dtype=np.int64)
    walk_contexts(
        nodes, walks, keep, last, stride, np.uint64(seed), matrix.indptr, matrix.indices,
        *alias_of(matrix.indptr, matrix.data), contexts, borders,
    )  # fmt: skip
    return contexts, borders


def frequencies(contexts, borders, n_walks=40_000):
    return np.stack(
        [np.bincount(contexts[borders[r] : borders[r + 1]], minlength=N) / n_walks for r in range(len(borders) - 1)]
    )


@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize("keep", [[1.0, 1.0, 1.0], [1.0, 0.6, 0.3, 0.1], [0.2, 1.0, 0.0, 0.5], [1.0]])
def test_contexts_have_the_probabilities_of_all_steps_but_the_first(keep, stride):
    P = dense.step_matrix(WEIGHTS)
    expected = sum(
        (k / stride * np.linalg.matrix_power(P, t) for t, k in enumerate(keep, start=1) if t > 1), np.zeros((N, N))
    )
    contexts, borders = sample(keep, stride)
    np.testing.assert_allclose(frequencies(contexts, borders), expected, atol=0.012)


@pytest.mark.parametrize("stride", [1, 2])
def test_a_walk_ends_at_a_node_without_out_edges(stride):
    keep = [1.0, 0.7, 0.4]
    dangling = WEIGHTS * (np.arange(N) != 2)[:, None]
    P = dense.step_matrix(dangling)
    expected = sum(keep[t - 1] * np.linalg.matrix_power(P, t) for t in (2, 3)) / stride
    nodes = [0, 1, 3, 4, 5]
    contexts, borders = sample(keep, stride, weights=dangling, nodes=nodes)
    np.testing.assert_allclose(frequencies(contexts, borders), expected[nodes], atol=0.012)


def test_the_first_steps_of_few_walks_are_spread_evenly_over_the_edges():
    star = np.zeros((N, N))
    star[0, 1:] = star[1:, 0] = 1.0
    star[np.arange(1, N), np.arange(1, N)] = 1e12  # leaves keep their walkers
    contexts, borders = sample([1.0, 1.0], n_walks=10, weights=np.where(star > 1, 1e12, star), nodes=[0])
    assert (np.bincount(contexts[: borders[1]], minlength=N)[1:] > 0).all()


def test_the_contexts_of_a_node_do_not_depend_on_the_other_nodes():
    alone, borders = sample([1.0, 0.5, 0.2], n_walks=50, nodes=[3])
    contexts, all_borders = sample([1.0, 0.5, 0.2], n_walks=50)
    np.testing.assert_array_equal(alone[: borders[1]], contexts[all_borders[3] : all_borders[4]])


def test_other_seeds_give_other_contexts():
    first, second = (sample([1.0, 1.0], n_walks=50, seed=seed)[0] for seed in (1, 2))
    assert (first != second).any()
