"""Graphs on disk (``.r2g``): folders with memory-mapped arrays, which are read on first use."""

from residuum.graph.disk.folder import is_on_disk, open_graph, origin_of, verify_graph, write_graph

__all__ = ["is_on_disk", "open_graph", "origin_of", "verify_graph", "write_graph"]
