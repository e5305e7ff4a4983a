"""Prediction of classes and numbers of nodes from their nearest neighbors."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import f1_score, r2_score
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold
from sklearn.neighbors import NearestNeighbors

from residuum._validation import check_integer
from residuum.embedding.nearest import unit_rows
from residuum.errors import InvalidParameterError
from residuum.evaluation.values import Values, check_varied, values_of
from residuum.evaluation.vectors import Vectors, as_vectors
from residuum.graph.attributes import as_numbers

__all__ = [
    "ClassPrediction",
    "class_f1",
    "class_membership",
    "highest_ranked",
    "predict_classes",
    "predict_numbers",
]

Fold = tuple[NDArray[np.int64], NDArray[np.int64]]


@dataclass(frozen=True)
class ClassPrediction:
    """F1 of predicted classes, one value per fold.

    Attributes
    ----------
    micro_f1 : array of shape (n_folds,)
        F1 over all decisions; the accuracy if each node has one class.
    macro_f1 : array of shape (n_folds,)
        Unweighted mean of the F1 of the classes.

    Examples
    --------
    >>> vectors = np.repeat(np.eye(2), 10, axis=0)
    >>> predict_classes(vectors, np.repeat(["a", "b"], 10), n_neighbors=3, n_folds=2).micro_f1
    array([1., 1.])
    """

    micro_f1: NDArray[np.float64]
    macro_f1: NDArray[np.float64]


def predict_classes(
    vectors: Vectors,
    labels: Values,
    *,
    n_neighbors: int = 10,
    groups: ArrayLike | None = None,
    n_folds: int = 5,
    random_state: int = 0,
) -> ClassPrediction:
    """Predict the classes of nodes by a vote of the k nearest neighbors by cosine, and return the F1 of each fold.

    A node may have several classes, as a string ``"a;b"``. As is usual for such data, their number is assumed to be
    known: a node with two classes gets the two with most votes. Ties go to the class that sorts first. A node with a
    zero vector is no neighbor of others; its votes come from all training nodes with a nonzero vector.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node.
    labels : array of shape (N,), or mapping of node id to label
        In the order of the vectors if they are an array, by node id if they are an Embedding. Nodes with a missing
        label (None, NaN or an empty string) are ignored.
    n_neighbors : int
        Number of neighbors k.
    groups : array of shape (N,), optional
        Nodes of the same group are never split between training and test; in the order of the vectors. For example the
        journal, if nodes are journals in a year.
    n_folds : int
        Number of folds, stratified by label if each node has one class, each class at least ``n_folds`` nodes, and
        there are no groups.
    random_state : int
        Seed of the folds.

    Returns
    -------
    ClassPrediction
        Micro- and macro-F1 of each fold.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> vectors = Residual2Vec(4, random_state=0).fit_transform(graph)
    >>> prediction = predict_classes(vectors, graph.node_attributes["club"], n_neighbors=5)
    >>> round(prediction.micro_f1.mean().item(), 1)
    1.0
    """
    u = unit_rows(as_vectors(vectors))
    member = class_membership(values_of(vectors, labels, "labels"))
    labeled = np.asarray(member.any(axis=1))
    u, member, counts = u[labeled], member[labeled], member[labeled].sum(axis=1)
    if not len(u):
        raise InvalidParameterError("labels must label at least one node; none has a label.")
    single = bool((counts == 1).all())
    strata = member.argmax(axis=1) if single and groups is None else None
    micro, macro = [], []
    for train, test in _folds(len(u), n_folds, _group_codes(groups, labeled), strata, random_state):
        votes = _neighbor_means(u, member, train, test, n_neighbors)
        fold_micro, fold_macro = class_f1(member[test], highest_ranked(votes, counts[test]))
        micro.append(fold_micro)
        macro.append(fold_macro)
    return ClassPrediction(np.array(micro), np.array(macro))


def predict_numbers(
    vectors: Vectors,
    numbers: Values,
    *,
    n_neighbors: int = 10,
    groups: ArrayLike | None = None,
    n_folds: int = 5,
    random_state: int = 0,
) -> NDArray[np.float64]:
    """Predict a number of nodes by the mean of the k nearest neighbors by cosine, and return the R² of each fold.

    A node with a zero vector is no neighbor of others; its prediction is the mean of all training nodes with a nonzero
    vector.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node.
    numbers : array of shape (N,), or mapping of node id to number
        At least two distinct numbers, in the order of the vectors if they are an array, by node id if they are an
        Embedding. Nodes with NaN are ignored.
    n_neighbors : int
        Number of neighbors k.
    groups : array of shape (N,), optional
        Nodes of the same group are never split between training and test; in the order of the vectors.
    n_folds : int
        Number of folds.
    random_state : int
        Seed of the folds.

    Returns
    -------
    array of shape (n_folds,)
        R² of each fold: 1 is perfect, 0 as good as the mean, negative worse.

    Examples
    --------
    >>> angle = np.linspace(0, 1, 50)
    >>> r_squared = predict_numbers(np.stack([np.cos(angle), np.sin(angle)], axis=1), angle, n_neighbors=2)
    >>> r_squared.round(1)
    array([1., 1., 1., 1., 1.])
    """
    u = unit_rows(as_vectors(vectors))
    y = as_numbers(values_of(vectors, numbers, "numbers"), "numbers")
    finite = np.isfinite(y)
    u, y = u[finite], y[finite]
    check_varied(y, "numbers")
    y = y / np.abs(y).max()  # R² has no unit, and squares of large numbers overflow
    if len(y) < 2 * check_integer("n_folds", n_folds, minimum=2):
        raise InvalidParameterError(
            f"numbers must be known for at least two nodes per fold, {2 * n_folds} nodes; got {len(y)}. Lower n_folds."
        )
    r_squared = [
        r2_score(y[test], _neighbor_means(u, y, train, test, n_neighbors))
        for train, test in _folds(len(u), n_folds, _group_codes(groups, finite), None, random_state)
    ]
    return np.array(r_squared)


def class_membership(labels: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which node has which class.

    Parameters
    ----------
    labels : array of shape (N,)
        Label of each node; several classes as a string ``"a;b"``, none as None, NaN or an empty string.

    Returns
    -------
    bool array of shape (N, C)
        Membership in the classes, which are sorted by name.

    Examples
    --------
    >>> class_membership(np.array(["a;b", "", "b"]))
    array([[ True,  True],
           [False, False],
           [False,  True]])
    """
    class_sets = [_class_set(label) for label in labels.tolist()]
    classes = sorted({name for class_set in class_sets for name in class_set})
    column_of = {name: column for column, name in enumerate(classes)}
    member = np.zeros((len(class_sets), len(classes)), dtype=np.bool_)
    for row, class_set in enumerate(class_sets):
        member[row, [column_of[name] for name in class_set]] = True
    return member


def class_f1(member: NDArray[np.bool_], predicted: NDArray[np.bool_]) -> tuple[float, float]:
    """Return micro- and macro-F1, the latter over classes that occur or are predicted.

    Parameters
    ----------
    member, predicted : bool arrays of shape (n, C)
        True and predicted membership in the classes.

    Returns
    -------
    micro, macro : float
        F1 over all decisions, and unweighted mean of the F1 of the classes.

    Examples
    --------
    >>> class_f1(np.array([[True, False]]), np.array([[False, True]]))
    (0.0, 0.0)
    """
    present = (member | predicted).any(axis=0)
    micro = f1_score(member, predicted, average="micro", zero_division=0.0)
    macro = f1_score(member[:, present], predicted[:, present], average="macro", zero_division=0.0)
    return float(micro), float(macro)


def _class_set(label: Any) -> set[str]:
    if label is None or label != label:
        return set()
    return {part.strip() for part in str(label).split(";")} - {""}


def _group_codes(groups: ArrayLike | None, used: NDArray[np.bool_]) -> NDArray[Any] | None:
    if groups is None:
        return None
    values = np.asarray(groups)
    if values.shape != used.shape:
        raise InvalidParameterError(
            f"groups must have one value for each of the {len(used)} nodes; got shape {values.shape}."
        )
    return np.asarray(np.unique(values[used], return_inverse=True)[1].ravel())


def _folds(
    n_rows: int, n_folds: int, groups: NDArray[Any] | None, strata: NDArray[np.int64] | None, seed: int
) -> Iterator[Fold]:
    check_integer("n_folds", n_folds, minimum=2)
    if n_folds > n_rows:
        raise InvalidParameterError(
            f"n_folds={n_folds} needs at least one node with a value per fold; got {n_rows}. Lower n_folds."
        )
    rows = np.zeros(n_rows)
    if groups is not None:
        return iter(GroupKFold(n_folds, shuffle=True, random_state=seed).split(rows, groups=groups))
    if strata is not None and np.bincount(strata).min() >= n_folds:
        return iter(StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(rows, strata))
    return iter(KFold(n_folds, shuffle=True, random_state=seed).split(rows))


def _neighbor_means(
    unit: NDArray[np.float64],
    values: NDArray[Any],
    train: NDArray[np.int64],
    test: NDArray[np.int64],
    n_neighbors: int,
) -> NDArray[np.float64]:
    """Return for each test row the mean value of its nearest training rows, or of all of them if the row is zero."""
    check_integer("n_neighbors", n_neighbors, minimum=1)
    nonzero = np.asarray(unit.any(axis=1))
    candidates = train[nonzero[train]]
    if n_neighbors > len(candidates):
        raise InvalidParameterError(
            f"n_neighbors must be at most {len(candidates)}, the number of training nodes with a nonzero vector; "
            f"got {n_neighbors}."
        )
    index = NearestNeighbors(n_neighbors=n_neighbors, algorithm="brute").fit(unit[candidates])
    means = values[candidates][index.kneighbors(unit[test], return_distance=False)].mean(axis=1)
    means[~nonzero[test]] = values[candidates].mean(axis=0)
    return np.asarray(means)


def highest_ranked(scores: NDArray[np.float64], counts: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Predict for each row as many classes as it has, those with the highest scores; ties go to the first class.

    Parameters
    ----------
    scores : array of shape (n, C)
        Score of each class.
    counts : int array of shape (n,)
        Number of classes of each row.

    Returns
    -------
    bool array of shape (n, C)
        Predicted classes.

    Examples
    --------
    >>> highest_ranked(np.array([[0.1, 0.7, 0.2]]), np.array([2]))
    array([[False,  True,  True]])
    """
    order = np.argsort(-scores, axis=1, kind="stable")
    predicted = np.zeros(scores.shape, dtype=np.bool_)
    np.put_along_axis(predicted, order, np.arange(scores.shape[1]) < counts[:, None], axis=1)
    return predicted
