"""Node prediction: what the nearest neighbours in the vectors tell of a node."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import f1_score, r2_score
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold
from sklearn.neighbors import NearestNeighbors

from residuum._validation import check_integer
from residuum.errors import InvalidParameterError
from residuum.evaluation.values import Values, values_of
from residuum.evaluation.vectors import Vectors, as_vectors, unit_rows

__all__ = ["ClassPrediction", "predict_classes", "predict_numbers"]

Fold = tuple[NDArray[np.int64], NDArray[np.int64]]


@dataclass(frozen=True)
class ClassPrediction:
    """F1 of predicted classes, one value for each fold.

    Attributes
    ----------
    micro_f1 : array of shape (n_folds,)
        Over all decisions; with one class a node the share that is right.
    macro_f1 : array of shape (n_folds,)
        The mean of the F1 of the classes, small ones counting as much as large ones.
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
    """Predict the class of a node by the vote of its k nearest neighbours in cosine, and return the F1 of each fold.

    A node may have several classes, as a text ``"a;b"``. It is then given as many as it has, those with most votes: the
    usual protocol for such data, which takes their number as known. With equal votes the first class in order wins.
    A node with a zero vector is no one's neighbour; it is told by the vote of all nodes that have a vector.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
    labels : array of shape (N,), or mapping of node id to label
        An array is in the order of the vectors; a mapping is for an embedding. Nodes with an empty label, None or NaN
        are left out.
    n_neighbors : int
        k.
    groups : array of shape (N,), optional
        In the order of the vectors: what must not be on both sides of a fold, for example the journal of a journal in a
        year.
    n_folds : int
        Stratified by label where each node has one and no groups are given.
    random_state : int
    """
    u = unit_rows(as_vectors(vectors))
    names = [_names(label) for label in values_of(vectors, labels, "labels").tolist()]
    known = np.array([bool(one) for one in names])
    classes = {name: column for column, name in enumerate(sorted({name for one in names for name in one}))}
    member = np.zeros((len(u), len(classes)), dtype=np.bool_)
    for row, one in enumerate(names):
        member[row, [classes[name] for name in one]] = True
    u, member, counts = u[known], member[known], member[known].sum(axis=1)
    single = bool((counts == 1).all())
    strata = member.argmax(axis=1) if single and groups is None else None
    micro, macro = [], []
    for train, test in _folds(len(u), n_folds, _known(groups, known), strata, random_state):
        votes = _told_by_neighbors(u, member, train, test, n_neighbors)
        told = _most_voted(votes, counts[test])
        # Classes that are neither in the fold nor predicted there say nothing.
        seen = (member[test] | told).any(axis=0)
        micro.append(f1_score(member[test], told, average="micro", zero_division=0.0))
        macro.append(f1_score(member[test][:, seen], told[:, seen], average="macro", zero_division=0.0))
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
    """Predict a number of a node by the mean of its k nearest neighbours in cosine, and return the R² of each fold.

    A node with a zero vector is no one's neighbour; it is told the mean of all nodes that have a vector.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
    numbers : array of shape (N,), or mapping of node id to number
        At least two different ones. An array is in the order of the vectors; a mapping is for an embedding. Nodes with
        NaN are left out.
    n_neighbors : int
        k.
    groups : array of shape (N,), optional
        In the order of the vectors: what must not be on both sides of a fold.
    n_folds : int
    random_state : int
    """
    u = unit_rows(as_vectors(vectors))
    y = values_of(vectors, numbers, "numbers").astype(np.float64)
    known = np.isfinite(y)
    u, y = u[known], y[known]
    if len(np.unique(y)) < 2:
        raise InvalidParameterError(
            f"numbers must take at least two values, or there is nothing to predict; the {len(y)} nodes that have one "
            f"have {np.unique(y).tolist()}."
        )
    found = [
        r2_score(y[test], _told_by_neighbors(u, y, train, test, n_neighbors))
        for train, test in _folds(len(u), n_folds, _known(groups, known), None, random_state)
    ]
    return np.array(found)


def _names(label: Any) -> set[str]:
    if label is None or label != label:
        return set()
    return {part.strip() for part in str(label).split(";")} - {""}


def _known(groups: ArrayLike | None, known: NDArray[np.bool_]) -> NDArray[Any] | None:
    if groups is None:
        return None
    values = np.asarray(groups)
    if values.shape != known.shape:
        raise InvalidParameterError(f"groups must have one value for each of the {len(known)} nodes.")
    return np.asarray(np.unique(values[known], return_inverse=True)[1].ravel())


def _folds(
    n_rows: int, n_folds: int, groups: NDArray[Any] | None, strata: NDArray[np.int64] | None, seed: int
) -> Iterator[Fold]:
    check_integer("n_folds", n_folds, minimum=2)
    rows = np.zeros(n_rows)
    if groups is not None:
        return iter(GroupKFold(n_folds, shuffle=True, random_state=seed).split(rows, groups=groups))
    if strata is not None and np.bincount(strata).min() >= n_folds:
        return iter(StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(rows, strata))
    return iter(KFold(n_folds, shuffle=True, random_state=seed).split(rows))


def _told_by_neighbors(
    unit: NDArray[np.float64],
    values: NDArray[Any],
    train: NDArray[np.int64],
    test: NDArray[np.int64],
    n_neighbors: int,
) -> NDArray[np.float64]:
    """Return for each row of ``test`` the mean value of the nearest ones in ``train``, or of all if it is zero."""
    check_integer("n_neighbors", n_neighbors, minimum=1)
    present = np.asarray(unit.any(axis=1))
    asked = train[present[train]]
    if n_neighbors > len(asked):
        raise InvalidParameterError(
            f"n_neighbors must be at most {len(asked)}, the nodes of a fold whose vector is not zero; "
            f"got {n_neighbors}."
        )
    index = NearestNeighbors(n_neighbors=n_neighbors, algorithm="brute").fit(unit[asked])
    told = values[asked][index.kneighbors(unit[test], return_distance=False)].mean(axis=1)
    told[~present[test]] = values[asked].mean(axis=0)
    return np.asarray(told)


def _most_voted(votes: NDArray[np.float64], counts: NDArray[np.int64]) -> NDArray[np.bool_]:
    order = np.argsort(-votes, axis=1, kind="stable")
    told = np.zeros(votes.shape, dtype=np.bool_)
    np.put_along_axis(told, order, np.arange(votes.shape[1]) < counts[:, None], axis=1)
    return told
