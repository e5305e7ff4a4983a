"""Summary of an audit as plain values, which the page, the model card and the terminal show."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum.evaluation import (
    Audit,
    Check,
    EmbeddingAudit,
    GroupMix,
    attribute_checks,
    degree_checks,
    worst_level,
)
from residuum.graph import Graph

__all__ = ["LEVEL_WORDS", "summarize"]

#: Verdict in words, by level.
LEVEL_WORDS = {"green": "no trace found", "amber": "weak or uncertain trace", "red": "clear trace"}

# Groups in the table of neighbors, and bins of degree in the chart of lengths.
_MOST_GROUPS = 8
_DEGREE_BINS = 8


def summarize(audit: Audit) -> dict[str, Any]:
    """Return the verdicts and measures of an audit as JSON values.

    Parameters
    ----------
    audit : Audit
        Results of :func:`residuum.evaluation.audit`.

    Returns
    -------
    dict of str to value
        Graph, embeddings, subjects (degree and the attributes) with checks and verdicts, measures, groups among
        neighbors and lengths of the vectors by degree.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> from residuum.evaluation import audit
    >>> graph = datasets.karate_club()
    >>> embedding = Residual2Vec(4, random_state=0).fit(graph).to_embedding()
    >>> summary = summarize(audit(graph, {"r2v": embedding}, labels={"club": graph.node_attributes["club"]}))
    >>> [(subject["name"], subject["embeddings"]["r2v"]["level"]) for subject in summary["subjects"]][0]
    ('club', 'red')
    """
    embeddings = audit.embeddings
    first = next(iter(embeddings.values()))
    subjects = [
        _subject(name, first.attributes[name].kind, {e.name: _attribute(e, name) for e in embeddings.values()})
        for name in first.attributes
    ]
    degree = {e.name: _checked(degree_checks(e.degree)) for e in embeddings.values()}
    return {
        "graph": {
            "nodes": audit.graph.n_nodes,
            "edges": audit.graph.n_edges,
            "directed": audit.graph.directed,
            "text": _graph_text(audit.graph),
        },
        "embeddings": [{"name": e.name, "dimensions": e.vectors.shape[1]} for e in embeddings.values()],
        "held_out": audit.held_out,
        "seed": audit.random_state,
        "subjects": [*subjects, _subject("degree", "degree", degree)],
        "measures": _measures(embeddings),
        "mixes": [_mix(e, name, a.mix) for e in embeddings.values() for name, a in e.attributes.items() if a.mix],
        "lengths": {e.name: _lengths(e, audit.graph.in_strength) for e in embeddings.values()},
    }


def _graph_text(graph: Graph) -> str:
    kind = "directed" if graph.directed else "undirected"
    return f"{graph.n_nodes:,} nodes, {graph.n_edges:,} edges, {kind}"


def _checked(checks: list[Check], **details: Any) -> dict[str, Any]:
    level = worst_level(checks)
    return {"level": level, "verdict": LEVEL_WORDS[level], "checks": [asdict(check) for check in checks], **details}


def _attribute(embedding: EmbeddingAudit, name: str) -> dict[str, Any]:
    attribute = embedding.attributes[name]
    attacks = attribute.attacks
    return _checked(
        attribute_checks(attribute),
        n_nodes=attribute.n_nodes,
        not_attacked=attribute.not_attacked,
        attackers=[] if attacks is None else [asdict(attack) for attack in attacks.attacks],
        attacked_nodes=0 if attacks is None else attacks.n_nodes,
    )


def _subject(name: str, kind: str, results: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {"name": name, "kind": kind, "embeddings": results, "changes": _changes(results)}


_CHANGING = {
    "attackers": "balanced accuracy of the strongest attacker",
    "similarity": "variance of similarity explained",
    "neighbors": "nearest neighbors in the same group",
    "hubs": "hubs among the nearest neighbors",
}


def _changes(results: Mapping[str, dict[str, Any]]) -> list[str]:
    """Return how each embedding differs from the first, one sentence for each."""
    (baseline, before), *others = results.items()
    sentences = []
    for name, after in others:
        old = {check["name"]: check for check in before["checks"]}
        parts = [
            f"{_CHANGING[check['name']]} {_percent(old[check['name']]['value'])} → {_percent(check['value'])}"
            for check in after["checks"]
            if check["name"] in old
        ]
        sentences.append(f"From {baseline} to {name}: {'; '.join(parts)}.")
    return sentences


def _percent(share: float) -> str:
    return f"{round(100 * share, 1) + 0.0:.1f}%"


def _measures(embeddings: Mapping[str, EmbeddingAudit]) -> list[dict[str, Any]]:
    """Return the measures that have no verdict: name, meaning, and the value and margin of each embedding."""
    rows = [
        {
            "name": finding.name,
            "meaning": finding.meaning,
            "values": {e.name: e.links[number].value for e in embeddings.values()},
            "margins": {e.name: e.links[number].margin for e in embeddings.values()},
        }
        for number, finding in enumerate(next(iter(embeddings.values())).links)
    ]
    others = {
        "hubness": (
            "skewness of how often a node is among the 10 nearest neighbors of others; 0 = all nodes alike",
            {e.name: e.hubness.skewness for e in embeddings.values()},
        ),
        "never a neighbor": (
            "fraction of the nodes that are not a nearest neighbor of any other node",
            {e.name: e.hubness.never for e in embeddings.values()},
        ),
        "degree and length": (
            "rank correlation of the degree of a node and the length of its vector; 0 = none",
            {e.name: e.degree.norm_correlation for e in embeddings.values()},
        ),
    }
    unknown = dict.fromkeys(embeddings)
    return rows + [
        {"name": name, "meaning": meaning, "values": values, "margins": unknown}
        for name, (meaning, values) in others.items()
    ]


def _mix(embedding: EmbeddingAudit, name: str, mix: GroupMix) -> dict[str, Any]:
    """Return the shares of the largest groups among the neighbors, observed and expected."""
    order = np.argsort(-np.nan_to_num(mix.null).sum(axis=0), kind="stable")[:_MOST_GROUPS]
    return {
        "attribute": name,
        "embedding": embedding.name,
        "groups": [str(group) for group in mix.groups[order]],
        "left_out": len(mix.groups) - len(order),
        "neighbors": _shares(mix.neighbors, order),
        "edges": _shares(mix.graph, order),
        "expected": _shares(mix.null, order),
    }


def _shares(matrix: NDArray[np.float64], order: NDArray[np.int64]) -> list[list[float | None]]:
    rows = matrix[np.ix_(order, order)].tolist()
    return [[None if share != share else share for share in row] for row in rows]


def _lengths(embedding: EmbeddingAudit, degree: NDArray[np.float64]) -> list[dict[str, float]]:
    """Return the quartiles of the lengths of the vectors, in bins of degree with equal numbers of nodes."""
    norms = np.linalg.norm(embedding.vectors, axis=1)
    bins = np.array_split(np.argsort(degree, kind="stable"), min(_DEGREE_BINS, len(degree)))
    return [{"degree": float(np.median(degree[rows])), **_quartiles(norms[rows])} for rows in bins]


def _quartiles(values: NDArray[np.float64]) -> dict[str, float]:
    low, middle, high = np.quantile(values, [0.25, 0.5, 0.75])
    return {"low": float(low), "middle": float(middle), "high": float(high)}
