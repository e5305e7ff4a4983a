"""What a metric measures: vectors together with held-out edges, degrees, labels or numbers of the nodes."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from residuum._discovery import module_names
from residuum.embedding import PairScores
from residuum.embedding.nearest import nearest_rows
from residuum.evaluation.attackers import AttackReport, attack
from residuum.evaluation.bias import attribute_auc
from residuum.evaluation.diagnosis import Finding
from residuum.evaluation.fairness import NeighborFairness, neighbor_fairness
from residuum.evaluation.link_prediction import LinkTask
from residuum.evaluation.neighborhoods import GroupMix, Nearest, group_mix
from residuum.evaluation.recommendation import Recommendation, recommend
from residuum.graph import Graph

__all__ = [
    "DegreeSubject",
    "LabelSubject",
    "LinkGroupsSubject",
    "LinkSubject",
    "NumberSubject",
    "metric",
    "metrics_of",
]

_METRICS = "residuum.evaluation.metrics"
_NEIGHBORS = 10
# Maximum number of nodes to recommend to.
_RECOMMENDED_TO = 500

Measure = TypeVar("Measure", bound=Callable[[Any], Finding])


def metric(subject: type) -> Callable[[Measure], Measure]:
    """Decorate a function as a metric: it takes a subject and returns a finding.

    Every module in ``residuum/evaluation/metrics`` is searched for metrics, so a new metric needs no registration.

    Parameters
    ----------
    subject : type
        One of :class:`LinkSubject`, :class:`LinkGroupsSubject`, :class:`DegreeSubject`, :class:`LabelSubject` and
        :class:`NumberSubject`.

    Returns
    -------
    callable
        The decorator, which returns the function unchanged.

    Examples
    --------
    >>> @metric(DegreeSubject)
    ... def largest_degree(subject):
    ...     return Finding("largest degree", float(subject.degree.max()), "depends on the graph only")
    """

    def mark(measure: Measure) -> Measure:
        measure.__dict__["subject"] = subject
        return measure

    return mark


def metrics_of(subject: type) -> list[Callable[[Any], Finding]]:
    """Return the metrics of a subject, sorted by module, then by position in the module.

    Parameters
    ----------
    subject : type
        Class of the subject.

    Returns
    -------
    list of callable
        Functions from subject to finding.

    Examples
    --------
    >>> [measure.__name__ for measure in metrics_of(DegreeSubject)]
    ['dependence_on_degree', 'hubs_among_neighbors']
    """
    modules = [importlib.import_module(f"{_METRICS}.{name}") for name in module_names(_METRICS)]
    return [
        function
        for module in modules
        for function in vars(module).values()
        if callable(function) and getattr(function, "subject", None) is subject
    ]


@dataclass(frozen=True)
class LinkSubject:
    """Held-out edges and negatives, with scores of pairs.

    Attributes
    ----------
    task : LinkTask
        Embedded graph, held-out edges, and uniform and degree-matched negatives.
    scores : PairScores
        Residual scores of pairs.
    full : callable
        Full score of centers and contexts: association plus offsets or log degrees.
    random_state : int
        Seed.

    Examples
    --------
    >>> [measure.__name__ for measure in metrics_of(LinkSubject)][:2]
    ['auc_beyond_degree', 'auc']
    """

    task: LinkTask
    scores: PairScores
    full: Callable[[Any, Any], NDArray[np.float64]]
    random_state: int

    @cached_property
    def recommendation(self) -> Recommendation:
        """Precision and recall of the ten highest-scoring non-neighbors of a sample of nodes."""
        task = self.task
        return recommend(
            task.train,
            task.positive,
            self.full,
            _NEIGHBORS,
            n_nodes=_RECOMMENDED_TO,
            random_state=self.random_state,
        )


@dataclass(frozen=True)
class LinkGroupsSubject:
    """Held-out edges of the nodes of different groups.

    Attributes
    ----------
    links : LinkSubject
        Held-out edges and scores of pairs.
    labels : array of shape (N,)
        Group of each node of the graph; it may be missing.
    name : str
        Name of the label.

    Examples
    --------
    >>> [measure.__name__ for measure in metrics_of(LinkGroupsSubject)]
    ['recall_gap']
    """

    links: LinkSubject
    labels: NDArray[Any]
    name: str


@dataclass(frozen=True)
class _NodeSubject:
    """Vectors of the nodes of a graph.

    Attributes
    ----------
    vectors : array of shape (N, K)
        One vector per node.
    graph : Graph
        The embedded graph.
    random_state : int
        Seed.
    context_vectors : array of shape (N, K), optional
        Context vectors, which attackers see as well.
    before : pair of arrays, optional
        Vectors, and context vectors or None, before erasure.
    """

    vectors: NDArray[np.float64]
    graph: Graph
    random_state: int
    context_vectors: NDArray[np.float64] | None = field(default=None, kw_only=True)
    before: tuple[NDArray[np.float64], NDArray[np.float64] | None] | None = field(default=None, kw_only=True)

    @cached_property
    def n_neighbors(self) -> int:
        """Number of nearest neighbors: 10, or all nodes with a vector if there are fewer."""
        return min(_NEIGHBORS, int(self.vectors.any(axis=1).sum()) - 1)

    @cached_property
    def nearest(self) -> Nearest:
        """Nonzero rows and their nearest neighbors by cosine."""
        return nearest_rows(self.vectors, self.n_neighbors)


@dataclass(frozen=True)
class DegreeSubject(_NodeSubject):
    """Vectors and degrees of the nodes.

    Attributes
    ----------
    vectors : array of shape (N, K)
        One vector per node.
    graph : Graph
        The embedded graph.
    random_state : int
        Seed.
    context_vectors : array of shape (N, K), optional
        Context vectors, which attackers see as well.
    before : pair of arrays, optional
        Vectors, and context vectors or None, before erasure.

    Examples
    --------
    >>> from residuum import datasets
    >>> graph = datasets.karate_club()
    >>> DegreeSubject(np.eye(34), graph, random_state=0).degree.max()
    np.float64(17.0)
    """

    @cached_property
    def degree(self) -> NDArray[np.float64]:
        """Strength of each node; in a directed graph the sum of both directions."""
        graph = self.graph
        return graph.out_strength + graph.in_strength if graph.directed else graph.out_strength


@dataclass(frozen=True)
class LabelSubject(_NodeSubject):
    """Vectors and a label of the nodes.

    Attributes
    ----------
    vectors : array of shape (N, K)
        One vector per node.
    graph : Graph
        The embedded graph.
    random_state : int
        Seed.
    labels : array of shape (N,)
        A label for every node.
    name : str
        Name of the label.
    context_vectors : array of shape (N, K), optional
        Context vectors, which attackers see as well.
    before : pair of arrays, optional
        Vectors, and context vectors or None, before erasure.

    Examples
    --------
    >>> from residuum import datasets
    >>> graph = datasets.karate_club()
    >>> LabelSubject(np.eye(34), graph, 0, graph.node_attributes["club"], "club").shares
    array([0.5, 0.5])
    """

    labels: NDArray[Any]
    name: str

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Fraction of the nodes in each group, in the sorted order of the labels."""
        sizes = np.unique(self.labels, return_counts=True)[1]
        return np.asarray(sizes / sizes.sum(), dtype=np.float64)

    @cached_property
    def auc(self) -> dict[str, float]:
        """AUC of the predictors of the label, by name."""
        return attribute_auc(self.vectors, self.labels, random_state=self.random_state)

    @cached_property
    def attacks(self) -> AttackReport:
        """Results of all attackers who predict the label."""
        return self._attack(self.vectors, self.context_vectors)

    @cached_property
    def attacks_before(self) -> AttackReport | None:
        """The same before erasure; None if these vectors are not given."""
        return None if self.before is None else self._attack(*self.before)

    def _attack(self, u: NDArray[np.float64], v: NDArray[np.float64] | None) -> AttackReport:
        return attack(u, self.labels, context_vectors=v, kind="label", random_state=self.random_state)

    @cached_property
    def mix(self) -> GroupMix:
        """Groups among the nearest neighbors, along the edges and under the configuration model."""
        return group_mix(self.vectors, self.labels, self.graph, n_neighbors=self.n_neighbors, nearest=self.nearest)

    @cached_property
    def fairness(self) -> NeighborFairness:
        """Share of the own group among the nearest neighbors, and order of the neighbors."""
        return neighbor_fairness(
            self.vectors, self.labels, self.graph, n_neighbors=self.n_neighbors, nearest=self.nearest
        )


@dataclass(frozen=True)
class NumberSubject(_NodeSubject):
    """Vectors and a number of the nodes.

    Attributes
    ----------
    vectors : array of shape (N, K)
        One vector per node.
    graph : Graph
        The embedded graph.
    random_state : int
        Seed.
    numbers : array of shape (N,)
        A finite number for every node.
    name : str
        Name of the number.
    context_vectors : array of shape (N, K), optional
        Context vectors, which attackers see as well.
    before : pair of arrays, optional
        Vectors, and context vectors or None, before erasure.

    Examples
    --------
    >>> [measure.__name__ for measure in metrics_of(NumberSubject)]
    ['dependence_on_number', 'linear_auc_of_number', 'strongest_attacker_of_number', 'r_squared_of_number']
    """

    numbers: NDArray[np.float64]
    name: str

    @cached_property
    def attacks(self) -> AttackReport:
        """Results of all attackers who predict one of five bins of the number."""
        return self._attack(self.vectors, self.context_vectors)

    @cached_property
    def attacks_before(self) -> AttackReport | None:
        """The same before erasure; None if these vectors are not given."""
        return None if self.before is None else self._attack(*self.before)

    def _attack(self, u: NDArray[np.float64], v: NDArray[np.float64] | None) -> AttackReport:
        return attack(u, self.numbers, context_vectors=v, kind="number", random_state=self.random_state)
