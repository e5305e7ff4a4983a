import re

import numpy as np
import pytest
from sklearn.metrics import f1_score, r2_score
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from residuum import Embedding, datasets
from residuum.embedding.nearest import unit_rows
from residuum.errors import InvalidParameterError
from residuum.evaluation import predict_classes, predict_numbers
from residuum.evaluation.node_prediction import _neighbor_means

RNG = np.random.default_rng(0)
LABELS = np.repeat(["a", "b", "c"], [90, 60, 30])
VECTORS = RNG.standard_normal((180, 6)) + np.eye(6)[np.repeat([0, 1, 2], [90, 60, 30])] * 1.5
UNIT = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)
NUMBERS = VECTORS @ RNG.standard_normal(6) + RNG.standard_normal(180)
GROUPS = np.repeat(np.arange(36), 5)


@pytest.mark.parametrize("groups", [None, GROUPS], ids=["stratified", "groups"])
def test_predicted_classes_equal_scikit_learn(groups):
    folds = (
        StratifiedKFold(5, shuffle=True, random_state=0)
        if groups is None
        else GroupKFold(5, shuffle=True, random_state=0)
    )
    result = predict_classes(VECTORS, LABELS, n_neighbors=7, groups=groups)
    micro, macro = [], []
    for train, test in folds.split(UNIT, LABELS, groups):
        predicted = KNeighborsClassifier(7).fit(UNIT[train], LABELS[train]).predict(UNIT[test])
        micro.append(f1_score(LABELS[test], predicted, average="micro"))
        macro.append(f1_score(LABELS[test], predicted, average="macro"))
    np.testing.assert_allclose(result.micro_f1, micro)
    np.testing.assert_allclose(result.macro_f1, macro)


@pytest.mark.parametrize("groups", [None, GROUPS], ids=["plain", "groups"])
def test_predicted_numbers_equal_scikit_learn(groups):
    folds = KFold(5, shuffle=True, random_state=0) if groups is None else GroupKFold(5, shuffle=True, random_state=0)
    expected = [
        r2_score(NUMBERS[test], KNeighborsRegressor(7).fit(UNIT[train], NUMBERS[train]).predict(UNIT[test]))
        for train, test in folds.split(UNIT, groups=groups)
    ]
    np.testing.assert_allclose(predict_numbers(VECTORS, NUMBERS, n_neighbors=7, groups=groups), expected)


def test_a_group_is_never_split_between_training_and_test():
    # Vectors encode only the group: only a neighbor of the same group predicts the number.
    vectors, numbers = np.eye(36)[GROUPS], RNG.standard_normal(36)[GROUPS]
    assert predict_numbers(vectors, numbers, n_neighbors=3).mean() > 0.9
    assert predict_numbers(vectors, numbers, n_neighbors=3, groups=GROUPS).mean() < 0.1
    names = np.array([f"class {number}" for number in range(36)])[GROUPS]
    assert predict_classes(vectors, names, n_neighbors=3).micro_f1.mean() == 1.0
    assert predict_classes(vectors, names, n_neighbors=3, groups=GROUPS).micro_f1.max() == 0.0


def test_nodes_can_have_several_classes():
    sets = np.tile(["a;b", "b", "c; a"], 40)
    clear = np.eye(3)[np.tile([0, 1, 2], 40)]
    result = predict_classes(clear, sets, n_neighbors=5)
    assert result.micro_f1.tolist() == [1.0] * 5
    assert result.macro_f1.tolist() == [1.0] * 5


def test_f1_of_several_classes_computed_by_hand():
    # Four pairs of equal vectors; every test node has its twin as the nearest neighbor.
    vectors = np.repeat(np.eye(4), 2, axis=0)
    sets = ["a;b", "a;c", "a", "b", "c", "c", "b;c", "b;c"]
    twins = [0, 1] * 4
    result = predict_classes(vectors, sets, n_neighbors=1, groups=twins, n_folds=2)
    # Odd to even: {a,c}→{a,b}; {b}→{a}; {c}→{c}; {b,c}→{b,c}, 1 + 0 + 1 + 2 of 6 correct. The reverse is the same.
    np.testing.assert_allclose(result.micro_f1, 4 / 6)


def test_groups_are_predicted_from_perfect_but_not_from_random_or_degree_only_vectors():
    graph = datasets.planted_groups(400, 4, degree_exponent=2.3, mixing=0.1, random_state=0)
    group, degree = graph.node_attributes["group"], graph.out_strength
    noise = np.random.default_rng(1).standard_normal((400, 8))
    by_degree = np.stack([np.log(degree), np.ones(400)], axis=1)
    assert predict_classes(np.eye(4)[group], group).micro_f1.mean() == 1.0
    assert predict_classes(noise, group).micro_f1.mean() == pytest.approx(0.25, abs=0.06)
    assert predict_classes(by_degree, group).micro_f1.mean() == pytest.approx(0.25, abs=0.06)
    assert predict_numbers(by_degree, np.log(degree)).mean() > 0.9
    assert predict_numbers(noise, np.log(degree)).mean() < 0.05


@pytest.mark.parametrize("unit", [1e-300, 3.0, 1e300])
def test_predicted_numbers_do_not_depend_on_their_unit(unit):
    rng = np.random.default_rng(0)
    u, numbers = rng.normal(size=(60, 4)), rng.normal(size=60)
    np.testing.assert_allclose(predict_numbers(u, unit * numbers), predict_numbers(u, numbers), rtol=1e-9)


def test_nodes_without_a_label_or_number_are_ignored():
    labels = np.array(LABELS, dtype=object)
    labels[::2] = None
    expected = predict_classes(VECTORS[1::2], LABELS[1::2])
    np.testing.assert_array_equal(predict_classes(VECTORS, labels).micro_f1, expected.micro_f1)
    numbers = np.where(np.arange(180) % 2, NUMBERS, np.nan)
    np.testing.assert_array_equal(predict_numbers(VECTORS, numbers), predict_numbers(VECTORS[1::2], NUMBERS[1::2]))


def test_an_embedding_is_accepted():
    embedding = Embedding(np.arange(180), VECTORS)
    np.testing.assert_allclose(predict_numbers(embedding, NUMBERS), predict_numbers(embedding.vectors, NUMBERS))


def test_too_many_neighbors_and_groups_of_the_wrong_length_are_rejected():
    with pytest.raises(InvalidParameterError, match="n_neighbors must be at most 144"):
        predict_numbers(VECTORS, NUMBERS, n_neighbors=145)
    with pytest.raises(InvalidParameterError, match="groups must have one value for each of the 180 nodes"):
        predict_numbers(VECTORS, NUMBERS, groups=GROUPS[:3])


def test_zero_vectors_are_no_neighbors_and_are_predicted_by_the_mean():
    # Twins have a cosine of 0.4: by distance, the five zero vectors would be nearer.
    twins = 0.4 * np.eye(40, 80) + np.sqrt(1 - 0.4**2) * np.eye(40, 80, k=40)
    vectors = np.vstack([np.eye(40, 80), twins, np.zeros((5, 80))])
    numbers = np.r_[np.arange(40), np.arange(40), np.full(5, 1000.0)]
    result = _neighbor_means(unit_rows(vectors), numbers, np.r_[40:85], np.arange(40), 1)
    np.testing.assert_array_equal(result, np.arange(40))
    zero = _neighbor_means(unit_rows(vectors), numbers, np.r_[:40, 80:84], np.array([84]), 1)
    assert zero.tolist() == [19.5]


@pytest.mark.parametrize(
    ("numbers", "message"),
    [(np.full(180, 3.5), "the 180 nodes with a number have [3.5]"), (np.full(180, np.nan), "the 0 ")],
)
def test_constant_or_missing_numbers_are_rejected(numbers, message):
    with pytest.raises(InvalidParameterError, match=re.escape(message)):
        predict_numbers(VECTORS, numbers)


def test_macro_f1_ignores_classes_that_are_absent_from_a_fold():
    # A fold is a group, and no group has all three classes; every prediction is correct.
    codes, groups = [0, 1, 0, 1, 2, 2], [0, 0, 1, 1, 2, 3]
    result = predict_classes(np.eye(3)[codes], codes, n_neighbors=1, groups=groups, n_folds=4)
    assert result.macro_f1.tolist() == [1.0] * 4


def test_more_folds_than_labeled_nodes_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match=r"n_folds=2 needs at least one node .*; got 1\. Lower n_folds\."):
        predict_classes(np.eye(3), ["a", None, None], n_neighbors=1, n_folds=2)
