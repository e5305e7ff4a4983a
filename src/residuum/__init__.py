"""Debiased graph embedding: how nodes relate beyond what a random graph of your choice would explain.

>>> from residuum import Residual2Vec, datasets
>>> vectors = Residual2Vec(n_components=8, random_state=0).fit_transform(datasets.karate_club())
"""

from importlib.metadata import version as _version

from residuum import datasets, errors, evaluation, nulls
from residuum._progress import ProgressEvent
from residuum.embedding import Embedding
from residuum.graph import Graph, as_graph, read_graph

__version__ = _version("residuum")

from residuum.models import (
    AUTO,
    GAT,
    GCN,
    DeepWalk,
    FairWalk,
    GloVe,
    GraphSAGE,
    LaplacianEigenmap,
    ModularitySpectral,
    NetMF,
    Node2Vec,
    Residual2Vec,
)

__all__ = [
    "AUTO",
    "GAT",
    "GCN",
    "DeepWalk",
    "Embedding",
    "FairWalk",
    "GloVe",
    "Graph",
    "GraphSAGE",
    "LaplacianEigenmap",
    "ModularitySpectral",
    "NetMF",
    "Node2Vec",
    "ProgressEvent",
    "Residual2Vec",
    "__version__",
    "as_graph",
    "datasets",
    "errors",
    "evaluation",
    "nulls",
    "read_graph",
]
