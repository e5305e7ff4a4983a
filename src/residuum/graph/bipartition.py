"""Sides of bipartite graphs."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.graph.graph import Graph

__all__ = ["node_sides", "two_sides"]


def node_sides(graph: Graph) -> NDArray[np.int32]:
    """Return the side of each node in its connected component, ignoring edge directions.

    The algorithm duplicates the nodes and lets every edge join different copies. The two copies of a node are connected
    if and only if its connected component has an odd cycle. Otherwise, nodes whose first copies are connected are on
    the same side.

    Parameters
    ----------
    graph : Graph
        Graph of N nodes; it need not be bipartite or connected.

    Returns
    -------
    int array of shape (N,)
        0 or 1, with 0 for the first node of each connected component; −1 in connected components with an odd cycle.

    Examples
    --------
    >>> node_sides(Graph(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))).tolist()
    [0, 1, 0]
    """
    from scipy.sparse.csgraph import connected_components  # slow to import, and not needed to embed

    both = graph.adjacency + graph.adjacency.T
    copies = sparse.csr_array(sparse.block_array([[None, both], [both, None]]))
    component = connected_components(copies, directed=False)[1]
    first, second = component[: graph.n_nodes], component[graph.n_nodes :]
    return np.where(first == second, -1, first > second).astype(np.int32)


def two_sides(graph: Graph) -> NDArray[np.int32] | None:
    """Return the side of each node of a bipartite graph, or None if the graph is not bipartite.

    Parameters
    ----------
    graph : Graph
        Graph of N nodes; edge directions are ignored.

    Returns
    -------
    int array of shape (N,), or None
        0 or 1 for each node; None if there is an odd cycle.

    Examples
    --------
    >>> two_sides(Graph(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))).tolist()
    [0, 1, 0]
    >>> two_sides(Graph(np.ones((3, 3)) - np.eye(3))) is None
    True
    """
    side = node_sides(graph)
    return None if bool((side < 0).any()) else side
