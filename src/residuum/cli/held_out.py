"""Held-out edges of the option ``--hidden``."""

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from residuum.cli.graph_options import load_graph
from residuum.errors import InvalidParameterError, ResiduumWarning

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from residuum.graph import Graph

__all__ = ["hidden_pairs"]


def hidden_pairs(graph: "Graph", file: Path, options: dict[str, Any]) -> "NDArray[np.int64]":
    """Return the edges of a file as positions in the graph; edges of other nodes are left out with a warning.

    Parameters
    ----------
    graph : Graph
        The embedded graph.
    file : Path
        Value of ``--hidden``.
    options : dict of name to value
        All options of the command; those for reading graphs are used.

    Returns
    -------
    int array of shape (n, 2)
        Positions of the two ends of each edge.
    """
    import numpy as np

    from residuum.graph import ids_like

    held_out = load_graph(file, options | {"directed": graph.directed})
    entries = held_out.adjacency.tocoo()
    kept = entries.row != entries.col if graph.directed else entries.row < entries.col
    if not kept.any():
        raise InvalidParameterError(f"--hidden {file} has only self-loops; it needs edges between different nodes.")
    ids = np.empty(held_out.n_nodes, dtype=object)
    ids[:] = ids_like(graph, held_out.node_ids.tolist())
    in_graph = np.isin(ids, graph.node_ids.astype(object))
    usable = kept & in_graph[entries.row] & in_graph[entries.col]
    if not usable.all(where=kept):
        _warn_about_lost_nodes(file, ids[~in_graph].tolist(), int(kept.sum()), int(usable.sum()))
    return np.stack([graph.positions(ids[end[usable]].tolist()) for end in (entries.row, entries.col)], axis=1)


def _warn_about_lost_nodes(file: Path, nodes: list[Any], n_edges: int, n_usable: int) -> None:
    """Warn about held-out edges of nodes that are not in the graph; raise an error if no other edges are left."""
    problem = (
        f"--hidden {file}: {n_edges - n_usable} of {n_edges} edges have a node without edges in the graph "
        f"({len(nodes)} such nodes, for example {nodes[0]!r})"
    )
    remedy = "keep one edge of each node when you split the edges"
    if n_usable == 0:
        raise InvalidParameterError(
            f"{problem}; no edge is left to predict. Use a file of the same node ids, or {remedy}."
        )
    warnings.warn(f"{problem}; they are left out. To predict them, {remedy}.", ResiduumWarning, stacklevel=3)
