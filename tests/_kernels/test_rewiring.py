from collections import Counter

import numpy as np
import pytest

from residuum._kernels.rewiring import _remove, _slot, swap_edges

N = 30


def random_edges(directed, seed=0, n_nodes=N, density=0.15):
    A = np.random.default_rng(seed).random((n_nodes, n_nodes)) < density
    np.fill_diagonal(A, False)
    return tuple(axis.astype(np.int64) for axis in np.nonzero(A if directed else np.triu(A)))


def rewired(edges, directed, n_swaps, seed=1, groups=None):
    source, target = (axis.copy() for axis in edges)
    codes = np.zeros(N, dtype=np.int64) if groups is None else groups
    return source, target, swap_edges(source, target, codes, directed, n_swaps, seed)


def keys(source, target, directed):
    return [(a, b) if directed else (min(a, b), max(a, b)) for a, b in zip(source, target, strict=True)]


@pytest.mark.parametrize("directed", [False, True])
def test_degrees_are_preserved_and_edges_change(directed):
    edges = random_edges(directed)
    source, target, n_swapped = rewired(edges, directed, 2000)
    assert n_swapped > 500
    if directed:
        for before, after in zip(edges, (source, target), strict=True):
            np.testing.assert_array_equal(np.bincount(before, minlength=N), np.bincount(after, minlength=N))
    else:
        before, after = np.concatenate(edges), np.concatenate([source, target])
        np.testing.assert_array_equal(np.bincount(before, minlength=N), np.bincount(after, minlength=N))
    common = set(keys(*edges, directed)) & set(keys(source, target, directed))
    assert len(common) < 0.5 * len(source)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_simple_graphs_stay_simple(seed, directed):
    source, target, _ = rewired(random_edges(directed, seed, density=0.4), directed, 3000, seed)
    assert (source != target).all()
    assert len(set(keys(source, target, directed))) == len(source)


@pytest.mark.parametrize("directed", [False, True])
def test_the_number_of_edges_between_groups_is_preserved(directed):
    def mixing(source, target):
        return Counter(keys(groups[source], groups[target], directed))

    groups = np.random.default_rng(3).integers(3, size=N)
    edges = random_edges(directed)
    source, target, n_swapped = rewired(edges, directed, 3000, groups=groups)
    assert n_swapped > 100
    assert mixing(source, target) == mixing(*edges)
    assert mixing(*rewired(edges, directed, 3000)[:2]) != mixing(*edges)


def test_every_graph_with_the_same_degrees_is_equally_likely():
    # Three perfect matchings of four nodes; a chain that never reverses an edge reaches only two of them.
    n = 1500
    counts = Counter()
    for seed in range(n):
        source, target, _ = rewired((np.array([0, 2]), np.array([1, 3])), False, 25, seed)
        counts[frozenset(keys(source, target, False))] += 1
    assert len(counts) == 3
    assert all(abs(count / n - 1 / 3) < 5 * np.sqrt(2 / 9 / n) for count in counts.values())


def test_a_directed_edge_is_not_reversed():
    edges = np.array([0, 2]), np.array([1, 3])
    graphs = {frozenset(keys(*rewired(edges, True, 25, seed)[:2], True)) for seed in range(50)}
    assert graphs == {frozenset({(0, 1), (2, 3)}), frozenset({(0, 3), (2, 1)})}


@pytest.mark.parametrize("directed", [False, True])
def test_graphs_without_a_possible_swap_are_not_changed(directed):
    complete = tuple(axis.astype(np.int64) for axis in np.nonzero(np.triu(np.ones((6, 6)), 1)))
    if directed:
        complete = tuple(np.concatenate(axes) for axes in (complete, complete[::-1]))
    for edges in (complete, (np.array([0]), np.array([1]))):
        source, target, n_swapped = rewired(edges, directed, 500)
        assert n_swapped == 0
        np.testing.assert_array_equal((source, target), edges)


def test_no_attempts_and_no_edges_are_allowed():
    edges = random_edges(False)
    assert rewired(edges, False, 0)[2] == 0
    assert rewired((np.empty(0, np.int64), np.empty(0, np.int64)), False, 0)[2] == 0


def test_the_same_seed_gives_the_same_graph():
    edges = random_edges(False)
    first, again, different = (rewired(edges, False, 300, seed) for seed in (7, 7, 8))
    np.testing.assert_array_equal(first[:2], again[:2])
    assert (first[1] != different[1]).any()


@pytest.mark.parametrize("spread", [1, 10**6, 2**40])
def test_the_hash_table_equals_a_set(spread):
    rng, table, expected = np.random.default_rng(spread), np.full(64, -1, dtype=np.int64), set()
    for _ in range(3000):
        key = int(rng.integers(60)) * spread
        if key in expected:
            _remove(table, key)
            expected.remove(key)
        elif len(expected) < 32:
            table[_slot(table, key)] = key
            expected.add(key)
        present = {k * spread for k in range(60) if table[_slot(table, k * spread)] == k * spread}
        assert present == expected
        assert (table != -1).sum() == len(expected)
