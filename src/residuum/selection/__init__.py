"""Parameter tuning on held-out edges, and the price of erasure."""

from typing import TYPE_CHECKING

from residuum._lazy import lazy_exports

if TYPE_CHECKING:
    from residuum.selection.frontier import FrontierPoint, measure_frontier, recommended_point
    from residuum.selection.residual2vec_cv import Residual2VecCV
    from residuum.selection.trials import Trial
    from residuum.selection.tunables import TUNABLES, Tunable
else:
    __getattr__, __dir__ = lazy_exports(__name__)

__all__ = [
    "TUNABLES",
    "FrontierPoint",
    "Residual2VecCV",
    "Trial",
    "Tunable",
    "measure_frontier",
    "recommended_point",
]
