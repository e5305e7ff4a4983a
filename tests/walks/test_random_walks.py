import itertools

import numpy as np
import pytest

from graph_cases import graph_cases, labels_for
from residuum import Graph
from residuum._threads import thread_limit
from residuum.errors import InvalidParameterError
from residuum.walks import RandomWalks

CASES = graph_cases()
KINDS = {
    "first order": {},
    "p and q": {"p": 0.25, "q": 4.0},
    "outward": {"q": 0.5},
    "groups": {"groups": True},
    "groups, p and q": {"groups": True, "p": 4.0, "q": 0.5},
}


def walks_of(graph, kind, **parameters):
    options = dict(KINDS[kind])
    if options.pop("groups", False):
        options["groups"] = np.unique(labels_for(graph), return_inverse=True)[1]
    return RandomWalks(graph, **options, **{"n_walks": 3, "walk_length": 12, "random_state": 0} | parameters)


def all_walks(walks, epoch=0):
    return np.concatenate(list(walks.chunks(epoch)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", CASES)
def test_every_step_is_an_edge_and_jumps_are_marked(case, kind):
    graph = CASES[case]
    corpus = all_walks(walks_of(graph, kind))
    here, there = corpus[:, :-1].ravel(), corpus[:, 1:].ravel()
    steps = (here >= 0) & (there >= 0)
    assert (graph.adjacency.toarray()[here[steps], there[steps]] > 0).all()
    # A jump follows exactly the dangling nodes, and leads to a node with out-edges.
    np.testing.assert_array_equal(there[here >= 0] == -1, graph.out_strength[here[here >= 0]] == 0)
    assert (graph.out_strength[there[here == -1]] > 0).all()


@pytest.mark.parametrize("unit", [1.0, 0.01])
def test_walkers_jump_in_proportion_to_out_strength(unit):
    graph = Graph(unit * np.array([[0, 3, 0], [0, 0, 0], [0, 1, 0]]), directed=True)
    corpus = all_walks(RandomWalks(graph, n_walks=500, walk_length=60, random_state=0))
    here, there = corpus[:, :-1].ravel(), corpus[:, 1:].ravel()
    assert np.mean(there[here == -1] == 0) == pytest.approx(0.75, abs=0.01)


@pytest.mark.parametrize("case", CASES)
def test_every_node_with_an_out_edge_starts_the_same_number_of_walks(case):
    graph = CASES[case]
    starts = all_walks(walks_of(graph, "first order"))[:, 0]
    np.testing.assert_array_equal(np.bincount(starts, minlength=graph.n_nodes), 3 * (graph.out_strength > 0))


@pytest.mark.parametrize("case", CASES)
def test_total_is_the_number_of_walks_of_an_epoch(case):
    walks = walks_of(CASES[case], "first order")
    assert walks.total == len(all_walks(walks))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", ["weighted", "dangling nodes"])
def test_walks_do_not_depend_on_the_number_of_threads(case, kind):
    graph = CASES[case]
    with thread_limit(1):
        serial = all_walks(walks_of(graph, kind))
    with thread_limit(2):
        parallel = all_walks(walks_of(graph, kind))
    np.testing.assert_array_equal(serial, parallel)


def test_walks_do_not_depend_on_the_chunk_size(monkeypatch):
    graph = CASES["weighted"]
    expected = all_walks(walks_of(graph, "p and q"))
    monkeypatch.setattr("residuum.walks.random_walks._CHUNK_NODES", 7 * 13)
    chunks = list(walks_of(graph, "p and q").chunks())
    assert {len(chunk) for chunk in chunks[:-1]} == {7}
    np.testing.assert_array_equal(np.concatenate(chunks), expected)


def test_different_seeds_and_epochs_give_different_walks():
    graph = CASES["weighted"]
    walks = walks_of(graph, "first order")
    corpora = [
        all_walks(walks),
        all_walks(walks, epoch=1),
        all_walks(walks_of(graph, "first order", random_state=1)),
    ]
    for first, second in itertools.combinations(corpora, 2):
        assert (first != second).mean() > 0.5


def test_integer_and_generator_seeds_agree():
    graph = CASES["weighted"]
    number, generator = (walks_of(graph, "first order", random_state=s) for s in (5, np.random.default_rng(5)))
    np.testing.assert_array_equal(all_walks(number), all_walks(generator))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"p": 0.0}, r"p must be a finite number between 1e-06 and 1e\+06; got 0\.0"),
        ({"q": -1.0}, r"q must be a finite number .* got -1\.0"),
        ({"n_walks": 0}, r"n_walks must be at least 1; got 0"),
        ({"walk_length": 2.5}, r"walk_length must be an integer"),
        (
            {"groups": np.zeros(3, dtype=int)},
            r"groups must have one integer for each of the 20 nodes; got shape \(3,\)",
        ),
    ],
)
def test_invalid_parameters_raise(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        RandomWalks(CASES["weighted"], **parameters)


def test_equal_weights_need_no_alias_tables():
    graph = Graph(2.5 * (1 - np.eye(4)))
    assert RandomWalks(graph)._edges.tables[0].size == 0


def test_a_graph_of_one_arc_has_walks_that_end_after_it():
    walks = all_walks(RandomWalks(Graph([[0, 1], [0, 0]], directed=True), n_walks=2, walk_length=3, random_state=0))
    np.testing.assert_array_equal(walks[:, :2], [[0, 1], [0, 1]])


def test_walks_of_first_order_are_the_default():
    graph = CASES["weighted"]
    default = all_walks(RandomWalks(graph, random_state=0))
    assert default.shape == (10 * 20, 80 + 1)
    np.testing.assert_array_equal(default, all_walks(RandomWalks(graph, p=1.0, q=1.0, random_state=0)))
    assert (default != all_walks(RandomWalks(graph, p=2.0, random_state=0))).any()
