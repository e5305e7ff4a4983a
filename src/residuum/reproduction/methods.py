"""Methods of the paper, with its settings."""

import importlib.util
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum.baselines import GAT, GCN, FairWalk, GloVe, GraphSAGE, LaplacianEigenmap
from residuum.embedding import PairScore, PairScores
from residuum.errors import ResiduumWarning
from residuum.graph import Graph
from residuum.links import PairHead
from residuum.models import DeepWalk, NetMF, Node2Vec, Residual2Vec
from residuum.models.base import NodeEmbedding
from residuum.reproduction.target import Settings, chosen
from residuum.selection import TUNABLES, Residual2VecCV
from residuum.solvers import SkipGram

__all__ = ["AS_PUBLISHED", "METHODS", "Fitted", "Maker", "fit", "kind_of", "methods_of"]

Options = dict[str, Any]
Maker = Callable[[Graph, Options, Options, Options], NodeEmbedding]


@dataclass(frozen=True)
class Fitted:
    """Vectors and pair scores of a fitted method.

    Attributes
    ----------
    vectors : array of shape (N, K)
        Vectors of the nodes.
    scores : dict of str to callable
        Functions of two arrays of node positions. ``"paper"`` is the score of the paper, ``u_i · u_j + z_i + z_j``,
        with z for residual2vec, GloVe and the degree only. ``"residual"`` is the association of the model. ``"full"``
        adds the offsets of the null model, or the log degrees for a method without offsets, so that every method is
        scored with them. With a pair head, these two are its scores, trained with degree-matched and with uniform
        negatives. ``"ranking"`` is the full score of the vectors, for lists of all nodes.
    """

    vectors: NDArray[np.float32]
    scores: dict[str, PairScore]


def _degree_groups(graph: Graph) -> NDArray[np.int64]:
    """Return groups of equal degree, for FairWalk without labels, as in the paper's code."""
    return np.asarray(np.unique(graph.out_strength, return_inverse=True)[1].ravel())


def _by_skipgram(common: Options, walks: Options) -> Residual2VecCV:
    """Return residual2vec trained on the same walks as other methods, to isolate the effect of the solver."""
    options = {name: value for name, value in walks.items() if name != "window"}
    search = {"window": [walks.get("window", 10)]}
    return Residual2VecCV(**common, search=search, solver=SkipGram(**options))


AS_PUBLISHED: Options = {
    "window": 10,
    "floor": 0.0,
    "weighting": 0.0,
    "shrinkage": 0.0,
    "scale": 1.0,
    "solver": "block",
}

# Arguments: graph, common parameters (dimensions and seed), parameters of walks, parameters of neural networks.
METHODS: dict[str, Maker | None] = {
    "residual2vec": lambda graph, common, walks, nets: Residual2Vec(**common),
    "residual2vec, tuned": lambda graph, common, walks, nets: Residual2VecCV(**common),
    "residual2vec, pair head": lambda graph, common, walks, nets: Residual2Vec(**common),
    "residual2vec, tuned exponent": lambda graph, common, walks, nets: Residual2VecCV(
        **common, search={"exponent": TUNABLES["exponent"].values}
    ),
    "residual2vec, skip-gram": lambda graph, common, walks, nets: _by_skipgram(common, walks),
    "residual2vec, as published": lambda graph, common, walks, nets: Residual2Vec(**common, **AS_PUBLISHED),
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
_WITH_OFFSET = {*(name for name in METHODS if name.startswith("residual2vec")), "GloVe", "degree"}
_WITH_HEAD = {"residual2vec, pair head"}
_WITHOUT_OFFSETS = {"Laplacian eigenmap", "GCN", "GAT", "GraphSAGE"}
_NEED_TORCH = {"GCN", "GAT", "GraphSAGE"}
_ON_WALKS = {
    "residual2vec, skip-gram",
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


def methods_of(settings: Settings, methods: Iterable[str] = METHODS) -> list[str]:
    """Return the names of the methods to run.

    Methods whose optional package is missing are left out with a warning.

    Parameters
    ----------
    settings : Settings
        Its ``methods`` selects among them; with ``short_walks``, names of walk-based methods end in ", short walks".
    methods : iterable of str, default METHODS
        Methods of the target.

    Returns
    -------
    list of str
        Names that :func:`fit` accepts.
    """
    names = chosen("methods", methods, settings.methods)
    missing = [name for name in names if name in _NEED_TORCH]
    if missing and importlib.util.find_spec("torch_geometric") is None:
        warnings.warn(
            f"{', '.join(missing)} are skipped; to run them: pip install 'residuum[gnn]'.",
            ResiduumWarning,
            stacklevel=2,
        )
        names = [name for name in names if name not in missing]
    return [f"{name}{_SHORTENED}" if settings.short_walks and name in _ON_WALKS else name for name in names]


def kind_of(method: str) -> str:
    """Return the name of a method without the suffix of :func:`methods_of`.

    Parameters
    ----------
    method : str
        Name that :func:`methods_of` returned.

    Returns
    -------
    str
        Name in :data:`METHODS`.

    Examples
    --------
    >>> kind_of("DeepWalk, short walks")
    'DeepWalk'
    """
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
        Name that :func:`methods_of` returned.
    graph : Graph
        Graph to embed.
    settings : Settings
        Quick or full training.
    seed : int
        Random seed.
    n_components : int, optional
        Number of dimensions. None means that of the settings.
    makers : mapping of str to callable, default METHODS
        Functions that build the estimator of each method; None for the degree, which has no vectors.

    Returns
    -------
    Fitted
        Vectors and pair scores.
    """
    kind = kind_of(method)
    make = makers[kind]
    if make is None:
        zeros = np.zeros((graph.n_nodes, 1), dtype=np.float32)
        return Fitted(zeros, _scores(zeros, zeros, np.log(graph.out_strength), with_offset=True))
    common = {"n_components": n_components or settings.n_components, "random_state": seed}
    walks = _QUICK if settings.quick else _SHORT if kind != method else {}
    nets = {"epochs": 5} if settings.quick else {}
    with warnings.catch_warnings():
        # Dangling and isolated nodes are expected in these graphs.
        warnings.simplefilter("ignore", ResiduumWarning)
        model = make(graph, common, walks, nets).fit(graph)
        heads = _head_scores(model, graph, seed) if kind in _WITH_HEAD else {}
    # GloVe has different offsets for centers and contexts; pairs are undirected here.
    offsets = (model.offset_ + model.source_offset_) / 2
    if kind in _WITHOUT_OFFSETS:
        with np.errstate(divide="ignore"):
            offsets = np.log(graph.out_strength / graph.out_strength.sum())
    scores = _scores(model.embedding_, model.context_embedding_, offsets, with_offset=kind in _WITH_OFFSET)
    return Fitted(model.embedding_, {**scores, **heads})


def _head_scores(model: NodeEmbedding, graph: Graph, seed: int) -> dict[str, PairScore]:
    """Return the scores of pair heads that were trained with both kinds of negatives."""

    def score(negatives: str) -> PairScore:
        head = PairHead(model, negatives=negatives, random_state=seed).fit(graph)
        return lambda i, j: head.score_pairs(graph.node_ids[i], graph.node_ids[j])

    return {"residual": score("degree-matched"), "full": score("uniform")}


def _scores(
    u: NDArray[np.float32], v: NDArray[np.float32], z: NDArray[np.float64], *, with_offset: bool
) -> dict[str, PairScore]:
    scores = PairScores(u, v, z)
    paper = PairScores(u, offsets=z if with_offset else None)
    return {"paper": paper.full, "residual": scores.residual, "full": scores.full, "ranking": scores.full}
