import numpy as np
import pytest

from graph_cases import graph_cases
from residuum import Embedding, Graph, Residual2Vec
from residuum.errors import InvalidParameterError, UnknownNodeError
from residuum.evaluation import as_vectors, pair_scores

GRAPH = Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]], ["a", "b", "c"])
U = np.array([[1.0, 2.0], [0.0, 3.0], [-1.0, 0.5]])
V = np.array([[2.0, 0.0], [1.0, 1.0], [0.0, 4.0]])
Z = np.array([-1.0, -2.0, -4.0])
ROWS, COLUMNS = np.array([0, 1]), np.array([2, 0])


def test_an_embedding_is_put_in_the_order_of_the_graph():
    shuffled = Embedding(["c", "a", "b"], U[[2, 0, 1]], V[[2, 0, 1]], Z[[2, 0, 1]])
    np.testing.assert_allclose(as_vectors(shuffled, GRAPH), U)
    np.testing.assert_allclose(as_vectors(shuffled), U[[2, 0, 1]])
    scores, expected = pair_scores(shuffled, graph=GRAPH), pair_scores(U, V, Z)
    for name in ("residual", "null", "full", "cosine"):
        np.testing.assert_allclose(
            getattr(scores, name)(ROWS, COLUMNS), getattr(expected, name)(ROWS, COLUMNS), rtol=1e-6
        )


def test_scores_computed_by_hand():
    scores = pair_scores(U, V, Z)
    # u_0·v_2 = 8, u_2·v_0 = −2; u_1·v_0 = 0, u_0·v_1 = 3.
    np.testing.assert_allclose(scores.residual(ROWS, COLUMNS), [3.0, 1.5])
    np.testing.assert_allclose(scores.null(ROWS, COLUMNS), [-5.0, -3.0])
    np.testing.assert_allclose(scores.full(ROWS, COLUMNS), [-2.0, -1.5])
    np.testing.assert_allclose(scores.cosine(ROWS, COLUMNS), [0.0, 6 / (3 * np.sqrt(5))], atol=1e-12)
    np.testing.assert_allclose(pair_scores(U).residual(ROWS, COLUMNS), [0.0, 6.0])


def test_scores_of_a_directed_graph_are_directed():
    directed = Graph([[0, 1, 0], [0, 0, 1], [1, 0, 0]], directed=True)
    scores = pair_scores(U, V, Z, graph=directed)
    np.testing.assert_allclose(scores.residual(ROWS, COLUMNS), [8.0, 0.0])
    # Offsets are those of targets.
    np.testing.assert_allclose(scores.null(ROWS, COLUMNS), Z[COLUMNS])
    np.testing.assert_allclose(scores.full(ROWS, COLUMNS), [4.0, -1.0])


def test_scores_of_an_embedding_of_a_directed_graph_equal_those_of_the_model():
    graph = graph_cases()["directed"]
    model = Residual2Vec(4, random_state=0).fit(graph)
    targets = np.arange(1, graph.n_nodes)
    source = np.zeros_like(targets)
    scores = pair_scores(model.to_embedding(), graph=graph).full(source, targets)
    expected = model.score_pairs(graph.node_ids[source], graph.node_ids[targets], mode="full")
    np.testing.assert_allclose(scores, expected, rtol=1e-4)


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ([1.0, 2.0, 3.0], "must be an array of shape"),
        ([[1.0], [2.0]], "one row for each of the 3 nodes"),
        ([[1.0], [np.nan], [2.0]], "must be finite; row 1"),
    ],
)
def test_invalid_vectors_are_rejected(vectors, message):
    with pytest.raises(InvalidParameterError, match=message):
        as_vectors(vectors, GRAPH)


def test_an_embedding_that_lacks_a_node_of_the_graph_is_rejected():
    with pytest.raises(UnknownNodeError, match="'c'"):
        as_vectors(Embedding(["a", "b"], U[:2]), GRAPH)


@pytest.mark.parametrize("arguments", [{"offsets": Z}, {"context_vectors": V}], ids=["offsets", "contexts"])
def test_context_vectors_and_offsets_are_rejected_with_an_embedding(arguments):
    with pytest.raises(InvalidParameterError, match="must be None if vectors is an Embedding"):
        pair_scores(Embedding(["a", "b", "c"], U), **arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"offsets": Z[:2]}, r"offsets must have shape \(3,\) .*; got shape \(2,\)"),
        ({"offsets": np.r_[Z, 1.0]}, r"offsets must have shape \(3,\) .*; got shape \(4,\)"),
        ({"offsets": Z[:, None]}, r"offsets must have shape \(3,\) .*; got shape \(3, 1\)"),
        ({"context_vectors": np.vstack([V, V])}, r"context_vectors must have shape \(3, 2\) .*; got shape \(6, 2\)"),
        ({"context_vectors": V[:, :1]}, r"context_vectors must have shape \(3, 2\) .*; got shape \(3, 1\)"),
    ],
)
def test_context_vectors_and_offsets_of_the_wrong_shape_are_rejected(arguments, message):
    with pytest.raises(InvalidParameterError, match=message):
        pair_scores(U, **arguments)
