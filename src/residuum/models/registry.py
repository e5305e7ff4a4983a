"""The methods by name."""

from residuum.errors import InvalidParameterError
from residuum.models.deepwalk import DeepWalk
from residuum.models.fairwalk import FairWalk
from residuum.models.glove import GloVe
from residuum.models.gnn import GAT, GCN, GraphSAGE
from residuum.models.laplacian import LaplacianEigenmap
from residuum.models.modularity import ModularitySpectral
from residuum.models.netmf import NetMF
from residuum.models.node2vec import Node2Vec
from residuum.models.node_embedding import NodeEmbedding
from residuum.models.residual2vec import Residual2Vec

__all__ = ["describe_methods", "method_from_name", "method_names"]

_METHODS: dict[str, tuple[type[NodeEmbedding], str]] = {
    "residual2vec": (Residual2Vec, "beyond a null model of your choice; exact or by landmarks; the default"),
    "netmf": (NetMF, "walks beyond degree, as a matrix: configuration null, floor 0, exact"),
    "deepwalk": (DeepWalk, "plain walks and skip-gram, uniform negatives: nothing is removed"),
    "node2vec": (Node2Vec, "(p, q) walks and skip-gram, negatives by degree^0.75: a part of degree is removed"),
    "fairwalk": (FairWalk, "walks that choose a group first, then a neighbour in it, and skip-gram"),
    "glove": (GloVe, "least squares on the logarithm of co-occurrences in walks, with biases as offsets"),
    "laplacian": (LaplacianEigenmap, "smallest eigenvectors of the normalised Laplacian"),
    "modularity": (ModularitySpectral, "leading eigenvectors of the modularity matrix"),
    "gcn": (GCN, "graph convolutional network, trained on edges; needs residuum[gnn]"),
    "gat": (GAT, "graph attention network, trained on edges; needs residuum[gnn]"),
    "graphsage": (GraphSAGE, "GraphSAGE, trained on edges; needs residuum[gnn]"),
}


def method_names() -> list[str]:
    """Return the names that :func:`method_from_name` knows."""
    return list(_METHODS)


def describe_methods() -> dict[str, str]:
    """Return one line for each method, by name."""
    return {name: line for name, (_, line) in _METHODS.items()}


def method_from_name(name: str) -> type[NodeEmbedding]:
    """Return the estimator called ``name``.

    Examples
    --------
    >>> method_from_name("node2vec").__name__
    'Node2Vec'
    """
    if name not in _METHODS:
        raise InvalidParameterError(f"method must be one of {', '.join(map(repr, _METHODS))}; got {name!r}.")
    return _METHODS[name][0]
