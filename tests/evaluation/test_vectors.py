import numpy as np
import pytest

from graph_cases import graph_cases
from residuum import Embedding, Graph, Residual2Vec
from residuum.errors import InvalidParameterError, UnknownNodeError
from residuum.evaluation import as_vectors, pair_scores
from residuum.evaluation.vectors import nearest_rows, unit_rows

GRAPH = Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]], ["a", "b", "c"])
U = np.array([[1.0, 2.0], [0.0, 3.0], [-1.0, 0.5]])
V = np.array([[2.0, 0.0], [1.0, 1.0], [0.0, 4.0]])
Z = np.array([-1.0, -2.0, -4.0])
ROWS, COLUMNS = np.array([0, 1]), np.array([2, 0])


def test_an_embedding_is_put_in_the_order_of_the_graph():
    shuffled = Embedding(["c", "a", "b"], U[[2, 0, 1]], V[[2, 0, 1]], Z[[2, 0, 1]])
    np.testing.assert_allclose(as_vectors(shuffled, GRAPH), U)
    np.testing.assert_allclose(as_vectors(shuffled), U[[2, 0, 1]])
    for name, score in pair_scores(shuffled, graph=GRAPH).items():
        np.testing.assert_allclose(score(ROWS, COLUMNS), pair_scores(U, V, Z)[name](ROWS, COLUMNS), rtol=1e-6)


def test_scores_are_those_computed_by_hand():
    scores = pair_scores(U, V, Z)
    # u_0·v_2 = 8, u_2·v_0 = −2; u_1·v_0 = 0, u_0·v_1 = 3.
    np.testing.assert_allclose(scores["residual"](ROWS, COLUMNS), [3.0, 1.5])
    np.testing.assert_allclose(scores["null"](ROWS, COLUMNS), [-5.0, -3.0])
    np.testing.assert_allclose(scores["full"](ROWS, COLUMNS), [-2.0, -1.5])
    np.testing.assert_allclose(scores["cosine"](ROWS, COLUMNS), [0.0, 6 / (3 * np.sqrt(5))], atol=1e-12)
    np.testing.assert_allclose(pair_scores(U)["residual"](ROWS, COLUMNS), [0.0, 6.0])


def test_in_a_directed_graph_the_score_has_a_direction():
    directed = Graph([[0, 1, 0], [0, 0, 1], [1, 0, 0]], directed=True)
    scores = pair_scores(U, V, Z, graph=directed)
    np.testing.assert_allclose(scores["residual"](ROWS, COLUMNS), [8.0, 0.0])
    # Offsets are those of targets.
    np.testing.assert_allclose(scores["null"](ROWS, COLUMNS), Z[COLUMNS])
    np.testing.assert_allclose(scores["full"](ROWS, COLUMNS), [4.0, -1.0])


def test_in_a_directed_graph_targets_of_a_source_are_ranked_as_by_the_model():
    graph = graph_cases()["directed"]
    model = Residual2Vec(4, random_state=0).fit(graph)
    others = np.arange(1, graph.n_nodes)
    source = np.zeros_like(others)
    found = pair_scores(model.to_embedding(), graph=graph)["full"](source, others)
    expected = model.score_pairs(graph.node_ids[source], graph.node_ids[others], mode="full")
    np.testing.assert_allclose(found + model.source_offset_[0], expected, rtol=1e-4)


def test_nearest_rows_are_those_of_highest_cosine():
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((40, 3)) * rng.uniform(0.1, 10, (40, 1))
    cosine = unit_rows(vectors) @ unit_rows(vectors).T
    np.fill_diagonal(cosine, -np.inf)
    rows, near = nearest_rows(vectors, 5)
    np.testing.assert_array_equal(rows, np.arange(40))
    np.testing.assert_array_equal(near, np.argsort(-cosine, axis=1)[:, :5])


def test_a_zero_vector_is_no_ones_neighbor_and_has_none():
    # The cosine of 0 and 3 is 0.4; the distance of both to a zero vector would be smaller than that between them.
    rows, near = nearest_rows(np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.4, 0.9165]]), 1)
    assert rows.tolist() == [0, 3]
    assert near.tolist() == [[3], [0]]


def test_zero_vectors_stay_zero():
    np.testing.assert_array_equal(unit_rows(np.array([[0.0, 0.0], [3.0, 4.0]])), [[0.0, 0.0], [0.6, 0.8]])


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ([1.0, 2.0, 3.0], "must be an array of shape"),
        ([[1.0], [2.0]], "one row for each of the 3 nodes"),
        ([[1.0], [np.nan], [2.0]], "finite numbers; row 1"),
    ],
)
def test_vectors_that_cannot_be_graded_are_refused(vectors, message):
    with pytest.raises(InvalidParameterError, match=message):
        as_vectors(vectors, GRAPH)


def test_an_embedding_without_a_node_of_the_graph_is_refused():
    with pytest.raises(UnknownNodeError, match="'c'"):
        as_vectors(Embedding(["a", "b"], U[:2]), GRAPH)


def test_more_neighbors_than_nodes_are_refused():
    with pytest.raises(
        InvalidParameterError, match="n_neighbors must be below the number of nodes whose vector is not zero, 3; got 3"
    ):
        nearest_rows(U, 3)


@pytest.mark.parametrize("given", [{"offsets": Z}, {"context_vectors": V}], ids=["offsets", "contexts"])
def test_an_embedding_brings_its_own_and_others_are_refused(given):
    with pytest.raises(InvalidParameterError, match="must be left out with an Embedding"):
        pair_scores(Embedding(["a", "b", "c"], U), **given)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"offsets": Z[:2]}, r"offsets must have shape \(3,\), .*; got \(2,\)"),
        ({"offsets": np.r_[Z, 1.0]}, r"offsets must have shape \(3,\), .*; got \(4,\)"),
        ({"offsets": Z[:, None]}, r"offsets must have shape \(3,\), .*; got \(3, 1\)"),
        ({"context_vectors": np.vstack([V, V])}, r"context_vectors must have shape \(3, 2\), .*; got \(6, 2\)"),
        ({"context_vectors": V[:, :1]}, r"context_vectors must have shape \(3, 2\), .*; got \(3, 1\)"),
    ],
)
def test_contexts_and_offsets_of_another_shape_are_refused(given, told):
    with pytest.raises(InvalidParameterError, match=told):
        pair_scores(U, **given)
