"""Baselines: FairWalk, CrossWalk, LEACE, GloVe, spectral embeddings and graph neural networks."""

from typing import TYPE_CHECKING

from residuum._lazy import lazy_exports

if TYPE_CHECKING:
    from residuum.baselines.crosswalk import CrossWalk
    from residuum.baselines.fairwalk import FairWalk
    from residuum.baselines.glove import GloVe
    from residuum.baselines.gnn import GAT, GCN, GraphSAGE
    from residuum.baselines.laplacian import LaplacianEigenmap
    from residuum.baselines.modularity import ModularitySpectral
    from residuum.baselines.post_hoc import leace
else:
    __getattr__, __dir__ = lazy_exports(__name__)

__all__ = [
    "GAT",
    "GCN",
    "CrossWalk",
    "FairWalk",
    "GloVe",
    "GraphSAGE",
    "LaplacianEigenmap",
    "ModularitySpectral",
    "leace",
]
