"""Relations of the vectors: dimensions, seeds, threads, scores, files and out-of-sample nodes."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from metamorphic.relation import ROUNDING, SAME_BITS, SAMPLED, UNDIRECTED_ONLY, Case, relation
from residuum import Embedding, Residual2Vec
from residuum.evaluation import auc_roc

NOT_FACTORS = {
    "likelihood": "its dimensions are fitted together",
    "skipgram": "its dimensions are trained together",
}


@relation("halve the number of dimensions", "the leading dimensions remain", ROUNDING, NOT_FACTORS)
def fewer_dimensions(case: Case) -> tuple[Any, Any]:
    u, v = case.base.embedding_[:, :3].astype(np.float64), case.base.context_embedding_[:, :3].astype(np.float64)
    return case.changed(n_components=3), u @ v.T


@relation("move singular values from u to v (alpha)", "u · v keeps them all", ROUNDING)
def shares_of_the_values(case: Case) -> tuple[Any, Any]:
    return [case.changed(alpha=alpha) for alpha in (0.0, 1.0)], [case.scores] * 2


@relation("double the scale", "all associations double", ROUNDING)
def doubled_scale(case: Case) -> tuple[Any, Any]:
    return case.changed(scale=2.0), 2 * case.scores


@relation("change the seed", "no random number affects the factors", ROUNDING, SAMPLED)
def other_seed(case: Case) -> tuple[Any, Any]:
    return case.changed(random_state=12345), case.scores


@relation("repeat the fit", "the same seed gives the same bits", SAME_BITS)
def repeated(case: Case) -> tuple[Any, Any]:
    return case.changed(), case.scores


@relation("use two threads", "the same to 1e-5 for any number", 1e-5, {"skipgram": "threads race for the vectors"})
def two_threads(case: Case) -> tuple[Any, Any]:
    return case.changed(n_jobs=2), case.scores


@relation("lower the memory limit", "tiles are computed again instead of kept", ROUNDING)
def less_memory(case: Case) -> tuple[Any, Any]:
    return case.changed(memory_limit="8MiB"), case.scores


@relation("watch the progress", "a callback takes no part in the fit", SAME_BITS)
def watched(case: Case) -> tuple[Any, Any]:
    events: list[Any] = []
    scores = case.changed(progress=events.append)
    assert events
    return scores, case.scores


@relation("write checkpoints", "stages are stored as they are", SAME_BITS, {"skipgram": "has no checkpoints"})
def checkpointed(case: Case) -> tuple[Any, Any]:
    with tempfile.TemporaryDirectory() as folder:
        return [case.changed(checkpoint=Path(folder, "run")) for _ in range(2)], [case.scores] * 2


def all_pairs(case: Case, model: Any, mode: str) -> Any:
    """Return the scores of all pairs of different nodes, as a matrix with a diagonal of zeros."""
    n_nodes = case.graph.n_nodes
    i, j = np.nonzero(~np.eye(n_nodes, dtype=bool))
    matrix = np.zeros((n_nodes, n_nodes))
    matrix[i, j] = model.score_pairs(i, j, mode=mode)
    return matrix


@relation("swap the nodes of a pair", "scores of an undirected graph are symmetric", 1e-5, UNDIRECTED_ONLY)
def symmetric_scores(case: Case) -> tuple[Any, Any]:
    scores = np.stack([all_pairs(case, case.base, mode) for mode in ("residual", "null", "full")])
    return scores, scores.transpose(0, 2, 1)


@relation("add the residual and the null score", "their sum is the full score", 1e-5)
def scores_add_up(case: Case) -> tuple[Any, Any]:
    parts = [all_pairs(case, case.base, mode) for mode in ("residual", "null")]
    return all_pairs(case, case.base, "full"), sum(parts)


@relation("write vectors to parquet, npz and w2v", "files hold the vectors as they are", SAME_BITS)
def vector_files(case: Case) -> tuple[Any, Any]:
    loaded = []
    with tempfile.TemporaryDirectory() as folder:
        for ending in (".parquet", ".npz", ".w2v"):
            path = Path(folder, f"x{ending}")
            case.base.to_embedding().save(path)
            loaded.append(Embedding.load(path).vectors)
    return loaded, [case.base.embedding_] * 3


NOT_SAVED = {"rewired": "a sampled null model cannot be saved, and embeds no out-of-sample nodes"}


def groups_of(case: Case, factor: float = 1.0) -> Any:
    """Return the groups that out-of-sample nodes need, for the nodes of the graph."""
    attributes = case.graph.node_attributes
    name = {"bipartite": "side", "dcsbm": "group", "multilayer": "layer", "temporal": "time"}.get(case.null)
    if case.null == "spatial":
        return np.stack([attributes["x"], attributes["y"]], axis=1)
    if case.null == "degree-correlated" and case.directed:
        return factor * case.graph.in_strength
    return None if name is None else attributes[name]


@relation("save and load the model", "it embeds the same nodes at the same places", SAME_BITS, NOT_SAVED)
def saved_model(case: Case) -> tuple[Any, Any]:
    edges = case.graph.adjacency[:5]
    groups = groups_of(case)
    groups = None if groups is None else groups[:5]
    with tempfile.TemporaryDirectory() as folder:
        case.base.save(Path(folder, "x.r2m"))
        loaded = Residual2Vec.load(Path(folder, "x.r2m"))
    return loaded.transform(edges, groups), case.base.transform(edges, groups)


@relation(
    "embed the nodes of the graph again from their edges",
    "R̃ v (vᵀ v)⁻¹ = u",
    1e-3,
    SAMPLED | NOT_SAVED,
)
def training_nodes(case: Case) -> tuple[Any, Any]:
    u = case.base.transform(case.graph.adjacency, groups_of(case))
    return u @ case.base.context_embedding_.T, case.scores


@relation(
    "multiply the edges of an out-of-sample node by 4",
    "its walker takes the same steps",
    SAME_BITS,
    NOT_SAVED | {"degree-correlated": "the group of a node is a bin of its degree"},
)
def scaled_new_edges(case: Case) -> tuple[Any, Any]:
    edges, groups = case.graph.adjacency, groups_of(case)
    return case.base.transform(4 * edges, groups), case.base.transform(edges, groups)


@relation("embed out-of-sample nodes one by one", "no node depends on the others", ROUNDING, NOT_SAVED)
def one_by_one(case: Case) -> tuple[Any, Any]:
    edges, groups = case.graph.adjacency, groups_of(case)
    alone = [case.base.transform(edges[[i]], None if groups is None else np.asarray(groups)[[i]])[0] for i in range(3)]
    return alone, case.base.transform(edges, groups)[:3]


@relation("swap edges and non-edges", "the AUC becomes one minus the AUC", 1e-12)
def swapped_sides_of_the_auc(case: Case) -> tuple[Any, Any]:
    scores = all_pairs(case, case.base, "full")
    is_edge = case.graph.adjacency.toarray() > 0
    pairs = ~np.eye(len(scores), dtype=bool)
    edges, others = scores[is_edge & pairs], scores[~is_edge & pairs]
    return [auc_roc(edges, others), auc_roc(np.exp(edges), np.exp(others))], [
        1 - auc_roc(others, edges),
        auc_roc(edges, others),
    ]
