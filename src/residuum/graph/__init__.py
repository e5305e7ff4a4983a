"""What came in: a graph as a sparse matrix with node ids, made from whatever the user has."""

from residuum.graph.adapters import as_graph
from residuum.graph.conversion import convert
from residuum.graph.graph import Graph
from residuum.graph.node_table import ids_like, read_node_column
from residuum.graph.on_disk import verify_graph, write_graph
from residuum.graph.readers import read_graph
from residuum.graph.sides import node_sides
from residuum.graph.teleport import Teleport, resolve_teleport

__all__ = [
    "Graph",
    "Teleport",
    "as_graph",
    "convert",
    "ids_like",
    "node_sides",
    "read_graph",
    "read_node_column",
    "resolve_teleport",
    "verify_graph",
    "write_graph",
]
