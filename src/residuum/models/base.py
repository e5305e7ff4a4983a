"""What scikit-learn's ``set_output`` needs of an estimator whose rows are nodes, not rows of its input."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin

__all__ = ["GraphTransformer"]


class GraphTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Base of the estimators: vectors of nodes as arrays or, after ``set_output``, as data frames.

    scikit-learn gives a data frame the index of the input. The input of an embedding may be an edge table, whose
    rows are edges; so estimators hand a matrix or a graph to these methods, and put the node ids on the result.
    """

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit to a graph and return the vectors of its nodes."""
        return self.fit(X, y).embedding_

    def transform(
        self, X: Any, groups: ArrayLike | None = None, attributes: Mapping[str, ArrayLike] | None = None
    ) -> Any:
        """Return the vectors of new nodes from the matrix of their edges."""
        return self._embed_newcomers(X, groups, attributes)
