"""Prediction of classes of nodes by logistic regression."""

import numpy as np
from numpy.typing import NDArray

from residuum._validation import check_integer, check_positive, check_real
from residuum.embedding.nearest import unit_rows
from residuum.errors import InvalidParameterError
from residuum.evaluation.node_prediction import ClassPrediction, class_f1, class_membership, highest_ranked
from residuum.evaluation.values import Values, values_of
from residuum.evaluation.vectors import Vectors, as_vectors

__all__ = ["classify_nodes"]

_TOLERANCE, _MOST_STEPS = 1e-7, 300


def classify_nodes(
    vectors: Vectors,
    labels: Values,
    *,
    train_fraction: float = 0.9,
    penalty: float = 1.0,
    n_splits: int = 10,
    random_state: int = 0,
) -> ClassPrediction:
    """Predict the classes of nodes by one logistic regression per class on unit vectors, and return the F1.

    This is the usual protocol of multi-label node classification (DeepWalk, NetMF, CogDL): random training nodes, L2
    penalty ``|w|² / 2C`` with the intercept as another weight, and a node with two classes gets the two of highest
    score.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node.
    labels : array of shape (N,), or mapping of node id to label
        An array follows the order of the vectors; a mapping requires an Embedding. A node may have several classes, as
        a string ``"a;b"``. Nodes with a missing label (None, NaN or an empty string) are ignored.
    train_fraction : float, default 0.9
        Fraction of the labeled nodes to train on.
    penalty : float, default 1.0
        C, the inverse strength of the penalty.
    n_splits : int, default 10
        Number of random splits.
    random_state : int, default 0
        Seed of the splits.

    Returns
    -------
    ClassPrediction
        Micro- and macro-F1 of each split.

    Examples
    --------
    >>> vectors = np.repeat(np.eye(2), 10, axis=0)
    >>> classify_nodes(vectors, np.repeat(["a", "b"], 10), n_splits=2).micro_f1
    array([1., 1.])
    """
    check_real("train_fraction", train_fraction, minimum=0.0, maximum=1.0)
    check_integer("n_splits", n_splits, minimum=1)
    member = class_membership(values_of(vectors, labels, "labels"))
    labeled = np.asarray(member.any(axis=1))
    unit, member = unit_rows(as_vectors(vectors))[labeled], member[labeled]
    n_train = int(train_fraction * len(unit))
    if not 0 < n_train < len(unit):
        raise InvalidParameterError(
            f"train_fraction must leave nodes to train on and nodes to predict; {train_fraction:g} of {len(unit)} "
            f"labeled nodes are {n_train}."
        )
    # The intercept is one more weight.
    rows = np.column_stack([unit, np.ones(len(unit))])
    rng = np.random.default_rng(random_state)
    scores = []
    for _ in range(n_splits):
        train, test = np.split(rng.permutation(len(rows)), [n_train])
        weights = _logistic_weights(rows[train], member[train], check_positive("penalty", penalty))
        scores.append(class_f1(member[test], highest_ranked(rows[test] @ weights, member[test].sum(axis=1))))
    micro, macro = np.array(scores).T
    return ClassPrediction(micro, macro)


def _logistic_weights(rows: NDArray[np.float64], member: NDArray[np.bool_], penalty: float) -> NDArray[np.float64]:
    """Return the weights of all classes, shape (K + 1, C), which one run of L-BFGS minimizes together."""
    from scipy.optimize import minimize

    sign = np.where(member, 1.0, -1.0)
    shape = (rows.shape[1], member.shape[1])

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights = flat.reshape(shape)
        margin = sign * (rows @ weights)
        # ln(1 + e^−m) and its slope, without overflow.
        decay = np.exp(-np.abs(margin))
        value = penalty * float(np.sum(np.log1p(decay) + np.maximum(-margin, 0.0))) + 0.5 * float(flat @ flat)
        slope = np.where(margin > 0, decay, 1.0) / (1.0 + decay)
        return value, (weights - penalty * (rows.T @ (sign * slope))).ravel()

    start = np.zeros(shape[0] * shape[1])
    fitted = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _MOST_STEPS, "ftol": _TOLERANCE})
    return np.asarray(fitted.x).reshape(shape)
