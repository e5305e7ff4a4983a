"""The methods of the paper, with its settings."""

import importlib.util
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum.errors import ResiduumWarning
from residuum.evaluation import pair_scores
from residuum.evaluation.vectors import PairScore
from residuum.graph import Graph
from residuum.models import (
    AUTO,
    GAT,
    GCN,
    DeepWalk,
    FairWalk,
    GloVe,
    GraphSAGE,
    LaplacianEigenmap,
    NetMF,
    Node2Vec,
    Residual2Vec,
)
from residuum.models.node_embedding import NodeEmbedding
from residuum.nulls import Configuration
from residuum.reproduction.target import Settings, chosen

__all__ = ["AS_PUBLISHED", "METHODS", "Fitted", "Maker", "fit", "kind_of", "methods_of"]

Options = dict[str, Any]
Maker = Callable[[Graph, Options, Options, Options], NodeEmbedding]


@dataclass(frozen=True)
class Fitted:
    """What a method gave: vectors, and scores of pairs of positions.

    Attributes
    ----------
    vectors : array of shape (N, K)
    scores : dict of str to callable
        ``"paper"``, the paper's ``u_i · u_j + z_i + z_j``, with z for residual2vec, GloVe and the degree only;
        ``"residual"``, the model's own association; ``"full"``, with what its null model explains, or with the degrees
        for a method that has neither a null model nor offsets of its own, so that none is judged without them.
    """

    vectors: NDArray[np.float32]
    scores: dict[str, PairScore]


def _degree_groups(graph: Graph) -> NDArray[np.int64]:
    """Nodes of the same degree: the groups of FairWalk where there are no labels, as in the paper's code."""
    return np.asarray(np.unique(graph.out_strength, return_inverse=True)[1].ravel())


def _by_skipgram(common: Options, walks: Options) -> Residual2Vec:
    """Return residual2vec trained on the walks of the other methods: what its solver makes of the result."""
    trained = {name: value for name, value in walks.items() if name != "window"}
    return Residual2Vec(**common, window=walks.get("window", 10), solver="sgd", sgd=trained or None, scale="auto")


AS_PUBLISHED: Options = {"window": 10, "floor": 0.0, "weighting": 0.0, "solver": "block"}

# Of a graph, what all have (components and seed), the walks, and the training of networks.
METHODS: dict[str, Maker | None] = {
    "r2v-config": lambda graph, common, walks, nets: Residual2Vec(**common),
    "r2v-config, chosen": lambda graph, common, walks, nets: Residual2Vec(**common, **AUTO),
    "r2v-config, exponent chosen": lambda graph, common, walks, nets: Residual2Vec(
        **common, **AUTO, null_model=Configuration("auto")
    ),
    "r2v-config, skip-gram": lambda graph, common, walks, nets: _by_skipgram(common, walks),
    "r2v-config, as published": lambda graph, common, walks, nets: Residual2Vec(**common, **AS_PUBLISHED),
    "node2vec, q = 0.5": lambda graph, common, walks, nets: Node2Vec(**common, **walks, q=0.5),
    "node2vec, q = 1": lambda graph, common, walks, nets: Node2Vec(**common, **walks),
    "node2vec, q = 2": lambda graph, common, walks, nets: Node2Vec(**common, **walks, q=2.0),
    "DeepWalk": lambda graph, common, walks, nets: DeepWalk(**common, **walks),
    "FairWalk": lambda graph, common, walks, nets: FairWalk(**common, **walks, groups=_degree_groups(graph)),
    "GloVe": lambda graph, common, walks, nets: GloVe(**common, **walks),
    "Laplacian eigenmap": lambda graph, common, walks, nets: LaplacianEigenmap(**common),
    "NetMF": lambda graph, common, walks, nets: NetMF(**common),
    "GCN": lambda graph, common, walks, nets: GCN(**common, **nets),
    "GAT": lambda graph, common, walks, nets: GAT(**common, **nets),
    "GraphSAGE": lambda graph, common, walks, nets: GraphSAGE(**common, **nets),
    "degree": None,
}
_WITH_OFFSET = {*(name for name in METHODS if name.startswith("r2v-")), "GloVe", "degree"}
_WITHOUT_OFFSETS = {"Laplacian eigenmap", "GCN", "GAT", "GraphSAGE"}
_NEED_TORCH = {"GCN", "GAT", "GraphSAGE"}
_ON_WALKS = {
    "r2v-config, skip-gram",
    "node2vec, q = 0.5",
    "node2vec, q = 1",
    "node2vec, q = 2",
    "DeepWalk",
    "FairWalk",
    "GloVe",
}
_QUICK: Options = {"n_walks": 2, "walk_length": 20, "window": 5, "epochs": 1}
_SHORT: Options = {"n_walks": 5, "walk_length": 40, "epochs": 1}
_SHORTENED = ", short walks"


def methods_of(settings: Settings, known: Iterable[str] = METHODS) -> list[str]:
    """Return those of the known methods that are to be run and can be: some need an optional package.

    With short walks the names of methods on walks end in ", short walks".
    """
    names = chosen("methods", known, settings.methods)
    missing = [name for name in names if name in _NEED_TORCH]
    if missing and importlib.util.find_spec("torch_geometric") is None:
        warnings.warn(
            f"{', '.join(missing)} are left out; they need pip install 'residuum[gnn]'.", ResiduumWarning, stacklevel=2
        )
        names = [name for name in names if name not in missing]
    return [f"{name}{_SHORTENED}" if settings.short_walks and name in _ON_WALKS else name for name in names]


def kind_of(method: str) -> str:
    """Return the name of a method without what :func:`methods_of` added to it."""
    return method.removesuffix(_SHORTENED)


def fit(
    method: str,
    graph: Graph,
    settings: Settings,
    seed: int,
    n_components: int | None = None,
    makers: Mapping[str, Maker | None] = METHODS,
) -> Fitted:
    """Embed a graph with a method.

    Parameters
    ----------
    method : str
        As :func:`methods_of` names it.
    graph : Graph
    settings : Settings
    seed : int
    n_components : int, optional
        Instead of the one of the settings.
    makers : mapping of name to callable
        The methods by name; None stands for the degree.
    """
    kind = kind_of(method)
    make = makers[kind]
    if make is None:
        nothing = np.zeros((graph.n_nodes, 1), dtype=np.float32)
        return Fitted(nothing, _scores(nothing, nothing, np.log(graph.out_strength), with_offset=True))
    common = {"n_components": n_components or settings.n_components, "random_state": seed}
    walks = _QUICK if settings.quick else _SHORT if kind != method else {}
    nets = {"epochs": 5} if settings.quick else {}
    with warnings.catch_warnings():
        # Jumps and lone nodes are known of these graphs.
        warnings.simplefilter("ignore", ResiduumWarning)
        model = make(graph, common, walks, nets).fit(graph)
    # Offsets of the two ends differ for GloVe; a pair has no direction here.
    offsets = (model.offset_ + model.source_offset_) / 2
    if kind in _WITHOUT_OFFSETS:
        with np.errstate(divide="ignore"):
            offsets = np.log(graph.out_strength / graph.out_strength.sum())
    return Fitted(
        model.embedding_,
        _scores(model.embedding_, model.context_embedding_, offsets, with_offset=kind in _WITH_OFFSET),
    )


def _scores(
    u: NDArray[np.float32], v: NDArray[np.float32], z: NDArray[np.float64], *, with_offset: bool
) -> dict[str, PairScore]:
    own = pair_scores(u, v, z)
    paper = pair_scores(u, offsets=z if with_offset else None)
    return {"paper": paper["full"], "residual": own["residual"], "full": own["full"]}
