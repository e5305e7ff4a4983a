"""Teleportation: how a walker goes on where edges alone would not let it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from residuum._validation import check_real
from residuum.errors import InvalidParameterError
from residuum.graph.graph import Graph

__all__ = ["DEFAULT_TELEPORT", "Teleport", "resolve_teleport"]

# The probability that is switched on for directed graphs that are not strongly connected.
DEFAULT_TELEPORT = 0.05


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


def resolve_teleport(graph: Graph, teleport: Any) -> Teleport | None:
    """Return how walkers teleport on ``graph``, or None if edges alone lead them everywhere they go.

    Dangling nodes of a directed graph always teleport.

    Parameters
    ----------
    graph : Graph
    teleport : None, float, or a pair of a float and a target
        τ in [0, 1). None means 0 on strongly connected graphs and 0.05 on others, which keeps walkers from being
        trapped. The target is "out-strength" (the default: no walker lands where it would be stuck again),
        "uniform", or an array of N non-negative weights. Undirected graphs take None or 0 only.
    """
    probability, target = teleport if isinstance(teleport, (tuple, list)) else (teleport, "out-strength")
    if not graph.directed:
        if probability:
            raise InvalidParameterError(
                f"teleport is for directed graphs, and this one is undirected; got {teleport!r}. Leave it out."
            )
        return None
    if probability is None:
        n_components = connected_components(graph.adjacency, directed=True, connection="strong")[0]
        probability = DEFAULT_TELEPORT if n_components > 1 else 0.0
    tau = check_real("teleport", probability, minimum=0.0, maximum=1.0)
    if tau == 1.0:
        raise InvalidParameterError("teleport must be below 1: a walker that always jumps sees no edge.")
    dangling = graph.out_strength == 0
    if tau == 0 and not dangling.any():
        return None
    return Teleport(np.where(dangling, 1.0, tau), _target(graph, target))


def _target(graph: Graph, target: Any) -> NDArray[np.float64]:
    if isinstance(target, str):
        if target not in {"out-strength", "uniform"}:
            raise InvalidParameterError(
                f"the target of teleport must be 'out-strength', 'uniform' or an array of weights; got {target!r}."
            )
        weights = graph.out_strength if target == "out-strength" else np.ones(graph.n_nodes)
    else:
        weights = np.asarray(target, dtype=np.float64)
        if weights.shape != (graph.n_nodes,) or not np.isfinite(weights).all() or weights.min() < 0:
            raise InvalidParameterError(
                f"the target of teleport must be {graph.n_nodes} finite, non-negative weights; "
                f"got shape {weights.shape}."
            )
    # Nobody lands on an isolated node: nothing is known of it.
    weights = np.where((graph.out_strength > 0) | (graph.in_strength > 0), weights, 0.0)
    if not weights.any():
        raise InvalidParameterError(
            "the target of teleport has weight on no node that has an edge; give one of them a weight above 0."
        )
    return np.asarray(weights / weights.sum())
