import numpy as np
import pytest
from scipy import sparse

from kernel_ranges import over_ranges
from residuum._kernels.alias import alias_of
from residuum._kernels.walking import _LANES, contains_sorted, walk_from

NO_SEGMENTS = np.empty(0, dtype=np.int64)
# A triangle 0, 1, 2 with a path 2, 3, 4 and a chord 1, 3.
EDGES = [(0, 1, 1.0), (0, 2, 5.0), (1, 2, 2.0), (2, 3, 3.0), (3, 4, 1.0), (1, 3, 0.5)]


def adjacency(directed=False, weighted=True):
    A = np.zeros((5, 5))
    for i, j, weight in EDGES:
        A[i, j] = weight if weighted else 1.0
    if directed:
        A[3, 2] = A[4, 0] = 1.0
        return A
    return A + A.T


def walks(A, starts, n_steps, *, p=1.0, q=1.0, restarts=(), groups=None, first=0, seed=9, directed=False, n_ranges=1):
    matrix = sparse.csr_array(A)
    segments, borders, neighbors, weights = NO_SEGMENTS, matrix.indptr, matrix.indices, matrix.data
    if groups is not None:
        row = np.repeat(np.arange(len(A)), np.diff(matrix.indptr))
        order = np.lexsort((groups[neighbors], row))
        keys, begins = np.unique(
            np.stack([row, groups[neighbors]], axis=1)[order], axis=0, return_index=True
        )  # both are sorted
        borders = np.append(begins, len(row))
        segments = np.searchsorted(keys[:, 0], np.arange(len(A) + 1))
        neighbors, weights = neighbors[order], weights[order]
    even = len(np.unique(weights)) == 1
    weights = weights[:0] if even else weights
    restarts = np.asarray(restarts, dtype=float)
    out = np.full((len(starts), n_steps + 1), -7, dtype=np.int32)
    over_ranges(
        walk_from, np.asarray(starts, dtype=np.int64), np.int64(first), np.uint64(seed), matrix.indptr, matrix.indices,
        not directed, segments, borders, neighbors, weights, *alias_of(borders, weights), 1.0 / p, 1.0 / q,
        *alias_of(np.array([0, len(restarts)]), restarts), out, length=len(starts), n_ranges=n_ranges,
    )  # fmt: skip
    return out


def step_probability(A, before, here, p=1.0, q=1.0, groups=None):
    """Return the probability of the next node, by the definition of node2vec and of FairWalk."""
    A = np.asarray(A)
    bias = np.ones(len(A))
    if before is not None:
        bias = np.where(A[before] > 0, 1.0, 1.0 / q)
        bias[before] = 1.0 / p
    if groups is None:
        return A[here] * bias / (A[here] * bias).sum()
    reached = np.unique(groups[A[here] > 0])
    return sum(
        (groups == group) * A[here] * bias / ((groups == group) * A[here] * bias).sum() / len(reached)
        for group in reached
    )


def assert_frequencies(nodes, expected):
    n = len(nodes)
    assert n > 500
    frequency = np.bincount(nodes, minlength=len(expected)) / n
    assert not frequency[expected == 0].any()
    assert (np.abs(frequency - expected) <= 5 * np.sqrt(expected * (1 - expected) / n) + 1e-12).all()


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_steps_have_the_frequencies_of_the_weights(weighted, directed):
    A = adjacency(directed, weighted)
    corpus = walks(A, np.arange(4000) % 5, 6, directed=directed)
    for here in range(5):
        following = corpus[:, 1:][corpus[:, :-1] == here]
        assert_frequencies(following, step_probability(A, None, here))


BIASES = {
    "return": (0.1, 1.0),
    "outward": (1.0, 0.2),
    "both": (4.0, 0.5),
    "never return": (1e6, 1.0),
    "far": (1e6, 1e6),
}


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("bias", BIASES)
def test_second_steps_have_the_frequencies_of_node2vec(bias, weighted, directed):
    p, q = BIASES[bias]
    A = adjacency(directed, weighted)
    corpus = walks(A, np.arange(20_000) % 5, 2, p=p, q=q, directed=directed)
    n_checked = 0
    for before, here in zip(*np.nonzero(A), strict=True):
        following = corpus[(corpus[:, 0] == before) & (corpus[:, 1] == here), 2]
        if len(following) > 500:
            n_checked += 1
            assert_frequencies(following, step_probability(A, before, here, p, q))
    assert n_checked >= 5


@pytest.mark.parametrize("bias", [(1.0, 1.0), (0.25, 4.0)])
@pytest.mark.parametrize("weighted", [False, True])
def test_walkers_choose_a_group_of_neighbors_first(weighted, bias):
    groups = np.array([0, 1, 1, 1, 0])
    A = adjacency(weighted=weighted)
    corpus = walks(A, np.arange(20_000) % 5, 2, p=bias[0], q=bias[1], groups=groups)
    for here in range(5):
        assert_frequencies(corpus[corpus[:, 0] == here, 1], step_probability(A, None, here, groups=groups))
    for before, here in ((0, 1), (2, 1), (4, 3)):
        following = corpus[(corpus[:, 0] == before) & (corpus[:, 1] == here), 2]
        assert_frequencies(following, step_probability(A, before, here, *bias, groups))


def ending():
    """Return a directed graph whose node 4 is dangling."""
    A = adjacency(directed=True)
    A[4] = 0.0
    return A


def test_a_jump_from_a_dangling_node_is_marked_and_leads_to_the_restarts():
    restarts = np.array([0.2, 0.5, 0.0, 0.3, 0.0])
    corpus = walks(ending(), np.full(4000, 4), 2, restarts=restarts, directed=True)
    assert (corpus[:, 1] == -1).all()
    assert_frequencies(corpus[:, 2], restarts)


def test_the_step_after_a_jump_has_no_bias():
    # Walkers jump from 4 to 1, where p and q would matter for walkers that came from a neighbor.
    A = ending()
    corpus = walks(A, np.full(4000, 4), 3, p=0.01, q=0.01, restarts=[0, 1.0, 0, 0, 0], directed=True)
    assert (corpus[:, 2] == 1).all()
    assert_frequencies(corpus[:, 3], step_probability(A, None, 1))


@pytest.mark.parametrize("n", [0, 1, _LANES - 1, _LANES, 2 * _LANES + 1])
def test_a_walk_depends_only_on_its_number(n):
    starts = np.arange(60) % 5
    options = {"p": 0.5, "q": 2.0, "restarts": np.array([0.2, 0.2, 0.2, 0.4, 0.0]), "directed": True}
    corpus = walks(ending(), starts, 10, **options)
    part = walks(ending(), starts[7 : 7 + n], 10, first=7, **options)
    np.testing.assert_array_equal(part, corpus[7 : 7 + n])


@pytest.mark.parametrize("bias", [(1.0, 1.0), (0.25, 4.0)])
def test_the_result_does_not_depend_on_the_ranges(bias):
    starts = np.arange(1000) % 5
    once, parts = (walks(adjacency(), starts, 20, p=bias[0], q=bias[1], n_ranges=n_ranges) for n_ranges in (1, 7))
    np.testing.assert_array_equal(once, parts)


def test_look_ups_never_read_past_a_row():
    rows = np.array([1, 2, 5, 7, 9])  # two rows: [1, 2] and [5, 7, 9]
    assert [x for x in range(12) if contains_sorted(rows, 0, 2, x)] == [1, 2]
    assert [x for x in range(12) if contains_sorted(rows, 2, 5, x)] == [5, 7, 9]
    assert not any(contains_sorted(rows, 2, 2, x) for x in range(12))
    assert not contains_sorted(rows, 5, 5, 9)


@pytest.mark.parametrize("size", [1, 2, 3, 8, 31])
def test_look_ups_equal_the_search_in_a_set(size):
    row = np.sort(np.random.default_rng(size).permutation(3 * size)[:size]).astype(np.int32)
    assert [x for x in range(-1, 3 * size + 1) if contains_sorted(row, 0, size, x)] == row.tolist()
