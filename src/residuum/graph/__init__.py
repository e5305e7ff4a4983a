"""Graphs as sparse matrices with node ids, read from files, edge tables, matrices and other libraries."""

from typing import TYPE_CHECKING

from residuum._lazy import lazy_exports

if TYPE_CHECKING:
    from residuum.graph.attributes import group_codes, node_numbers, node_values
    from residuum.graph.bipartition import node_sides, two_sides
    from residuum.graph.codes import Bins, Labels, is_known
    from residuum.graph.coercion import as_graph
    from residuum.graph.conversion import convert
    from residuum.graph.disk import verify_graph, write_graph
    from residuum.graph.files import ids_like, read_graph, read_node_column
    from residuum.graph.graph import Graph
    from residuum.graph.mixing import weight_between
    from residuum.graph.triangles import triangles_by_degree
    from residuum.graph.weights import effective_degrees
else:
    __getattr__, __dir__ = lazy_exports(__name__)

__all__ = [
    "Bins",
    "Graph",
    "Labels",
    "as_graph",
    "convert",
    "effective_degrees",
    "group_codes",
    "ids_like",
    "is_known",
    "node_numbers",
    "node_sides",
    "node_values",
    "read_graph",
    "read_node_column",
    "triangles_by_degree",
    "two_sides",
    "verify_graph",
    "weight_between",
    "write_graph",
]
