"""Evaluation of vectors as named findings: link prediction, and the effect of degree, labels and numbers."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum._random import as_generator
from residuum.embedding import Embedding
from residuum.errors import InvalidParameterError
from residuum.evaluation.diagnosis import Finding
from residuum.evaluation.link_prediction import LinkTask
from residuum.evaluation.pairs import degree_matched_non_edges, uniform_non_edges
from residuum.evaluation.splits import with_edges
from residuum.evaluation.subjects import (
    DegreeSubject,
    LabelSubject,
    LinkGroupsSubject,
    LinkSubject,
    NumberSubject,
    metrics_of,
)
from residuum.evaluation.values import Values, check_varied, values_of
from residuum.evaluation.vectors import Vectors, as_vectors, pair_scores
from residuum.graph import Graph, is_known
from residuum.graph.attributes import as_numbers

__all__ = ["grade_degree", "grade_labels", "grade_links", "grade_numbers"]

# Maximum number of pairs of nodes that are joined through common neighbors.
_JOINED_PAIRS = 20_000_000


def grade_links(
    vectors: Vectors,
    graph: Graph,
    hidden: ArrayLike,
    *,
    labels: Mapping[str, Values] | None = None,
    random_state: int = 0,
) -> list[Finding]:
    """Measure how well vectors predict held-out edges, for all nodes and for groups of them.

    The residual score is ``u · v`` (``u · u`` without context vectors). The full score adds the offsets of an
    embedding, in a directed graph those of sources and targets. If these are missing it adds log degrees: the
    out-degree of the source and the in-degree of the target.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node of the graph.
    graph : Graph
        The embedded graph, without the held-out edges.
    hidden : array of shape (n, 2)
        Held-out edges, as positions of nodes in the graph.
    labels : mapping of name to labels, optional
        Groups of nodes between which recall is compared: arrays in the order of the graph's nodes, or mappings of node
        id to label. Labels may be missing.
    random_state : int
        Seed of the negatives and of the recommendations.

    Returns
    -------
    list of Finding
        AUC of the residual and of the full score, average precision, precision and recall at 10, and for each of the
        labels the gap in recall.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> from residuum.evaluation import hide_edges
    >>> split = hide_edges(datasets.karate_club(), 0.2, np.random.default_rng(0))
    >>> vectors = Residual2Vec(4, random_state=0).fit_transform(split.train)
    >>> finding = grade_links(vectors, split.train, split.hidden)[0]
    >>> finding.name, finding.value > 0.7
    ('link AUC, beyond degree', True)
    """
    pairs = np.asarray(hidden, dtype=np.int64)
    in_graph = np.asarray(graph.adjacency[pairs[:, 0], pairs[:, 1]]).ravel() != 0
    if in_graph.any():
        ends = graph.node_ids[pairs[int(np.flatnonzero(in_graph)[0])]].tolist()
        raise InvalidParameterError(
            f"held-out edges must not be in the embedded graph; {int(in_graph.sum())} of {len(pairs)} are, such as "
            f"{ends[0]!r} and {ends[1]!r}. Remove them from the graph before embedding it."
        )
    subject = link_subject(vectors, graph, pairs, random_state)
    findings = _measured(subject)
    for name, groups in (labels or {}).items():
        findings += _measured(LinkGroupsSubject(subject, values_of(vectors, groups, "labels", graph), name))
    return findings


def link_subject(vectors: Vectors, graph: Graph, pairs: NDArray[np.int64], random_state: int) -> LinkSubject:
    """Return the subject of :func:`grade_links`: edges, and as many non-edges of each kind."""
    scores = pair_scores(vectors, graph=graph)
    offset_names = ("offsets", "source_offsets") if graph.directed else ("offsets",)
    has_offsets = all(getattr(vectors, name, None) is not None for name in offset_names)
    full = scores.full if has_offsets else _with_degrees(graph, scores.residual)
    rng = as_generator(random_state)
    complete = with_edges(graph, pairs)
    task = LinkTask(
        graph,
        pairs,
        {
            "uniform": uniform_non_edges(complete, len(pairs), rng),
            "degree-matched": degree_matched_non_edges(complete, len(pairs), rng),
        },
    )
    return LinkSubject(task, scores, full, random_state)


def _with_degrees(graph: Graph, residual: Any) -> Any:
    with np.errstate(divide="ignore"):
        out, into = np.log(graph.out_strength), np.log(graph.in_strength)
    return lambda i, j: residual(i, j) + out[i] + into[j]


def grade_degree(vectors: Vectors, graph: Graph, *, random_state: int = 0) -> list[Finding]:
    """Measure how much similarity depends on degree.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node of the graph.
    graph : Graph
        The embedded graph; the degree of a directed graph is the sum of both directions.
    random_state : int
        Seed of the random pairs.

    Returns
    -------
    list of Finding
        R² of similarity on degree, and fraction of hubs among nearest neighbors.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> vectors = Residual2Vec(4, random_state=0).fit_transform(graph)
    >>> [finding.name for finding in grade_degree(vectors, graph)]
    ['R² of similarity on degree', 'hubs among neighbors']
    """
    return _measured(degree_subject(vectors, graph, random_state))


def degree_subject(vectors: Vectors, graph: Graph, random_state: int) -> DegreeSubject:
    """Return the subject of :func:`grade_degree`."""
    return DegreeSubject(as_vectors(vectors, graph), graph, random_state, context_vectors=_contexts(vectors, graph))


def _contexts(vectors: Vectors, graph: Graph) -> NDArray[np.float64] | None:
    """Return the context vectors in the order of the nodes; None if there are none."""
    if not isinstance(vectors, Embedding) or vectors.context_vectors is None:
        return None
    return as_vectors(Embedding(vectors.ids, vectors.context_vectors), graph)


def grade_labels(
    vectors: Vectors, graph: Graph, labels: Values, name: str, *, before: Vectors | None = None, random_state: int = 0
) -> list[Finding]:
    """Measure how much the vectors encode a label of the nodes.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node of the graph.
    graph : Graph
        The embedded graph.
    labels : array of shape (N,), or mapping of node id to label
        An array follows the order of the graph's nodes. Nodes with a missing label (None, NaN or an empty string) are
        ignored, with their edges; if no edge is left, as for the users of a graph of users and items, two nodes count
        as joined through their common neighbors.
    name : str
        Name of the label, for the findings.
    before : array of shape (N, K), or Embedding, optional
        Vectors before erasure, whose strongest attacker is reported beside that of the vectors.
    random_state : int
        Seed of the random pairs, samples and folds.

    Returns
    -------
    list of Finding
        Dependence of similarity on the label, composition of nearest neighbors, and accuracy of predictors.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> vectors = Residual2Vec(4, random_state=0).fit_transform(graph)
    >>> findings = grade_labels(vectors, graph, graph.node_attributes["club"], "club")
    >>> "same club among neighbors" in [finding.name for finding in findings]
    True
    """
    return _measured(label_subject(vectors, graph, labels, name, random_state, before))


def label_subject(
    vectors: Vectors, graph: Graph, labels: Values, name: str, random_state: int, before: Vectors | None = None
) -> LabelSubject:
    """Return the subject of :func:`grade_labels`: the nodes with a label, and the edges between them."""
    label = values_of(vectors, labels, "labels", graph)
    has_label = is_known(label)
    (u, v), earlier = _rows(vectors, graph, has_label), None if before is None else _rows(before, graph, has_label)
    label = label[has_label]
    if label.dtype.kind in "fO":  # floats would be treated as numbers
        label = np.array([str(value) for value in label.tolist()])
    among = graph if has_label.all() else joined_nodes(graph, has_label, random_state)
    return LabelSubject(u, among, random_state, label, name, context_vectors=v, before=earlier)


def _rows(
    vectors: Vectors, graph: Graph, selected: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
    """Return vectors and context vectors of some nodes."""
    v = _contexts(vectors, graph)
    return as_vectors(vectors, graph)[selected], None if v is None else v[selected]


def grade_numbers(
    vectors: Vectors, graph: Graph, numbers: Values, name: str, *, before: Vectors | None = None, random_state: int = 0
) -> list[Finding]:
    """Measure how much the vectors encode a number of the nodes, such as a year.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node of the graph.
    graph : Graph
        The embedded graph.
    numbers : array of shape (N,), or mapping of node id to number
        An array follows the order of the graph's nodes. Nodes with NaN are ignored.
    name : str
        Name of the number, for the findings.
    before : array of shape (N, K), or Embedding, optional
        Vectors before erasure, whose strongest attacker is reported beside that of the vectors.
    random_state : int
        Seed of the random pairs, samples and folds.

    Returns
    -------
    list of Finding
        Dependence of similarity on the number, and accuracy of predictors.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> vectors = Residual2Vec(4, random_state=0).fit_transform(graph)
    >>> finding = grade_numbers(vectors, graph, np.log(graph.out_strength), "log degree")[0]
    >>> finding.name, finding.value < 0.1
    ('R² of similarity on log degree', True)
    """
    return _measured(number_subject(vectors, graph, numbers, name, random_state, before))


def number_subject(
    vectors: Vectors, graph: Graph, numbers: Values, name: str, random_state: int, before: Vectors | None = None
) -> NumberSubject:
    """Return the subject of :func:`grade_numbers`: the nodes with a number, and the edges between them."""
    number = as_numbers(values_of(vectors, numbers, "numbers", graph), "numbers")
    has_number = is_known(number)
    (u, v), earlier = _rows(vectors, graph, has_number), None if before is None else _rows(before, graph, has_number)
    number = number[has_number]
    check_varied(number, "numbers")
    among = graph if has_number.all() else joined_nodes(graph, has_number, random_state)
    return NumberSubject(u, among, random_state, number, name, context_vectors=v, before=earlier)


def joined_nodes(graph: Graph, keep: NDArray[np.bool_], random_state: int) -> Graph:
    """Return the graph of the nodes with a value.

    If no edge joins two of them, as on one side of a bipartite graph, they are joined through common neighbors k, with
    the weights ``Σ_k a_ik a_jk / d_k``, which keep the degrees; a sample of the common neighbors if they are many.
    """
    among = graph.adjacency[keep][:, keep]
    if among.nnz:
        return graph.subgraph(keep)
    to_others = sparse.csc_array(graph.adjacency[keep])
    degree, n_edges = to_others.sum(axis=0), np.diff(to_others.indptr).astype(np.float64)
    others = as_generator(random_state).permutation(np.flatnonzero(degree > 0))
    others = others[np.cumsum(n_edges[others] ** 2) - n_edges[others[:1]].sum() ** 2 <= _JOINED_PAIRS]
    through = to_others[:, others] @ sparse.diags_array(degree[others] ** -0.5)
    joined = through @ through.T
    return Graph((joined + joined.T) / 2, graph.node_ids[keep])


def _measured(
    subject: LinkSubject | LinkGroupsSubject | DegreeSubject | LabelSubject | NumberSubject,
) -> list[Finding]:
    return [measure(subject) for measure in metrics_of(type(subject))]
