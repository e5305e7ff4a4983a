"""Teleportation of random walkers on directed graphs."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._validation import check_real
from residuum.errors import InvalidParameterError
from residuum.graph import Graph

__all__ = ["DEFAULT_TELEPORT", "Teleport", "resolve_teleport"]

# Default probability on directed graphs that are not strongly connected.
DEFAULT_TELEPORT = 0.05


@dataclass(frozen=True)
class Teleport:
    """``P_ij = (1 − τ_i) A_ij / d_i + τ_i v_j``, the step probabilities of walkers that teleport.

    From node i a walker jumps with probability τ_i to a node sampled from v. The matrix P is sparse plus rank one.

    Attributes
    ----------
    probability : array of shape (N,)
        τ, the same for all nodes with out-edges and 1 for dangling nodes.
    target : array of shape (N,)
        v, which sums to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from residuum.walks import Teleport
    >>> teleport = Teleport(probability=np.array([0.1, 0.1, 1.0]), target=np.array([0.5, 0.5, 0.0]))
    >>> teleport.base_probability
    0.1
    """

    probability: NDArray[np.float64]
    target: NDArray[np.float64]

    @property
    def base_probability(self) -> float:
        """Teleportation probability at nodes with out-edges."""
        return float(self.probability.min())


def resolve_teleport(graph: Graph, teleport: Any) -> Teleport | None:
    """Return the teleportation of a graph from the value of a ``teleport`` parameter.

    Walkers always teleport from the dangling nodes of a directed graph.

    Parameters
    ----------
    graph : Graph
        Graph that the walkers move on.
    teleport : None, float, or (float, target)
        Probability τ in [0, 1). None means 0 on strongly connected graphs and 0.05 on other directed graphs, where
        walkers would get trapped. The target is "out-strength" (default; walkers never land on dangling nodes),
        "uniform", or an array of N non-negative weights. On undirected graphs only None and 0 are allowed.

    Returns
    -------
    Teleport or None
        None if walkers never teleport.

    Raises
    ------
    InvalidParameterError
        If the probability or the target is invalid, or if the graph is undirected and the probability is positive.

    Examples
    --------
    >>> from residuum import Graph
    >>> from residuum.walks import resolve_teleport
    >>> graph = Graph([[0, 2, 1], [1, 0, 0], [0, 0, 0]], directed=True)
    >>> resolve_teleport(graph, 0.15).probability.tolist()
    [0.15, 0.15, 1.0]
    """
    probability, target = teleport if isinstance(teleport, (tuple, list)) else (teleport, "out-strength")
    if not graph.directed:
        if probability:
            raise InvalidParameterError(
                f"teleport must be None or 0 for an undirected graph; got {teleport!r}. "
                "Use a directed graph, or teleport=None."
            )
        return None
    if probability is None:
        from scipy.sparse.csgraph import connected_components  # slow to import, and for directed graphs only

        n_components = connected_components(graph.adjacency, directed=True, connection="strong")[0]
        probability = DEFAULT_TELEPORT if n_components > 1 else 0.0
    tau = check_real("teleport", probability, minimum=0.0, maximum=1.0)
    if tau == 1.0:
        raise InvalidParameterError(f"teleport must be below 1, or walkers never follow an edge; got {probability!r}.")
    dangling = graph.out_strength == 0
    if tau == 0 and not dangling.any():
        return None
    return Teleport(np.where(dangling, 1.0, tau), _target(graph, target))


def _target(graph: Graph, target: Any) -> NDArray[np.float64]:
    if isinstance(target, str):
        if target not in {"out-strength", "uniform"}:
            raise InvalidParameterError(
                f"the teleport target must be 'out-strength', 'uniform' or an array of weights; got {target!r}."
            )
        weights = graph.out_strength if target == "out-strength" else np.ones(graph.n_nodes)
    else:
        weights = np.asarray(target, dtype=np.float64)
        if weights.shape != (graph.n_nodes,) or not np.isfinite(weights).all() or weights.min() < 0:
            problem = (
                f"shape {weights.shape}" if weights.shape != (graph.n_nodes,) else "negative, NaN or infinite weights"
            )
            raise InvalidParameterError(
                f"the teleport target must have one finite, non-negative weight for each of the {graph.n_nodes} nodes; "
                f"got {problem}."
            )
    # Walkers never land on isolated nodes.
    weights = np.where((graph.out_strength > 0) | (graph.in_strength > 0), weights, 0.0)
    if not weights.any():
        raise InvalidParameterError(
            "the teleport target must have a positive weight on at least one node with edges; it has none."
        )
    return np.asarray(weights / weights.sum())
