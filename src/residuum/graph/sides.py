"""The two sides of a graph, or of those of its components that have them."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from residuum.graph.graph import Graph

__all__ = ["node_sides"]


def node_sides(graph: Graph) -> NDArray[np.int32]:
    """Return the side of each node, 0 or 1, or −1 if its component has an odd cycle; shape (N,).

    The first node of a component is on side 0; directions do not matter. In the graph of two copies of each node, where
    every edge joins different copies, a walker comes from one copy of a node to the other if and only if there is an
    odd cycle; if not, nodes whose first copies are joined are on one side.

    Examples
    --------
    >>> node_sides(Graph(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))).tolist()
    [0, 1, 0]
    """
    both = graph.adjacency + graph.adjacency.T
    copies = sparse.csr_array(sparse.block_array([[None, both], [both, None]]))
    component = connected_components(copies, directed=False)[1]
    first, second = component[: graph.n_nodes], component[graph.n_nodes :]
    return np.where(first == second, -1, first > second).astype(np.int32)
