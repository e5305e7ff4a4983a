"""Embedding models with a null model, as scikit-learn estimators."""

from typing import TYPE_CHECKING

from residuum._lazy import lazy_exports

if TYPE_CHECKING:
    from residuum.models.deepwalk import DeepWalk
    from residuum.models.graspologic import node2vec_embed
    from residuum.models.netmf import NetMF
    from residuum.models.node2vec import Node2Vec
    from residuum.models.registry import describe_methods, method_from_name, method_names
    from residuum.models.residual2vec import Residual2Vec
else:
    __getattr__, __dir__ = lazy_exports(__name__)

__all__ = [
    "DeepWalk",
    "NetMF",
    "Node2Vec",
    "Residual2Vec",
    "describe_methods",
    "method_from_name",
    "method_names",
    "node2vec_embed",
]
