"""Teleportation: how a walker goes on where edges alone would not let it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._validation import check_real
from residuum.errors import InvalidParameterError
from residuum.graph.graph import Graph

__all__ = ["Teleport", "resolve_teleport"]


@dataclass(frozen=True)
class Teleport:
    """From node i the walker jumps with probability ``probability[i]`` to a node drawn from ``target``.

    With it a step is ``P_ij = (1 − τ_i) A_ij / d_i + τ_i v_j``: sparse plus rank one.

    Attributes
    ----------
    probability : array of shape (N,)
        τ_i: the same for all nodes with out-edges, 1 for dangling nodes.
    target : array of shape (N,)
        v_j, summing to 1.
    """

    probability: NDArray[np.float64]
    target: NDArray[np.float64]

    @property
    def base_probability(self) -> float:
        """The probability at nodes with out-edges."""
        return float(self.probability.min())


def resolve_teleport(graph: Graph, probability: Any) -> Teleport | None:
    """Return how walkers teleport on ``graph``, or None if edges alone lead them everywhere they go.

    Dangling nodes of a directed graph always teleport; the target is proportional to the out-strength, so that
    no walker lands where it would be stuck again.

    Parameters
    ----------
    graph : Graph
    probability : float or None
        τ in [0, 1); None means 0. Undirected graphs take None or 0 only.
    """
    tau = 0.0 if probability is None else check_real("teleport", probability, minimum=0.0, maximum=1.0)
    if not graph.directed:
        if tau > 0:
            raise InvalidParameterError(
                f"teleport is for directed graphs, and this one is undirected; got {probability!r}. Leave it out."
            )
        return None
    if tau == 1.0:
        raise InvalidParameterError("teleport must be below 1: a walker that always jumps sees no edge.")
    dangling = graph.out_strength == 0
    if tau == 0 and not dangling.any():
        return None
    target = graph.out_strength / graph.out_strength.sum()
    return Teleport(np.where(dangling, 1.0, tau), target)
