"""Walks in stripes of a graph record the contexts of walks in the whole graph."""

import itertools

import numpy as np
import pytest
from scipy import sparse

from residuum._kernels.alias import alias_of
from residuum._kernels.contexts import walk_contexts
from residuum._kernels.walkers import WALKER, start_walkers, walk_inside

N = 30
SEED = np.uint64(5)
KEEP = np.array([1.0, 0.8, 0.8, 0.5, 0.2, 0.1])
LAST = np.array([max(np.flatnonzero(level < KEEP) + 1, default=0) for level in np.arange(64) / 64])


def graph(weighted):
    rng = np.random.default_rng(0)
    A = (rng.random((N, N)) < 0.15) * (rng.random((N, N)) if weighted else 1.0)
    A[7] = 0
    matrix = sparse.csr_array(A)
    return matrix, matrix.data if weighted else matrix.data[:0]


def in_whole(matrix, weights, n_walks, stride):
    contexts, borders = np.empty(N * 40 * len(KEEP), dtype=np.int32), np.empty(N + 1, dtype=np.int64)
    tables = alias_of(matrix.indptr, weights)
    walk_contexts(
        np.arange(N), n_walks, KEEP, LAST, stride, SEED, matrix.indptr, matrix.indices, *tables, contexts, borders
    )
    rows = np.repeat(np.arange(N), np.diff(borders))
    return sorted(zip(rows.tolist(), contexts[: borders[-1]].tolist(), strict=True))


def in_stripes(matrix, weighted, n_walks, stride, bounds):
    waiting, pairs = [], []
    stripes = []
    for first, end in itertools.pairwise(bounds):
        part = matrix[first:end]
        stripe = part.indptr, part.indices, *alias_of(part.indptr, part.data if weighted else part.data[:0])
        stripes.append((first, end, stripe))
        nodes = np.arange(first, end)
        walkers = np.empty(n_walks[nodes].sum(), dtype=WALKER)
        count = start_walkers(nodes, nodes, first, n_walks[nodes], KEEP, LAST, stride, SEED, *stripe, walkers)
        waiting.append(walkers[:count])
    waiting = np.concatenate(waiting)
    rounds = 0
    while len(waiting):
        left = []
        for first, end, stripe in stripes:
            here = waiting[(waiting["here"] >= first) & (waiting["here"] < end)]
            leaving, rows, contexts = np.empty(len(here), dtype=WALKER), *np.empty((2, 10_000), dtype=np.int64)
            n_leaving, n_recorded = walk_inside(here, first, KEEP, stride, *stripe, leaving, rows, contexts)
            left.append(leaving[:n_leaving])
            pairs += zip(rows[:n_recorded].tolist(), contexts[:n_recorded].tolist(), strict=True)
        waiting = np.concatenate(left)
        rounds += 1
    return sorted(pairs), rounds


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("stride", [1, 2])
def test_walks_in_stripes_record_the_contexts_of_walks_in_the_whole_graph(weighted, stride):
    matrix, weights = graph(weighted)
    n_walks = np.where(np.diff(matrix.indptr) > 0, 20 + np.arange(N) % 20, 0)
    expected = in_whole(matrix, weights, n_walks, stride)
    for bounds in ([0, N], [0, 8, 20, N]):
        pairs, rounds = in_stripes(matrix, weighted, n_walks, stride, bounds)
        assert pairs == expected
        assert rounds <= len(KEEP)
    assert len(expected) > 500
