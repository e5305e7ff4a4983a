"""The front door: estimators with scikit-learn's contract."""

from residuum.models.choice import AUTO, AUTO_BY_WALKS
from residuum.models.deepwalk import DeepWalk
from residuum.models.fairwalk import FairWalk
from residuum.models.glove import GloVe
from residuum.models.gnn import GAT, GCN, GraphSAGE
from residuum.models.laplacian import LaplacianEigenmap
from residuum.models.modularity import ModularitySpectral
from residuum.models.netmf import NetMF
from residuum.models.node2vec import Node2Vec
from residuum.models.registry import describe_methods, method_from_name, method_names
from residuum.models.residual2vec import Residual2Vec

__all__ = [
    "AUTO",
    "AUTO_BY_WALKS",
    "GAT",
    "GCN",
    "DeepWalk",
    "FairWalk",
    "GloVe",
    "GraphSAGE",
    "LaplacianEigenmap",
    "ModularitySpectral",
    "NetMF",
    "Node2Vec",
    "Residual2Vec",
    "describe_methods",
    "method_from_name",
    "method_names",
]
