"""The front door: estimators with scikit-learn's contract."""

from residuum.models.residual2vec import Residual2Vec

__all__ = ["Residual2Vec"]
