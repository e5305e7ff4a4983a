"""Warnings about valid fits whose result may not be what the user intended."""

import warnings

import numpy as np

from residuum.errors import ResiduumWarning
from residuum.graph import Graph
from residuum.nulls import FittedNull
from residuum.nulls.bipartite import Sides
from residuum.residual import Erasure

__all__ = ["warn_about_groups", "warn_about_structure"]

# Stack level of the line that calls fit, which calls _fit, which calls these functions.
_CALLER_OF_FIT = 4
# Share of the largest strength below which probabilities underflow in float32.
_FAINT = 1e-36


def warn_about_structure(graph: Graph, *, count_connected: bool = True) -> None:
    """Warn about isolated nodes, several connected components and dangling nodes, all in one warning.

    Parameters
    ----------
    graph : Graph
        The training graph.
    count_connected : bool, default True
        Whether to count connected components, which needs all edges.
    """
    facts = []
    isolated = int(np.count_nonzero((graph.out_strength == 0) & (graph.in_strength == 0)))
    if isolated:
        facts.append(f"{isolated} isolated node{'s' if isolated > 1 else ''} (zero vectors, offset -inf)")
    n_connected = graph.n_connected_components - isolated if count_connected else 1
    if n_connected > 1:
        facts.append(f"{n_connected} connected components (unconnected nodes get the minimum association, the floor)")
    dangling = int(np.count_nonzero((graph.out_strength == 0) & (graph.in_strength > 0)))
    if dangling:
        facts.append(f"{dangling} dangling node{'s' if dangling > 1 else ''} without out-edges (walks end there)")
    faint = int(np.count_nonzero((graph.out_strength > 0) & (graph.out_strength < _FAINT * graph.out_strength.max())))
    if faint:
        facts.append(
            f"{faint} node{'s' if faint > 1 else ''} with less than {_FAINT:g} of the largest strength, too little for "
            "single precision (their associations are at the floor)"
        )
    if facts:
        warnings.warn(f"the graph has {'; '.join(facts)}.", ResiduumWarning, stacklevel=_CALLER_OF_FIT)


def warn_about_groups(null: FittedNull, floor: float, erasure: Erasure | None) -> None:
    """Warn that vectors still encode the groups of the null model at a negative floor without erasure.

    There is no warning about the two sides of a bipartite graph.

    Parameters
    ----------
    null : FittedNull
        The fitted null model.
    floor : float
        Minimum association; no warning at 0.
    erasure : Erasure or None
        Erased attributes; no warning if there are any.
    """
    form = null.block_form
    if isinstance(getattr(null, "grouping", None), Sides):
        return  # The sides of a bipartite graph are no secret.
    if erasure is None and floor < 0 and form is not None and form.n_groups > 1:
        warnings.warn(
            f"a null model with groups makes similarity depend less on them, but at a negative floor ({floor:g}) a "
            "linear model still predicts the groups from the vectors; use erase='null', after which no linear model "
            "does, or with erase_level='distribution' no model of any kind (floor=0 leaks less).",
            ResiduumWarning,
            stacklevel=_CALLER_OF_FIT,
        )
