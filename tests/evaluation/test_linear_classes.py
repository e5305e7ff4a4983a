import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.multiclass import OneVsRestClassifier

from residuum.errors import InvalidParameterError
from residuum.evaluation import classify_nodes
from residuum.evaluation.linear_classes import _logistic_weights

RNG = np.random.default_rng(0)
CLASSES = RNG.random((150, 4)) < 0.3
CLASSES[~CLASSES.any(axis=1), 0] = True
LABELS = np.array([";".join("abcd"[k] for k in np.flatnonzero(row)) for row in CLASSES])
VECTORS = RNG.standard_normal((150, 6)) + CLASSES @ RNG.standard_normal((4, 6)) * 2
UNIT = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)


@pytest.mark.parametrize("penalty", [0.1, 1.0, 10.0])
def test_weights_equal_those_of_liblinear(penalty):
    model = OneVsRestClassifier(LogisticRegression(C=penalty, solver="liblinear", tol=1e-8)).fit(UNIT, CLASSES)
    expected = np.array([np.append(each.coef_, each.intercept_) for each in model.estimators_])
    weights = _logistic_weights(np.column_stack([UNIT, np.ones(150)]), CLASSES, penalty)
    np.testing.assert_allclose(weights.T, expected, atol=2e-3)


def test_a_node_gets_as_many_classes_as_it_has():
    prediction = classify_nodes(VECTORS, LABELS, train_fraction=0.5, n_splits=1, random_state=3)
    train, test = np.split(np.random.default_rng(3).permutation(150), [75])
    model = OneVsRestClassifier(LogisticRegression(solver="liblinear", tol=1e-8)).fit(UNIT[train], CLASSES[train])
    rank = np.argsort(np.argsort(-model.predict_proba(UNIT[test]), axis=1), axis=1)
    predicted = rank < CLASSES[test].sum(axis=1)[:, None]
    assert prediction.micro_f1 == pytest.approx([f1_score(CLASSES[test], predicted, average="micro")], abs=0.01)
    assert prediction.macro_f1 == pytest.approx([f1_score(CLASSES[test], predicted, average="macro")], abs=0.01)


def test_nodes_without_label_are_ignored():
    labels, vectors = [*LABELS, "", None], np.vstack([VECTORS, np.full((2, 6), 100.0)])
    expected = classify_nodes(VECTORS, LABELS, n_splits=2).micro_f1
    np.testing.assert_array_equal(
        classify_nodes(vectors, np.array(labels, dtype=object), n_splits=2).micro_f1, expected
    )


@pytest.mark.parametrize("fraction", [0.001, 1.0])
def test_a_split_without_training_or_test_nodes_is_an_error(fraction):
    with pytest.raises(InvalidParameterError, match="train_fraction must leave nodes"):
        classify_nodes(VECTORS, LABELS, train_fraction=fraction)
