"""Graph neural networks, trained on edges without labels (the ``[gnn]`` extra)."""

from residuum.baselines.gnn.networks import GAT, GCN, GraphSAGE

__all__ = ["GAT", "GCN", "GraphSAGE"]
