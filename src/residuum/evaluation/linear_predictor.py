"""A linear predictor that knows when there is nothing to predict."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict

__all__ = ["LinearPredictor"]

_FOLDS = 3
_STANDARD_ERRORS = 2.0


class LinearPredictor(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Logistic regression with its penalty chosen by loss, the constant predictor among the choices.

    ``min_C Σ_g mean_{i ∈ g} −ln p_C(y_i | x_i)`` over folds, every label counting the same, against ``ln n_labels``,
    the loss of knowing nothing, which must be beaten by more than two standard errors. Vectors are linearly guarded if
    and only if all labels have the same mean vector, and then no linear predictor has a lower loss than the constant.
    *Accuracy* is another matter: with three labels or more a fit to noise may beat chance by the spread of the groups
    alone, however strong the penalty, as the label of the highest probability does not depend on how small the
    differences are.

    Parameters
    ----------
    penalties : sequence of float
        Inverse strengths C to choose from.

    Attributes
    ----------
    constant_ : bool
        Whether the constant was best.
    loss_ : float
        The loss of the chosen one, as a share of the constant's.

    Examples
    --------
    >>> x = np.arange(60.0)[:, None]
    >>> LinearPredictor().fit(x, x.ravel() > 30).constant_
    False
    >>> LinearPredictor().fit(np.abs(x - 29.5), x.ravel() > 30).constant_
    True
    """

    def __init__(self, penalties: tuple[float, ...] = (1e-4, 1e-2, 1.0)) -> None:
        self.penalties = penalties

    def fit(self, X: NDArray[Any], y: NDArray[Any]) -> "LinearPredictor":
        """Choose the penalty by folds, and fit with it."""
        self.classes_, codes = np.unique(y, return_inverse=True)
        folds = StratifiedKFold(_FOLDS, shuffle=True, random_state=0)
        losses, errors = [], []
        for penalty in self.penalties:
            told = cross_val_predict(self._regression(penalty), X, codes, cv=folds, method="predict_proba")
            surprise = -np.log(np.maximum(told[np.arange(len(codes)), codes], 1e-12))
            by_label = [surprise[codes == code] for code in range(len(self.classes_))]
            losses.append(float(np.mean([one.mean() for one in by_label])))
            errors.append(float(np.sqrt(sum(one.var() / len(one) for one in by_label)) / len(by_label)))
        best = int(np.argmin(losses))
        constant = float(np.log(len(self.classes_)))
        self.constant_ = losses[best] + _STANDARD_ERRORS * errors[best] >= constant
        self.loss_ = 1.0 if self.constant_ else losses[best] / constant
        if not self.constant_:
            self.regression_ = self._regression(self.penalties[best]).fit(X, codes)
        return self

    def predict(self, X: NDArray[Any]) -> NDArray[Any]:
        """Return a label for each row; the first one throughout if nothing was found."""
        codes = np.zeros(len(X), dtype=np.int64) if self.constant_ else self.regression_.predict(X)
        return np.asarray(self.classes_[codes])

    @staticmethod
    def _regression(penalty: float) -> LogisticRegression:
        return LogisticRegression(C=penalty, max_iter=300, class_weight="balanced")
