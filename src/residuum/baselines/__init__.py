"""Baselines: FairWalk, GloVe, spectral embeddings and graph neural networks."""

from residuum.baselines.fairwalk import FairWalk
from residuum.baselines.glove import GloVe
from residuum.baselines.gnn import GAT, GCN, GraphSAGE
from residuum.baselines.laplacian import LaplacianEigenmap
from residuum.baselines.modularity import ModularitySpectral

__all__ = ["GAT", "GCN", "FairWalk", "GloVe", "GraphSAGE", "LaplacianEigenmap", "ModularitySpectral"]
