"""Readers of graph files and of node tables."""

from residuum.graph.files.nodes import ids_like, read_node_column
from residuum.graph.files.readers import read_graph

__all__ = ["ids_like", "read_graph", "read_node_column"]
