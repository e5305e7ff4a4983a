"""Linear predictor of a label that falls back to a constant if there is no linear signal."""

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
    """Logistic regression with the penalty of lowest cross-validated loss, or a constant if none is better.

    The loss is ``mean_g mean_{i ∈ g} −ln p_C(y_i | x_i)``, in which all labels g have the same weight. The lowest loss
    over the penalties C is compared with ``ln n_labels``, the loss of the constant; the constant is used unless the
    loss is lower by more than two standard errors. Vectors are linearly guarded if and only if all labels have the same
    mean vector; no linear predictor then has a lower loss than the constant. Its *accuracy* can still be above chance:
    with three or more labels, a fit to noise can exploit the different spreads of the groups whatever the penalty,
    because the most probable label does not depend on the size of the differences.

    Parameters
    ----------
    penalties : sequence of float
        Inverse regularization strengths C to choose from.

    Attributes
    ----------
    constant_ : bool
        Whether the constant is used.
    loss_ : float
        Loss divided by that of the constant; 1 if the constant is used.

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
        """Choose the penalty by cross-validation, and fit with it.

        Parameters
        ----------
        X : array of shape (n, K)
            One vector per row.
        y : array of shape (n,)
            Labels, at least two distinct.

        Returns
        -------
        self
        """
        self.classes_, codes = np.unique(y, return_inverse=True)
        folds = StratifiedKFold(_FOLDS, shuffle=True, random_state=0)
        losses, errors = [], []
        for penalty in self.penalties:
            probability = cross_val_predict(self._regression(penalty), X, codes, cv=folds, method="predict_proba")
            row_losses = -np.log(np.maximum(probability[np.arange(len(codes)), codes], 1e-12))
            by_label = [row_losses[codes == code] for code in range(len(self.classes_))]
            losses.append(float(np.mean([label_losses.mean() for label_losses in by_label])))
            variance = sum(label_losses.var() / len(label_losses) for label_losses in by_label)
            errors.append(float(np.sqrt(variance) / len(by_label)))
        best = int(np.argmin(losses))
        constant = float(np.log(len(self.classes_)))
        self.constant_ = losses[best] + _STANDARD_ERRORS * errors[best] >= constant
        self.loss_ = 1.0 if self.constant_ else losses[best] / constant
        if not self.constant_:
            self.regression_ = self._regression(self.penalties[best]).fit(X, codes)
        return self

    def predict(self, X: NDArray[Any]) -> NDArray[Any]:
        """Return the predicted label of each row; always the first label if the constant is used.

        Parameters
        ----------
        X : array of shape (n, K)
            One vector per row.

        Returns
        -------
        array of shape (n,)
            Labels, of the type of ``y`` in :meth:`fit`.
        """
        codes = np.zeros(len(X), dtype=np.int64) if self.constant_ else self.regression_.predict(X)
        return np.asarray(self.classes_[codes])

    @staticmethod
    def _regression(penalty: float) -> LogisticRegression:
        return LogisticRegression(C=penalty, max_iter=300, class_weight="balanced")
