"""What a pair head averages: boosted trees and a logistic regression."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._threads import thread_limit
from residuum.evaluation import auc_roc
from residuum.links.examples import PairExamples

__all__ = ["Mixture", "cross_validated", "grown_trees", "log_odds", "logistic_regression"]

_FOLDS = 3
# Boosted trees of a few leaves, each on half of the features.
_TREES = {
    "max_iter": 200,
    "learning_rate": 0.04,
    "max_leaf_nodes": 8,
    "min_samples_leaf": 50,
    "max_features": 0.5,
    "early_stopping": False,
}
# Shares of the trees in the score.
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
# Degrees of the polynomial: products of features need more edges to learn from.
_DEGREES = (1, 2)
# Inverse strength of the regularization, for standardized features.
_C = 0.1


@dataclass(frozen=True)
class Mixture:
    """How the classifiers are averaged.

    Attributes
    ----------
    degree : int
        Degree of the polynomial in the logistic regression.
    share : float
        Share of the trees in the log odds; the rest is the regression.
    auc : float
        AUC on pairs that were not trained on; too high by what the best of ten gains by chance.
    """

    degree: int
    share: float
    auc: float


def grown_trees(features: NDArray[np.float64], is_edge: NDArray[np.bool_], seeds: list[int]) -> list[Any]:
    """Return fitted trees, one classifier for each seed.

    Parameters
    ----------
    features : array of shape (n, number of features)
        Features of pairs.
    is_edge : bool array of shape (n,)
        Whether the pair is an edge.
    seeds : list of int
        Seeds of the choice of features.

    Returns
    -------
    list of HistGradientBoostingClassifier
        The classifiers.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier  # slow to import

    with thread_limit(1):  # OpenMP would wait actively beside other processes
        return [HistGradientBoostingClassifier(**_TREES, random_state=seed).fit(features, is_edge) for seed in seeds]


def logistic_regression(features: NDArray[np.float64], is_edge: NDArray[np.bool_], degree: int) -> Any:
    """Return a fitted logistic regression on a polynomial in the features.

    Parameters
    ----------
    features : array of shape (n, number of features)
        Features of pairs.
    is_edge : bool array of shape (n,)
        Whether the pair is an edge.
    degree : {1, 2}
        Degree of the polynomial.

    Returns
    -------
    Pipeline
        The classifier.
    """
    from sklearn.linear_model import LogisticRegression  # slow to import
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import PolynomialFeatures, StandardScaler

    pipeline = make_pipeline(
        StandardScaler(),
        PolynomialFeatures(degree, include_bias=False),
        StandardScaler(),
        LogisticRegression(C=_C, max_iter=1000),
    )
    return pipeline.fit(features, is_edge)


def log_odds(classifiers: list[Any], features: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean log odds of several classifiers.

    Parameters
    ----------
    classifiers : list of classifier
        Fitted classifiers.
    features : array of shape (n, number of features)
        Features of pairs.

    Returns
    -------
    array of shape (n,)
        Log odds.
    """
    if not len(features):
        return np.empty(0)
    with thread_limit(1):
        return np.asarray(np.mean([classifier.decision_function(features) for classifier in classifiers], axis=0))


def cross_validated(examples: PairExamples, seed: int) -> Mixture:
    """Return the mixture with the highest AUC on pairs that were not trained on.

    Parameters
    ----------
    examples : PairExamples
        Pairs with their features.
    seed : int
        Seed of the trees.

    Returns
    -------
    Mixture
        Degree and share, and the AUC.
    """
    fold, features, is_edge = examples.folds(_FOLDS), examples.features, examples.is_edge
    by_trees = np.empty(len(fold))
    by_degree = {degree: np.empty(len(fold)) for degree in _DEGREES}
    for number in range(_FOLDS):
        left_out = fold == number
        rest, labels = features[~left_out], is_edge[~left_out]
        by_trees[left_out] = log_odds(grown_trees(rest, labels, [seed]), features[left_out])
        for degree, odds in by_degree.items():
            odds[left_out] = log_odds([logistic_regression(rest, labels, degree)], features[left_out])
    mixtures = []
    for degree, odds in by_degree.items():
        for share in _SHARES:
            score = share * by_trees + (1.0 - share) * odds
            mixtures.append(Mixture(degree, share, auc_roc(score[is_edge], score[~is_edge])))
    return max(mixtures, key=lambda mixture: mixture.auc)
