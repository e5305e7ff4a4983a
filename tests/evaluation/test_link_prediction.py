import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path
from sklearn.metrics import average_precision_score, roc_auc_score

from residuum import Graph, datasets
from residuum.errors import InvalidParameterError
from residuum.evaluation import auc_roc, average_precision, link_task, pair_scores

GRAPH = datasets.planted_groups(400, 3, degree_exponent=2.3, random_state=0)
KINDS = ("uniform", "degree-matched", "distance 2")


@pytest.fixture(scope="module")
def task():
    return link_task(GRAPH, 0.5, np.random.default_rng(0), distances=[2])


@pytest.mark.parametrize(
    ("measure", "reference"), [(auc_roc, roc_auc_score), (average_precision, average_precision_score)]
)
def test_measures_equal_scikit_learn_with_ties(measure, reference):
    rng = np.random.default_rng(0)
    positive, negative = rng.integers(0, 10, 300), rng.integers(0, 8, 500)
    expected = reference(np.r_[np.ones(300), np.zeros(500)], np.r_[positive, negative])
    assert measure(positive, negative) == pytest.approx(expected)


@pytest.mark.parametrize("kind", KINDS)
def test_a_perfect_score_reaches_one_and_a_random_score_one_half(task, kind):
    truth = GRAPH.adjacency.toarray()
    assert task.auc(lambda i, j: truth[i, j], kind) == 1.0
    assert task.average_precision(lambda i, j: truth[i, j], kind) == 1.0
    noise = np.random.default_rng(1)
    assert task.auc(lambda i, j: noise.random(len(i)), kind) == pytest.approx(0.5, abs=0.03)
    assert task.average_precision(lambda i, j: noise.random(len(i)), kind) == pytest.approx(0.5, abs=0.03)


def test_perfect_vectors_reach_an_auc_of_one_and_random_vectors_one_half(task):
    values, vectors = np.linalg.eigh(GRAPH.adjacency.toarray())
    perfect = pair_scores(vectors, vectors * values).residual
    random = pair_scores(np.random.default_rng(2).standard_normal((400, 16))).residual
    for kind in KINDS:
        assert task.auc(perfect, kind) == 1.0
        assert task.auc(random, kind) == pytest.approx(0.5, abs=0.04)


def test_degrees_score_well_against_uniform_and_poorly_against_degree_matched_negatives(task):
    score = pair_scores(np.zeros((400, 1)), offsets=np.log(task.train.out_strength)).full
    assert task.auc(score, "uniform") > 0.7
    assert task.auc(score, "degree-matched") < 0.6
    assert task.average_precision(score, "uniform") > task.average_precision(score, "degree-matched")


def test_the_training_graph_lacks_the_held_out_edges(task):
    assert not task.train.adjacency.toarray()[*task.positive.T].any()


def test_negatives_at_distance_two_have_this_distance_in_the_graph_with_all_edges(task):
    length = shortest_path(GRAPH.adjacency, unweighted=True)
    assert (length[*task.negatives["distance 2"].T] == 2).all()


def test_negatives_at_a_distance_do_not_change_the_other_negatives(task):
    plain = link_task(GRAPH, 0.5, np.random.default_rng(0))
    assert list(plain.negatives) == ["uniform", "degree-matched"]
    for kind, pairs in plain.negatives.items():
        np.testing.assert_array_equal(pairs, task.negatives[kind])


def test_a_tree_has_no_edges_to_hold_out():
    path = Graph(np.diag(np.ones(9), 1) + np.diag(np.ones(9), -1))
    task = link_task(path, 0.5, np.random.default_rng(0))
    assert task.train.n_edges == 9
    assert task.positive.shape == task.negatives["uniform"].shape == task.negatives["degree-matched"].shape == (0, 2)


@pytest.mark.parametrize("measure", [auc_roc, average_precision])
@pytest.mark.parametrize(
    ("positive", "negative", "message"),
    [
        ([], [1.0], r"positive must be a one-dimensional array of at least one score; got shape \(0,\)"),
        ([1.0], [], "negative must be a one-dimensional array of at least one score"),
        ([[1.0, 2.0]], [0.0, 1.0], r"positive must be a one-dimensional array .*; got shape \(1, 2\)"),
        ([1.0], [[0.0], [1.0]], r"negative must be a one-dimensional array .*; got shape \(2, 1\)"),
        ([1.0, np.nan], [0.0], "positive must not contain NaN; 1 of 2 scores are NaN, the first at index 1"),
        ([1.0], [np.nan, 0.0, np.nan], "negative must not contain NaN; 2 of 3 scores are NaN, the first at index 0"),
    ],
)
def test_empty_nested_or_nan_scores_are_rejected(measure, positive, negative, message):
    with pytest.raises(InvalidParameterError, match=message):
        measure(positive, negative)


def test_infinite_scores_are_ranked():
    assert auc_roc([np.inf, -np.inf], [0.0, -np.inf]) == pytest.approx(2.5 / 4)
    assert average_precision([np.inf, -np.inf], [0.0, -np.inf]) == pytest.approx(0.5 * 1 + 0.5 * 2 / 4)
