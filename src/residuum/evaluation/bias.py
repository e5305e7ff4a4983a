"""How much similarity still depends on what was to be removed, and what a predictor still finds."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from residuum._random import as_generator
from residuum._threads import thread_limit
from residuum.errors import InvalidParameterError
from residuum.evaluation.linear_predictor import LinearPredictor
from residuum.evaluation.values import Kind, Values, is_known, of_kind, values_of
from residuum.evaluation.vectors import Vectors, as_vectors

__all__ = ["Predictability", "attribute_auc", "label_predictability", "similarity_dependence"]

# Cosines that differ by less are those of vectors of one direction.
_ROUNDING = 1e-12


def similarity_dependence(
    vectors: Vectors,
    attribute: Values,
    *,
    kind: Kind | None = None,
    n_pairs: int = 50_000,
    random_state: int | None = 0,
) -> float:
    """Return the R² of predicting the cosine of two nodes from an attribute that they have.

    For numbers the paper's regression, ``cos(u_i, u_j) ~ x_i + x_j, |x_i − x_j|, x_i x_j``; for labels its analogue,
    ``cos(u_i, u_j) ~ [l_i = l_j]``. Random pairs, mean R² of five folds. Near 0: similarity does not depend on the
    attribute, or all vectors point the same way. Nodes with a zero vector, or whose attribute is missing (None, NaN or
    an empty text), are left out.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
    attribute : array of shape (N,), or mapping of node id to value
        For example the log of the degree, or a year. An array is in the order of the vectors; a mapping is for an
        embedding.
    kind : {"number", "label"}, optional
        What the attribute is. By default floating-point numbers are numbers, and anything else is a label: of years in
        whole numbers say "number".
    n_pairs : int
    random_state : int or None
    """
    rng = as_generator(random_state)
    u = as_vectors(vectors)
    norms = np.linalg.norm(u, axis=1)
    x, numeric = of_kind(values_of(vectors, attribute, "attribute"), kind, "attribute")
    usable = np.flatnonzero((norms > 0) & is_known(x))
    if len(usable) < 2:
        raise InvalidParameterError(
            f"attribute must be known for at least two nodes whose vector is not zero; it is for {len(usable)}."
        )
    i, j = usable[rng.integers(len(usable), size=(2, n_pairs))]
    i, j = i[i != j], j[i != j]
    cosine = np.einsum("pk,pk->p", u[i], u[j]) / (norms[i] * norms[j])
    if np.ptp(cosine) < _ROUNDING:
        return 0.0
    features: NDArray[np.float64]
    if numeric:
        features = np.stack([x[i] + x[j], np.abs(x[i] - x[j]), x[i] * x[j]], axis=1)
    else:
        features = (x[i] == x[j]).astype(np.float64)[:, None]
    return float(np.mean(cross_val_score(LinearRegression(), features, cosine, cv=5, scoring="r2")))


@dataclass(frozen=True)
class Predictability:
    """Balanced accuracy of a predictor over five folds.

    Attributes
    ----------
    accuracy : float
    margin : float
        Half of the width of the 90 % confidence interval over the folds.
    chance : float
        One over the number of labels.
    """

    accuracy: float
    margin: float
    chance: float

    @property
    def above_chance(self) -> bool:
        """Whether the confidence interval lies above chance."""
        return self.accuracy - self.margin > self.chance


def label_predictability(
    vectors: Vectors, labels: Values, *, n_nodes: int = 3000, random_state: int | None = 0
) -> dict[str, Predictability]:
    """Return how well a linear, a nearest-neighbour and a boosted-tree predictor find a label in the vectors.

    "linear" is :class:`LinearPredictor`, which answers with a constant where nothing linear is to be found; "linear,
    forced" a logistic regression that must tell the labels apart all the same. Where groups have the same mean and
    differ in spread, the second can be above chance although it has no lower loss than a constant.

    Missing labels (None, NaN or an empty text) and labels of fewer than ten nodes are left out; of large graphs a
    random sample of ``n_nodes`` is taken.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
    labels : array of shape (N,), or mapping of node id to label
        An array is in the order of the vectors; a mapping is for an embedding.
    n_nodes : int
    random_state : int or None
    """
    rng = as_generator(random_state)
    u = as_vectors(vectors)
    names = values_of(vectors, labels, "labels")
    usable, y = _usable(u, names, is_known(names), n_nodes, rng)
    predictors: dict[str, BaseEstimator] = {
        "linear": make_pipeline(StandardScaler(), LinearPredictor()),
        "linear, forced": make_pipeline(StandardScaler(), LogisticRegression(max_iter=300, class_weight="balanced")),
        "nearest neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(10)),
        "boosted trees": HistGradientBoostingClassifier(max_iter=20, max_leaf_nodes=15, random_state=0),
    }
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    result = {}
    for name, predictor in predictors.items():
        with thread_limit(1):  # these fits are too small to share
            scores = cross_val_score(predictor, u[usable], y, cv=folds, scoring="balanced_accuracy")
        # Student's t with four degrees of freedom, 90 %.
        margin = 2.132 * float(scores.std(ddof=1)) / np.sqrt(5)
        result[name] = Predictability(float(scores.mean()), float(margin), 1.0 / (int(y.max()) + 1))
    return result


def attribute_auc(
    vectors: Vectors,
    attribute: Values,
    *,
    kind: Kind | None = None,
    n_nodes: int = 3000,
    random_state: int | None = 0,
) -> dict[str, float]:
    """Return the AUC with which a linear and a nearest-neighbour predictor tell an attribute from the vectors.

    The chance that a node with the label gets a higher predicted probability of it than one without, ties counting
    half; the mean over labels if there are more than two. For numbers, whether they are above the median (at or above
    it, where more than half of the nodes have the highest). 0.5: nothing is found. Below 0.5: groups have the same
    mean, so that each fold misleads a linear predictor about the fold that is left out. Five folds; nodes whose
    attribute is missing (None, NaN or an empty text) and labels of fewer than ten nodes are left out, and of large
    graphs a random sample is taken.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
    attribute : array of shape (N,), or mapping of node id to value
        An array is in the order of the vectors; a mapping is for an embedding.
    kind : {"number", "label"}, optional
        What the attribute is. By default floating-point numbers are numbers, and anything else is a label: of years in
        whole numbers say "number".
    n_nodes : int
    random_state : int or None
    """
    u = as_vectors(vectors)
    x, numeric = of_kind(values_of(vectors, attribute, "attribute"), kind, "attribute")
    known = is_known(x)
    if numeric and known.any():
        x = _is_high(x, known)
    usable, y = _usable(u, x, known, n_nodes, as_generator(random_state))
    n_labels = int(y.max(initial=0)) + 1
    if n_labels < 2:
        raise InvalidParameterError("attribute must have at least two labels with ten nodes each.")
    predictors: dict[str, BaseEstimator] = {
        "linear": make_pipeline(StandardScaler(), LogisticRegression(max_iter=300, class_weight="balanced")),
        "nearest neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(10)),
    }
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    result = {}
    for name, predictor in predictors.items():
        with thread_limit(1):
            told = cross_val_predict(predictor, u[usable], y, cv=folds, method="predict_proba")
        of_labels = [roc_auc_score(y == label, told[:, label]) for label in range(1 if n_labels == 2 else 0, n_labels)]
        result[name] = float(np.mean(of_labels))
    return result


def _is_high(numbers: NDArray[Any], known: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which numbers are above the median of the known ones, or at it if none is above."""
    median = np.median(numbers[known])
    above = np.asarray(numbers > median) & known
    return above if above.any() else np.asarray(numbers >= median)


def _usable(
    vectors: NDArray[np.float64],
    labels: NDArray[Any],
    known: NDArray[np.bool_],
    n_nodes: int,
    rng: np.random.Generator,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return a sample of nodes with a vector and a label that ten of them have, and their labels as numbers."""
    usable = np.flatnonzero((np.linalg.norm(vectors, axis=1) > 0) & known)
    if len(usable) > n_nodes:
        usable = rng.choice(usable, n_nodes, replace=False)
    found, counts = np.unique(labels[usable], return_counts=True)
    usable = usable[np.isin(labels[usable], found[counts >= 10])]
    return usable, np.asarray(np.unique(labels[usable], return_inverse=True)[1].ravel())
