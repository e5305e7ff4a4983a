import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path
from sklearn.metrics import average_precision_score, roc_auc_score

from residuum import Graph, datasets
from residuum.errors import InvalidParameterError
from residuum.evaluation import auc_interval, auc_roc, average_precision, link_task, pair_scores

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


def test_the_interval_equals_the_sum_over_all_pairs_of_pairs():
    rng = np.random.default_rng(0)
    pairs = np.array([rng.choice(12, 2, replace=False) for _ in range(40)])
    pairs[15:] += 6
    scores = rng.integers(0, 6, 18)[pairs].sum(axis=1) + rng.integers(0, 4, 40) + np.repeat([3, 0], [15, 25])
    positive, negative = scores[:15], scores[15:]
    wins = (positive[:, None] > negative) + 0.5 * (positive[:, None] == negative)
    auc = wins.mean()
    influence = np.r_[(wins.mean(axis=1) - auc) / np.sqrt(15 * 14), (wins.mean(axis=0) - auc) / np.sqrt(25 * 24)]
    delong = wins.mean(axis=1).var(ddof=1) / 15 + wins.mean(axis=0).var(ddof=1) / 25
    assert auc_interval(positive, negative) == pytest.approx((auc, 1.96 * np.sqrt(delong)))
    shared = np.array([[len(set(one) & set(other)) for one in pairs.tolist()] for other in pairs.tolist()])
    np.fill_diagonal(shared, 1)
    dyadic = influence @ shared @ influence
    assert dyadic > delong
    measured = auc_interval(positive, negative, pairs=(pairs[:15], pairs[15:]))
    assert measured == pytest.approx((auc, 1.96 * np.sqrt(dyadic)))


def test_intervals_contain_the_truth_if_scores_depend_on_the_nodes():
    """Scores are effects of two nodes plus 1 for positives; intervals of independent pairs are too narrow."""
    rng = np.random.default_rng(0)
    truth = auc_roc(rng.normal(1, np.sqrt(3), 200_000), rng.normal(0, np.sqrt(3), 200_000))
    contained = np.zeros(2)
    for _ in range(200):
        effects = rng.normal(size=120)
        pairs = rng.integers(0, 60, (2, 300, 2))
        pairs[..., 1] = (pairs[..., 0] + rng.integers(1, 60, (2, 300))) % 60
        pairs[1] += 60
        scores = effects[pairs].sum(axis=2) + rng.normal(size=(2, 300)) + [[1.0], [0.0]]
        intervals = [auc_interval(*scores), auc_interval(*scores, pairs=tuple(pairs))]
        contained += [abs(auc - truth) <= margin for auc, margin in intervals]
    assert contained[0] < 0.9 * 200
    assert 0.9 * 200 <= contained[1] <= 0.99 * 200


def test_an_auc_of_one_positive_has_no_interval():
    assert auc_interval([1.0], [0.0, 2.0]) == (0.5, 1.0)


def test_a_task_takes_the_nodes_of_its_pairs_into_account(task):
    score = pair_scores(np.random.default_rng(2).standard_normal((400, 16))).residual
    positive, negative = task.positive, task.negatives["uniform"]
    expected = auc_interval(score(*positive.T), score(*negative.T), pairs=(positive, negative))
    assert task.auc_interval(score, "uniform") == expected
    assert expected[0] == task.auc(score, "uniform")
