"""Audit of embeddings: what the vectors tell about attributes and degree, and how well they keep the links."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum._progress import ProgressCallback, ProgressEvent
from residuum._random import as_generator
from residuum.embedding import Embedding
from residuum.errors import InvalidParameterError
from residuum.evaluation.attackers import AttackReport
from residuum.evaluation.dependence import Dependence, dependence_test
from residuum.evaluation.diagnosis import Finding
from residuum.evaluation.fairness import NeighborFairness
from residuum.evaluation.grading import (
    degree_subject,
    grade_links,
    label_subject,
    link_subject,
    number_subject,
)
from residuum.evaluation.metrics.degree import hubs_among_neighbors
from residuum.evaluation.metrics.links import auc, auc_beyond_degree
from residuum.evaluation.neighborhoods import GroupMix, Hubness, hubness
from residuum.evaluation.subjects import DegreeSubject, LabelSubject, NumberSubject
from residuum.evaluation.values import Values
from residuum.graph import Graph

__all__ = ["AttributeAudit", "Audit", "DegreeAudit", "EmbeddingAudit", "audit"]

# Maximum number of edges of the graph whose scores are compared with non-edges.
_EDGES = 20_000


@dataclass(frozen=True)
class AttributeAudit:
    """What the vectors tell about one attribute.

    Attributes
    ----------
    name : str
        Name of the attribute.
    kind : str
        ``"label"`` or ``"number"``.
    n_nodes : int
        Number of nodes with a value.
    dependence : Dependence
        Dependence of similarity on the attribute.
    attacks : AttackReport or None
        Results of the attackers; None if too few nodes have a value.
    not_attacked : str
        Why there are no attackers; empty if there are.
    fairness : NeighborFairness or None
        Share of the own group among the nearest neighbors; None for numbers.
    mix : GroupMix or None
        Groups among the nearest neighbors; None for numbers.

    Examples
    --------
    >>> dependence = Dependence(0.1, 0.01, 0.0, -0.01, 0.01)
    >>> AttributeAudit("year", "number", 2000, dependence).attacks is None
    True
    """

    name: str
    kind: str
    n_nodes: int
    dependence: Dependence
    attacks: AttackReport | None = None
    not_attacked: str = ""
    fairness: NeighborFairness | None = None
    mix: GroupMix | None = None


@dataclass(frozen=True)
class DegreeAudit:
    """What the vectors tell about degree.

    Attributes
    ----------
    dependence : Dependence
        Dependence of similarity on the log degrees of a pair.
    hubs : Finding
        Fraction of hubs among the nearest neighbors.
    norm_correlation : float
        Rank correlation of the degree and the length of a vector.

    Examples
    --------
    >>> hubs = Finding("hubs among neighbors", 0.12, "0.1 = no preference for hubs")
    >>> DegreeAudit(Dependence(0.1, 0.01, 0.0, -0.01, 0.01), hubs, 0.8).norm_correlation
    0.8
    """

    dependence: Dependence
    hubs: Finding
    norm_correlation: float


@dataclass(frozen=True)
class EmbeddingAudit:
    """Audit of one embedding.

    Attributes
    ----------
    name : str
        Name of the embedding.
    vectors : array of shape (N, K)
        Vectors in the order of the graph's nodes.
    nearest : pair of arrays
        Nodes with a nonzero vector, and their nearest neighbors.
    degree : DegreeAudit
        Degree.
    attributes : dict of str to AttributeAudit
        Attributes by name.
    links : tuple of Finding
        Link prediction, or reconstruction of the edges if none are held out.
    hubness : Hubness
        How often each node is a nearest neighbor of others.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> model = Residual2Vec(4, random_state=0).fit(datasets.karate_club())
    >>> result = audit(model.graph_, {"r2v": model.to_embedding()})
    >>> result.embeddings["r2v"].vectors.shape
    (34, 4)
    """

    name: str
    vectors: NDArray[np.float64]
    nearest: tuple[NDArray[np.int64], NDArray[np.int64]]
    degree: DegreeAudit
    attributes: dict[str, AttributeAudit]
    links: tuple[Finding, ...]
    hubness: Hubness


@dataclass(frozen=True)
class Audit:
    """Audit of several embeddings of the same graph.

    Attributes
    ----------
    graph : Graph
        The embedded graph.
    embeddings : dict of str to EmbeddingAudit
        Results by name of the embedding, in the order given.
    held_out : int
        Number of held-out edges; 0 if there are none.
    random_state : int
        Seed.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> model = Residual2Vec(4, random_state=0).fit(datasets.karate_club())
    >>> list(audit(model.graph_, {"r2v": model.to_embedding()}).embeddings)
    ['r2v']
    """

    graph: Graph
    embeddings: dict[str, EmbeddingAudit]
    held_out: int
    random_state: int


def audit(
    graph: Graph,
    embeddings: Mapping[str, Embedding],
    *,
    labels: Mapping[str, Values] | None = None,
    numbers: Mapping[str, Values] | None = None,
    hidden: ArrayLike | None = None,
    random_state: int = 0,
    progress: ProgressCallback | None = None,
) -> Audit:
    """Measure what embeddings tell about attributes of the nodes and about degree, and how well they keep the links.

    Parameters
    ----------
    graph : Graph
        The embedded graph.
    embeddings : mapping of str to Embedding
        Embeddings by name; all have a vector for every node of the graph.
    labels, numbers : mapping of str to attribute, optional
        Attributes by name: a mapping of node id to value, or an array in the order of the graph's nodes if their ids
        are integers in ascending order. Missing values are None, NaN or an empty string.
    hidden : array of shape (n, 2), optional
        Held-out edges, as positions of nodes; without them, the edges of the graph are scored.
    random_state : int, default 0
        Seed of all samples.
    progress : callable, optional
        Receives a :class:`residuum.ProgressEvent` after each measure.

    Returns
    -------
    Audit
        Results of all embeddings.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> embedding = Residual2Vec(4, random_state=0).fit(graph).to_embedding()
    >>> result = audit(graph, {"r2v": embedding}, labels={"club": graph.node_attributes["club"]})
    >>> result.embeddings["r2v"].attributes["club"].attacks.strongest.is_leak
    True
    """
    if not embeddings:
        raise InvalidParameterError("embeddings must name at least one embedding; got none.")
    of_labels, of_numbers = dict(labels or {}), dict(numbers or {})
    repeated = sorted(of_labels.keys() & of_numbers.keys())
    if repeated:
        raise InvalidParameterError(f"{repeated[0]!r} is both a label and a number; give it once.")
    steps = _Steps(progress, len(embeddings) * (1 + len(of_labels) + len(of_numbers)))
    results = {}
    for name, embedding in embeddings.items():
        subject = degree_subject(embedding, graph, random_state)
        links = _links(embedding, graph, hidden, random_state)
        degree, nearest = _degree(subject), subject.nearest
        steps.advance()
        attributes: dict[str, AttributeAudit] = {}
        for attribute, values in of_labels.items():
            attributes[attribute] = _label(label_subject(embedding, graph, values, attribute, random_state))
            steps.advance()
        for attribute, values in of_numbers.items():
            attributes[attribute] = _number(number_subject(embedding, graph, values, attribute, random_state))
            steps.advance()
        hubs = hubness(subject.vectors, subject.n_neighbors, nearest=nearest)
        results[name] = EmbeddingAudit(name, subject.vectors, nearest, degree, attributes, links, hubs)
    return Audit(graph, results, 0 if hidden is None else len(np.asarray(hidden)), random_state)


class _Steps:
    """Counts finished measures and reports them."""

    def __init__(self, progress: ProgressCallback | None, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def advance(self) -> None:
        self._done += 1
        if self._progress is not None:
            self._progress(ProgressEvent("audit", self._done, self._total))


def _degree(subject: DegreeSubject) -> DegreeAudit:
    from scipy.stats import spearmanr  # slow to import

    log_degree = np.log1p(subject.degree)
    norms = np.linalg.norm(subject.vectors, axis=1)
    varied = np.ptp(norms) > 0 and np.ptp(log_degree) > 0
    correlation = float(spearmanr(norms, log_degree)[0]) if varied else 0.0
    dependence = dependence_test(subject.vectors, log_degree, random_state=subject.random_state)
    return DegreeAudit(dependence, hubs_among_neighbors(subject), correlation)


def _label(subject: LabelSubject) -> AttributeAudit:
    return replace(_attribute(subject, subject.labels, "label"), fairness=subject.fairness, mix=subject.mix)


def _number(subject: NumberSubject) -> AttributeAudit:
    return _attribute(subject, subject.numbers, "number")


def _attribute(subject: LabelSubject | NumberSubject, values: NDArray[np.generic], kind: str) -> AttributeAudit:
    degree = subject.graph.out_strength + subject.graph.in_strength
    dependence = dependence_test(subject.vectors, values, degree=degree, random_state=subject.random_state)
    try:
        attacks, reason = subject.attacks, ""
    except InvalidParameterError as error:
        attacks, reason = None, str(error)
    return AttributeAudit(subject.name, kind, len(values), dependence, attacks, reason)


def _links(embedding: Embedding, graph: Graph, hidden: ArrayLike | None, random_state: int) -> tuple[Finding, ...]:
    """Return how well held-out edges are predicted, or how well the edges of the graph are told from non-edges."""
    if hidden is not None:
        return tuple(grade_links(embedding, graph, hidden, random_state=random_state))
    entries = sparse.coo_array(graph.adjacency if graph.directed else sparse.triu(graph.adjacency))
    proper = np.flatnonzero(entries.row != entries.col)
    if not len(proper):
        return ()
    chosen = as_generator(random_state).choice(proper, min(len(proper), _EDGES), replace=False)
    pairs = np.stack([entries.row[chosen], entries.col[chosen]], axis=1).astype(np.int64)
    subject = link_subject(embedding, graph, pairs, random_state)
    meaning = "{} score: edges of the graph, seen in training, against {} non-edges; 0.5 = chance"
    return (
        replace(
            auc_beyond_degree(subject),
            name="edge AUC, beyond degree",
            meaning=meaning.format("residual", "degree-matched"),
        ),
        replace(auc(subject), name="edge AUC", meaning=meaning.format("full", "uniform")),
    )
