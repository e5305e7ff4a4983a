"""Debiased graph embedding: associations between nodes beyond those expected from a null model.

>>> from residuum import Residual2Vec, datasets
>>> vectors = Residual2Vec(n_components=8, random_state=0).fit_transform(datasets.karate_club())
>>> vectors.shape
(34, 8)
"""

from typing import TYPE_CHECKING

from residuum._lazy import lazy_exports
from residuum._version import __version__

if TYPE_CHECKING:
    from residuum import baselines, datasets, errors, evaluation, nulls, solvers
    from residuum._progress import ProgressEvent
    from residuum._progress_bar import ProgressBar
    from residuum.embedding import Embedding
    from residuum.graph import Graph, as_graph, read_graph
    from residuum.models import DeepWalk, NetMF, Node2Vec, Residual2Vec, node2vec_embed
    from residuum.selection import Residual2VecCV
else:
    __getattr__, __dir__ = lazy_exports(__name__)

__all__ = [
    "DeepWalk",
    "Embedding",
    "Graph",
    "NetMF",
    "Node2Vec",
    "ProgressBar",
    "ProgressEvent",
    "Residual2Vec",
    "Residual2VecCV",
    "__version__",
    "as_graph",
    "baselines",
    "datasets",
    "errors",
    "evaluation",
    "node2vec_embed",
    "nulls",
    "read_graph",
    "solvers",
]
