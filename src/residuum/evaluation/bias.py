"""Leakage of an attribute: dependence of similarity on it, and accuracy of predicting it from the vectors."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from residuum._random import as_generator
from residuum._threads import thread_limit
from residuum.errors import InvalidParameterError
from residuum.evaluation.linear_predictor import LinearPredictor
from residuum.evaluation.link_prediction import auc_roc
from residuum.evaluation.values import Kind, Values, of_kind, values_of
from residuum.evaluation.vectors import Vectors, as_vectors
from residuum.graph import Labels, is_known

__all__ = ["Predictability", "attribute_auc", "auc_meaning", "label_predictability", "similarity_dependence"]

# Cosines with a range below this are constant up to rounding.
_ROUNDING = 1e-12
# Nodes that a label needs to be predicted.
_FEWEST = 10


def similarity_dependence(
    vectors: Vectors,
    attribute: Values,
    *,
    kind: Kind | None = None,
    n_pairs: int = 50_000,
    random_state: int | None = 0,
) -> float:
    """Return the R² of a regression of the cosine of two nodes on an attribute of the nodes.

    For numbers this is the regression of the paper, ``cos(u_i, u_j) ~ x_i + x_j, |x_i − x_j|, x_i x_j``; for labels it
    is ``cos(u_i, u_j) ~ [l_i = l_j]``. R² is averaged over five folds of random pairs. It is near 0 if similarity does
    not depend on the attribute, or if all vectors have the same direction. Nodes with a zero vector or a missing value
    (None, NaN or an empty string) are ignored.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node.
    attribute : array of shape (N,), or mapping of node id to value
        For example the log degree, or a year. In the order of the vectors if they are an array, by node id if they are
        an Embedding.
    kind : {"number", "label"}, optional
        Type of the attribute. By default floating-point values are numbers and all others are labels; use "number" for
        years stored as integers.
    n_pairs : int
        Number of random pairs.
    random_state : int or None
        Seed of the pairs.

    Returns
    -------
    float
        R² on the test folds, at most 1; small negative values occur by chance.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> vectors = Residual2Vec(4, random_state=0).fit_transform(graph)
    >>> round(similarity_dependence(vectors, graph.node_attributes["club"]), 1)
    0.7
    """
    rng = as_generator(random_state)
    u = as_vectors(vectors)
    norms = np.linalg.norm(u, axis=1)
    x, numeric = of_kind(values_of(vectors, attribute, "attribute"), kind, "attribute")
    usable = np.flatnonzero((norms > 0) & is_known(x))
    if len(usable) < 2:
        raise InvalidParameterError(
            f"attribute must have a value for at least two nodes with a nonzero vector; got {len(usable)}."
        )
    i, j = usable[rng.integers(len(usable), size=(2, n_pairs))]
    i, j = i[i != j], j[i != j]
    cosine = np.einsum("pk,pk->p", u[i], u[j]) / (norms[i] * norms[j])
    if np.ptp(cosine) < _ROUNDING:
        return 0.0
    features: NDArray[np.float64]
    if numeric:
        # The model is the same for any unit of x.
        x = x / (np.abs(x[usable]).max() or 1.0)
        features = np.stack([x[i] + x[j], np.abs(x[i] - x[j]), x[i] * x[j]], axis=1)
    else:
        features = (x[i] == x[j]).astype(np.float64)[:, None]
    return float(np.mean(cross_val_score(LinearRegression(), features, cosine, cv=5, scoring="r2")))


@dataclass(frozen=True)
class Predictability:
    """Balanced accuracy of a predictor in five-fold cross-validation.

    Attributes
    ----------
    accuracy : float
        Mean over the folds.
    margin : float
        Half the width of the 90 % confidence interval over the folds.
    chance : float
        Accuracy of guessing: one over the number of labels.

    Examples
    --------
    >>> Predictability(accuracy=0.62, margin=0.05, chance=0.5).above_chance
    True
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
    """Return the balanced accuracy of four predictors of a label from the vectors.

    "linear" is :class:`LinearPredictor`, which predicts a constant if it finds no linear signal; "linear, forced" is a
    logistic regression without this fallback. If groups have the same mean but different variances, the latter can be
    above chance although its loss is no lower than that of a constant. The other two are "nearest neighbors" and
    "boosted trees".

    Nodes with a zero vector or a missing label (None, NaN or an empty string) are ignored. If more than ``n_nodes``
    nodes remain, a random sample of them is used. Labels with fewer than ten of these nodes are ignored.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node.
    labels : array of shape (N,), or mapping of node id to label
        In the order of the vectors if they are an array, by node id if they are an Embedding.
    n_nodes : int
        Maximum number of nodes used.
    random_state : int or None
        Seed of the sample of nodes.

    Returns
    -------
    dict of str to Predictability
        Result of each predictor, by name.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> vectors = Residual2Vec(4, random_state=0).fit_transform(graph)
    >>> label_predictability(vectors, graph.node_attributes["club"])["linear"].above_chance
    True
    """
    rng = as_generator(random_state)
    u = as_vectors(vectors)
    label_of_node = values_of(vectors, labels, "labels")
    usable, y = _labeled_sample(u, label_of_node, is_known(label_of_node), n_nodes, rng)
    if len(np.unique(y)) < 2:
        raise InvalidParameterError(
            f"labels must have at least two labels, each of at least {_FEWEST} nodes with a nonzero vector; got "
            f"{len(np.unique(y))}."
        )
    predictors: dict[str, BaseEstimator] = {
        "linear": make_pipeline(StandardScaler(), LinearPredictor()),
        "linear, forced": make_pipeline(StandardScaler(), LogisticRegression(max_iter=300, class_weight="balanced")),
        "nearest neighbors": make_pipeline(StandardScaler(), KNeighborsClassifier(10)),
        "boosted trees": HistGradientBoostingClassifier(max_iter=20, max_leaf_nodes=15, random_state=0),
    }
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    result = {}
    for name, predictor in predictors.items():
        with thread_limit(1):  # the fits are too small to gain from threads
            scores = cross_val_score(predictor, u[usable], y, cv=folds, scoring="balanced_accuracy")
        # 2.132 is the 95 % quantile of Student's t with four degrees of freedom.
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
    """Return the AUC of a linear and a nearest-neighbor predictor of an attribute from the vectors.

    The AUC is the probability that a node with the label gets a higher predicted probability of it than a node without,
    ties counting half. It is averaged over labels if there are more than two. Numbers are predicted as above the median
    or not (at or above the median, if no number exceeds it). An AUC of 0.5 is chance. It can be below 0.5 if groups
    have the same mean, because the training folds then mislead a linear predictor about the test fold. There are five
    folds.

    Nodes with a zero vector or a missing value (None, NaN or an empty string) are ignored. If more than ``n_nodes``
    nodes remain, a random sample of them is used. Labels with fewer than ten of these nodes are ignored.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node.
    attribute : array of shape (N,), or mapping of node id to value
        In the order of the vectors if they are an array, by node id if they are an Embedding.
    kind : {"number", "label"}, optional
        Type of the attribute. By default floating-point values are numbers and all others are labels; use "number" for
        years stored as integers.
    n_nodes : int
        Maximum number of nodes used.
    random_state : int or None
        Seed of the sample of nodes.

    Returns
    -------
    dict of str to float
        AUC of the predictors "linear" and "nearest neighbors".

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> vectors = Residual2Vec(4, random_state=0).fit_transform(graph)
    >>> round(attribute_auc(vectors, graph.node_attributes["club"])["linear"], 1)
    1.0
    """
    u = as_vectors(vectors)
    x, numeric = of_kind(values_of(vectors, attribute, "attribute"), kind, "attribute")
    has_value = is_known(x)
    if numeric and has_value.any():
        x = _is_high(x, has_value)
    usable, y = _labeled_sample(u, x, has_value, n_nodes, as_generator(random_state))
    n_labels = int(y.max(initial=0)) + 1
    if n_labels < 2:
        raise InvalidParameterError(
            f"attribute must have at least two labels with ten or more nodes each; got {len(np.unique(y))}."
        )
    predictors: dict[str, BaseEstimator] = {
        "linear": make_pipeline(StandardScaler(), LogisticRegression(max_iter=300, class_weight="balanced")),
        "nearest neighbors": make_pipeline(StandardScaler(), KNeighborsClassifier(10)),
    }
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    result = {}
    for name, predictor in predictors.items():
        with thread_limit(1):
            probability = cross_val_predict(predictor, u[usable], y, cv=folds, method="predict_proba")
        aucs = [
            auc_roc(probability[y == label, label], probability[y != label, label])
            for label in range(1 if n_labels == 2 else 0, n_labels)
        ]
        result[name] = float(np.mean(aucs))
    return result


def auc_meaning(auc: float, predictor: str, n_nodes: int, share: float = 0.5) -> str:
    """Return what an AUC of :func:`attribute_auc` says, in one line.

    An AUC below chance by more than two standard deviations of a random ranking is reported as such. It occurs if the
    groups have equal mean vectors, as after erasure: the means of the training folds then differ in the opposite
    direction from those of the test fold. Someone who knows most labels can reverse the predictor.

    Parameters
    ----------
    auc : float
        Measured AUC.
    predictor : str
        Name of the predictor, for the text.
    n_nodes : int
        Number of nodes with a value.
    share : float, default 0.5
        Fraction of the nodes with the label.

    Returns
    -------
    str
        The predictor, and how the AUC compares with chance.

    Examples
    --------
    >>> auc_meaning(0.62, "linear predictor", 100)
    'linear predictor; 0.5 = chance'
    >>> auc_meaning(0.282, "linear predictor", 100)
    'linear predictor; below chance (0.5), as after erasure; reversed, it has AUC 0.718'
    """
    deviation = np.sqrt((n_nodes + 1) / (12 * n_nodes**2 * share * (1 - share)))
    if auc >= 0.5 - 2 * deviation:
        return f"{predictor}; 0.5 = chance"
    return f"{predictor}; below chance (0.5), as after erasure; reversed, it has AUC {1 - auc:.3f}"


def _is_high(numbers: NDArray[Any], has_value: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which numbers are above the median of those present, or at or above it if none is above."""
    median = np.median(numbers[has_value])
    above = np.asarray(numbers > median) & has_value
    return above if above.any() else np.asarray(numbers >= median)


def _labeled_sample(
    vectors: NDArray[np.float64],
    labels: NDArray[Any],
    has_label: NDArray[np.bool_],
    n_nodes: int,
    rng: np.random.Generator,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return a sample of nodes with a nonzero vector and a label that at least ten of them have, and label codes."""
    usable = np.flatnonzero((np.linalg.norm(vectors, axis=1) > 0) & has_label)
    if len(usable) > n_nodes:
        usable = rng.choice(usable, n_nodes, replace=False)
    codes = Labels.of(labels)[1]
    usable = usable[np.bincount(codes[usable])[codes[usable]] >= _FEWEST] if len(usable) else usable
    return usable, np.asarray(np.unique(codes[usable], return_inverse=True)[1].ravel())
