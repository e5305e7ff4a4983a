import numpy as np
import pytest

from graph_cases import graph_cases, labels_for
from residuum import Graph
from residuum._threads import thread_limit
from residuum.errors import InvalidParameterError
from residuum.graph import resolve_teleport
from residuum.walks import RandomWalks, alias_of
from residuum.walks._alias_kernels import draw_place
from residuum.walks._random_kernels import next_uniform, stream
from residuum.walks._walk_kernels import contains_sorted

CASES = graph_cases()
KINDS = {
    "first order": {},
    "p and q": {"p": 0.25, "q": 4.0},
    "outward": {"q": 0.5},
    "groups": {"groups": True},
    "groups, p and q": {"groups": True, "p": 4.0, "q": 0.5},
}


def walks_of(graph, kind, **more):
    options = dict(KINDS[kind])
    if options.pop("groups", False):
        options["groups"] = np.unique(labels_for(graph), return_inverse=True)[1]
    return RandomWalks(graph, **options, **{"n_walks": 3, "walk_length": 12, "random_state": 0} | more)


def everything(walks, epoch=0):
    return np.concatenate(list(walks.chunks(epoch)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", CASES)
def test_every_step_is_an_edge_and_dangling_nodes_jump(case, kind):
    graph = CASES[case]
    corpus = everything(walks_of(graph, kind))
    here, there = corpus[:, :-1].ravel(), corpus[:, 1:].ravel()
    weight = np.asarray(graph.adjacency.toarray())[here, there]
    assert (weight[graph.out_strength[here] > 0] > 0).all()
    assert (graph.out_strength[there] + graph.in_strength[there] > 0).all()


@pytest.mark.parametrize("case", CASES)
def test_every_node_with_an_edge_starts_the_same_number_of_walks(case):
    graph = CASES[case]
    starts = everything(walks_of(graph, "first order"))[:, 0]
    active = (graph.out_strength > 0) | (graph.in_strength > 0)
    np.testing.assert_array_equal(np.bincount(starts, minlength=graph.n_nodes), 3 * active)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", ["weighted", "dangling nodes"])
def test_the_same_bits_at_any_number_of_threads(case, kind):
    graph = CASES[case]
    with thread_limit(1):
        serial = everything(walks_of(graph, kind, teleport=resolve_teleport(graph, None)))
    with thread_limit(2):
        parallel = everything(walks_of(graph, kind, teleport=resolve_teleport(graph, None)))
    np.testing.assert_array_equal(serial, parallel)


def test_chunks_do_not_change_the_walks(monkeypatch):
    graph = CASES["weighted"]
    whole = everything(walks_of(graph, "p and q"))
    monkeypatch.setattr("residuum.walks.random_walks._CHUNK_NODES", 7 * 13)
    chunks = list(walks_of(graph, "p and q").chunks())
    assert {len(chunk) for chunk in chunks[:-1]} == {7}
    np.testing.assert_array_equal(np.concatenate(chunks), whole)


def test_seeds_and_epochs_have_walks_of_their_own():
    graph = CASES["weighted"]
    first = walks_of(graph, "first order")
    corpora = [
        everything(first),
        everything(first, epoch=1),
        everything(walks_of(graph, "first order", random_state=1)),
    ]
    for one in range(3):
        for two in range(one):
            assert (corpora[one] != corpora[two]).mean() > 0.5


def test_seeds_are_whole_numbers_or_generators():
    graph = CASES["weighted"]
    number, generator = (walks_of(graph, "first order", random_state=s) for s in (5, np.random.default_rng(5)))
    np.testing.assert_array_equal(everything(number), everything(generator))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"p": 0.0}, r"p must be a finite number between 1e-06 and 1e\+06; got 0\.0"),
        ({"q": -1.0}, r"q must be a finite number .* got -1\.0"),
        ({"n_walks": 0}, r"n_walks must be at least 1; got 0"),
        ({"walk_length": 2.5}, r"walk_length must be a whole number"),
        ({"groups": np.zeros(3, dtype=int)}, r"groups must have one number for each of the 20 nodes; got shape \(3,\)"),
    ],
)
def test_parameters_that_break_a_rule_are_named(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        RandomWalks(CASES["weighted"], **parameters)


def test_look_ups_never_read_past_a_row():
    rows = np.array([1, 2, 5, 7, 9])  # two rows: [1, 2] and [5, 7, 9]
    found = [x for x in range(12) if contains_sorted(rows, 0, 2, x)]
    assert found == [1, 2]
    assert [x for x in range(12) if contains_sorted(rows, 2, 5, x)] == [5, 7, 9]
    assert not any(contains_sorted(rows, 2, 2, x) for x in range(12))
    assert not contains_sorted(rows, 5, 5, 9)


@pytest.mark.parametrize("size", [1, 2, 3, 17, 1000])
def test_alias_tables_hold_the_weights(size):
    rng = np.random.default_rng(size)
    weights = rng.pareto(1.0, 2 * size) * (rng.random(2 * size) < 0.7)
    weights[[0, size]] = 1.0
    borders = np.array([0, size, 2 * size])
    threshold, alias = alias_of(borders, weights)
    for begin, end in ((0, size), (size, 2 * size)):
        held = threshold[begin:end].astype(float)
        np.add.at(held, alias[begin:end], 1.0 - threshold[begin:end])
        expected = weights[begin:end] / weights[begin:end].sum()
        np.testing.assert_allclose(held / size, expected, rtol=1e-5, atol=1e-7 / size)
        assert not held[expected == 0].any()


def test_a_place_is_always_inside_its_segment():
    no_table = np.empty(0, dtype=np.float32), np.empty(0, dtype=np.int32)
    almost_one = 1.0 - 2.0**-53
    assert draw_place(3, 10, almost_one, *no_table) == 9
    assert draw_place(3, 10, 0.0, *no_table) == 3
    assert draw_place(0, 3_000_001, almost_one, *no_table) == 3_000_000


def test_streams_are_splitmix64():
    state, mask = 12345, 2**64 - 1

    def mix(z):
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    golden = 0x9E3779B97F4A7C15
    assert stream(np.uint64(7), 3) == mix((7 + mix((3 + golden) & mask)) & mask)
    following, uniform = next_uniform(np.uint64(state))
    assert following == (state + golden) & mask
    assert uniform == (mix((state + golden) & mask) >> 11) / 2**53


def test_weights_that_are_all_the_same_need_no_tables():
    graph = Graph(2.5 * (1 - np.eye(4)))
    assert RandomWalks(graph)._edges.tables[0].size == 0
