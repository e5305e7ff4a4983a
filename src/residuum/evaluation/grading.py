"""Grades of given vectors in words: links that they were not shown, and what they say of degree, labels and numbers."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._random import as_generator
from residuum.errors import InvalidParameterError
from residuum.evaluation.bias import attribute_auc, similarity_dependence
from residuum.evaluation.diagnosis import Finding
from residuum.evaluation.disparity import similarity_disparity
from residuum.evaluation.link_prediction import LinkTask
from residuum.evaluation.neighborhoods import group_mix, hub_share
from residuum.evaluation.node_prediction import predict_classes, predict_numbers
from residuum.evaluation.pairs import degree_matched_non_edges, uniform_non_edges
from residuum.evaluation.recommendation import recommend
from residuum.evaluation.splits import with_edges
from residuum.evaluation.values import Values, is_known, values_of
from residuum.evaluation.vectors import Vectors, as_vectors, pair_scores
from residuum.graph import Graph

__all__ = ["grade_degree", "grade_labels", "grade_links", "grade_numbers"]

_NEIGHBORS = 10
_HUBS = 0.1
# Nodes whose lists of recommendations are looked at.
_RECOMMENDED_TO = 500


def grade_links(vectors: Vectors, graph: Graph, hidden: ArrayLike, *, random_state: int = 0) -> list[Finding]:
    """Measure how well vectors find edges that they were not shown.

    The association is ``u · v`` (or ``u · u`` without context vectors); the full score adds the offsets, if an
    embedding has them, or else the logs of the degrees. In a directed graph it adds the logs of the out-degree of the
    source and of the in-degree of the target: the offsets of an embedding are those of targets only.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
    graph : Graph
        What the method saw.
    hidden : array of shape (n, 2)
        Edges between nodes of the graph, by their positions, none of them in it.
    random_state : int
    """
    pairs = np.asarray(hidden, dtype=np.int64)
    shown = np.asarray(graph.adjacency[pairs[:, 0], pairs[:, 1]]).ravel() != 0
    if shown.any():
        first = graph.node_ids[pairs[int(np.flatnonzero(shown)[0])]].tolist()
        raise InvalidParameterError(
            f"hidden edges must not be in the graph that was embedded, and {int(shown.sum())} of {len(pairs)} are, "
            f"such as {first[0]!r} and {first[1]!r}; hide them before the embedding."
        )
    scores = pair_scores(vectors, graph=graph)
    has_offsets = getattr(vectors, "offsets", None) is not None
    full = scores["full"] if has_offsets and not graph.directed else _with_degrees(graph, scores["residual"])
    rng = as_generator(random_state)
    whole = with_edges(graph, pairs)
    task = LinkTask(
        graph,
        pairs,
        {
            "uniform": uniform_non_edges(whole, len(pairs), rng),
            "degree-matched": degree_matched_non_edges(whole, len(pairs), rng),
        },
    )
    lists = recommend(graph, pairs, full, _NEIGHBORS, n_nodes=_RECOMMENDED_TO, random_state=random_state)
    found = f"of the {_NEIGHBORS} nodes that score highest for a node, edges left out"
    return [
        Finding(
            "link AUC, beyond degree",
            task.auc(scores["residual"], "degree-matched"),
            f"association of {len(pairs):,} hidden edges against pairs of the same degrees; 0.5 is chance",
        ),
        Finding(
            "link AUC",
            task.auc(full, "uniform"),
            "association and degrees, against pairs drawn uniformly; 0.5 is chance",
        ),
        Finding("link average precision", task.average_precision(full, "uniform"), "of the same pairs; 0.5 is chance"),
        Finding("precision at 10", float(lists.precision.mean()), f"share that is a hidden edge, {found}"),
        Finding("recall at 10", float(lists.recall.mean()), f"share of hidden edges found, {found}"),
    ]


def _with_degrees(graph: Graph, residual: Any) -> Any:
    with np.errstate(divide="ignore"):
        out, into = np.log(graph.out_strength), np.log(graph.in_strength)
    return lambda i, j: residual(i, j) + out[i] + into[j]


def grade_degree(vectors: Vectors, graph: Graph, *, random_state: int = 0) -> list[Finding]:
    """Measure how much similarity in the vectors depends on the degree.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
    graph : Graph
    random_state : int
    """
    u = as_vectors(vectors, graph)
    degree = graph.out_strength + graph.in_strength if graph.directed else graph.out_strength
    return [
        Finding(
            "R² of similarity on degree",
            similarity_dependence(u, np.log1p(degree), random_state=random_state),
            "0: how similar two nodes are does not depend on their degrees",
        ),
        Finding(
            "hubs among neighbours",
            hub_share(u, degree, n_neighbors=_neighbors_in(u), top=_HUBS),
            f"share of the tenth with the highest degrees among {_NEIGHBORS} nearest neighbours; {_HUBS:g} if even",
        ),
    ]


def _neighbors_in(vectors: NDArray[np.float64]) -> int:
    return min(_NEIGHBORS, int(vectors.any(axis=1).sum()) - 1)


def grade_labels(vectors: Vectors, graph: Graph, labels: Values, name: str, *, random_state: int = 0) -> list[Finding]:
    """Measure what the vectors say of a label of the nodes.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
    graph : Graph
    labels : array of shape (N,), or mapping of node id to label
        An array is in the order of the graph's nodes. Those with None, NaN or an empty text are left out, with their
        edges.
    name : str
        What the label is called.
    random_state : int
    """
    u = as_vectors(vectors, graph)
    given = values_of(u, labels, "labels", graph)
    known = is_known(given)
    if not known.all():
        u, given, graph = u[known], given[known], graph.subgraph(known)
    if given.dtype.kind in "fO":  # labels all the same, not numbers
        given = given.astype(str)
    auc = attribute_auc(u, given, random_state=random_state)
    mix = group_mix(u, given, graph, n_neighbors=_neighbors_in(u))
    sizes = np.unique(given, return_counts=True)[1]
    shares = sizes / sizes.sum()
    same, edges, chance = (_mean_within(one, shares) for one in (mix.neighbors, mix.graph, mix.null))
    found = predict_classes(u, given, n_neighbors=_NEIGHBORS, random_state=random_state)
    return [
        Finding(
            f"R² of similarity on {name}",
            similarity_dependence(u, given, random_state=random_state),
            f"0: how similar two nodes are does not depend on a common {name}",
        ),
        Finding(
            f"similarity gap by {name}",
            similarity_disparity(u, given).gap,
            f"mean cosine of nodes with a common {name} minus that of others",
        ),
        Finding(
            f"same {name} among neighbours",
            same,
            f"{_NEIGHBORS} nearest neighbours; {edges:.3f} along edges, {chance:.3f} if only degrees counted",
        ),
        Finding(f"AUC of {name}, linear", auc["linear"], "a linear predictor from the vectors; 0.5 finds nothing"),
        Finding(f"AUC of {name}, neighbours", auc["nearest neighbours"], "the same by nearest neighbours"),
        Finding(
            f"micro-F1 of {name}",
            float(found.micro_f1.mean()),
            f"{_NEIGHBORS} nearest neighbours, five folds; the largest group has {shares.max():.3f} of the nodes",
        ),
    ]


def _mean_within(mix: NDArray[np.float64], shares: NDArray[np.float64]) -> float:
    """Return the mean share of a group's own, over the groups that have a row in the mix."""
    inside = np.diagonal(mix)
    there = ~np.isnan(inside)
    return float(np.average(inside[there], weights=shares[there])) if there.any() else float("nan")


def grade_numbers(
    vectors: Vectors, graph: Graph, numbers: Values, name: str, *, random_state: int = 0
) -> list[Finding]:
    """Measure what the vectors say of a number that nodes have.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
    graph : Graph
    numbers : array of shape (N,), or mapping of node id to number
        An array is in the order of the graph's nodes. Those with NaN are left out.
    name : str
        What the number is called.
    random_state : int
    """
    u = as_vectors(vectors, graph)
    given = values_of(u, numbers, "numbers", graph).astype(np.float64)
    known = is_known(given)
    if not known.all():
        u, given = u[known], given[known]
    told = predict_numbers(u, given, n_neighbors=_NEIGHBORS, random_state=random_state)
    return [
        Finding(
            f"R² of similarity on {name}",
            similarity_dependence(u, given, random_state=random_state),
            f"0: how similar two nodes are does not depend on their {name}",
        ),
        Finding(
            f"AUC of high {name}, linear",
            attribute_auc(u, given, random_state=random_state)["linear"],
            "a linear predictor of being above the median; 0.5 finds nothing",
        ),
        Finding(f"R² of {name}", float(told.mean()), f"told by {_NEIGHBORS} nearest neighbours, five folds"),
    ]
