"""Parameter tuning on held-out edges."""

from residuum.selection.residual2vec_cv import Residual2VecCV
from residuum.selection.trials import Trial
from residuum.selection.tunables import TUNABLES, Tunable

__all__ = ["TUNABLES", "Residual2VecCV", "Trial", "Tunable"]
