"""What a user should be told about a fit that works, but may not be what was meant."""

import warnings

import numpy as np

from residuum.errors import ResiduumWarning
from residuum.graph import Graph, Teleport
from residuum.nulls import FittedNull
from residuum.residual import Erasure

__all__ = ["warn_of_leak", "warn_of_structure"]

# Both functions are called by an estimator's fit: the warning is shown at the line that called fit.
_CALLER_OF_FIT = 4


def warn_of_structure(graph: Graph, teleport: Teleport | None, *, asked: bool) -> None:
    """Say once what the graph makes of the result: isolated nodes, components, dangling nodes, teleportation."""
    facts = []
    isolated = int(np.count_nonzero((graph.out_strength == 0) & (graph.in_strength == 0)))
    if isolated:
        facts.append(f"{isolated} isolated node{'s' if isolated > 1 else ''} (zero vectors, offset -inf)")
    components = graph.n_components - isolated
    if components > 1:
        facts.append(f"{components} components (pairs across them have the floor as association)")
    dangling = int(np.count_nonzero((graph.out_strength == 0) & (graph.in_strength > 0)))
    if dangling:
        facts.append(
            f"{dangling} dangling node{'s' if dangling > 1 else ''} without out-edges (walkers jump from there)"
        )
    if teleport is not None and teleport.base_probability > 0 and not asked:
        facts.append(
            "nodes that cannot all reach each other, so that teleportation was switched on with probability "
            f"{teleport.base_probability:g} (teleport=0 switches it off)"
        )
    if facts:
        warnings.warn(f"the graph has {'; '.join(facts)}.", ResiduumWarning, stacklevel=_CALLER_OF_FIT - 1)


def warn_of_leak(null: FittedNull, floor: float, erasure: Erasure | None) -> None:
    """Say that a null model with groups alone leaves them in plain sight, more so below a floor of 0."""
    blocks = null.blocks
    if erasure is None and floor < 0 and blocks is not None and blocks.weights.shape[1] > 1:
        warnings.warn(
            "a null model with groups lowers how much similarity depends on them, but at a negative floor a linear "
            "predictor still finds the group in the vectors; erase='null' takes it out (floor=0 leaks less).",
            ResiduumWarning,
            stacklevel=_CALLER_OF_FIT - 1,
        )
