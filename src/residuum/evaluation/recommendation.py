"""Recommendation: whether a node's hidden edges are at the top of a list of all nodes that it is not joined to."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum._random import as_generator
from residuum._validation import check_integer
from residuum.errors import InvalidParameterError
from residuum.evaluation.vectors import PairScore
from residuum.graph import Graph

__all__ = ["Recommendation", "recommend"]

_PAIRS_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class Recommendation:
    """What the first k of each node's list hold of its hidden edges.

    Attributes
    ----------
    nodes : array of shape (n,)
        Positions of the nodes that have hidden edges.
    found : array of shape (n,)
        How many of its hidden edges are among the first k.
    hidden : array of shape (n,)
        How many it has.
    k : int
    """

    nodes: NDArray[np.int64]
    found: NDArray[np.int64]
    hidden: NDArray[np.int64]
    k: int

    @property
    def precision(self) -> NDArray[np.float64]:
        """``found / k``, for each node."""
        return np.asarray(self.found / self.k)

    @property
    def recall(self) -> NDArray[np.float64]:
        """``found / hidden``, for each node."""
        return np.asarray(self.found / self.hidden)

    @property
    def hits(self) -> NDArray[np.float64]:
        """1 for each node that finds at least one of its hidden edges, else 0."""
        return (self.found > 0).astype(np.float64)


def recommend(
    train: Graph,
    hidden: ArrayLike,
    score: PairScore,
    k: int = 10,
    *,
    n_nodes: int | None = None,
    random_state: int | np.random.Generator | None = 0,
) -> Recommendation:
    """Rank for each node with hidden edges all nodes that it is not joined to, and look at the first k.

    Nodes of equal score are put in random order. The means over the nodes are the usual precision, recall and hits
    at k: ``recommend(...).precision.mean()``.

    Parameters
    ----------
    train : Graph
        The graph without the hidden edges.
    hidden : array of shape (n, 2)
        Positions of the ends; in a directed graph from the first to the second.
    score : callable
        Of pairs (rows, columns), higher is better; NaN is refused.
    k : int
    n_nodes : int, optional
        Look at a random sample of so many nodes; by default at all that have hidden edges.
    random_state : int, Generator or None

    Examples
    --------
    >>> path = Graph([[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]])
    >>> recommend(path, [[0, 2]], lambda i, j: -np.abs(i - j), k=1).recall
    array([1., 1.])
    """
    check_integer("k", k, minimum=1)
    rng = as_generator(random_state)
    pairs = np.asarray(hidden, dtype=np.int64)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or len(pairs) == 0:
        raise InvalidParameterError(f"hidden must be an array of at least one pair of nodes; got shape {pairs.shape}.")
    if not train.directed:
        pairs = np.concatenate([pairs, pairs[:, ::-1]])
    shape = (train.n_nodes, train.n_nodes)
    wanted = sparse.csr_array((np.ones(len(pairs), dtype=np.bool_), (pairs[:, 0], pairs[:, 1])), shape=shape)
    nodes = np.unique(pairs[:, 0])
    if n_nodes is not None and n_nodes < len(nodes):
        nodes = np.sort(rng.choice(nodes, n_nodes, replace=False))
    at_once = max(1, _PAIRS_AT_ONCE // train.n_nodes)
    found = [
        _found_by(train, wanted, score, nodes[start : start + at_once], k, rng)
        for start in range(0, len(nodes), at_once)
    ]
    return Recommendation(nodes, np.concatenate(found), np.diff(wanted.indptr)[nodes].astype(np.int64), k)


def _found_by(
    train: Graph,
    wanted: "sparse.csr_array[np.bool_]",
    score: PairScore,
    nodes: NDArray[np.int64],
    k: int,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    # In random order, so that a stable sort puts ties in random order.
    others = rng.permutation(train.n_nodes)
    rows, columns = np.repeat(nodes, len(others)), np.tile(others, len(nodes))
    scores = np.asarray(score(rows, columns), dtype=np.float64).reshape(len(nodes), len(others))
    closed = train.adjacency[nodes].toarray()[:, others] > 0
    closed |= nodes[:, None] == others
    _require_numbers(scores, nodes, others, ~closed)
    # Closed ones last, behind open ones of the lowest score that there is.
    first = np.lexsort((-scores, closed), axis=1)[:, :k]
    open_to = ~np.take_along_axis(closed, first, axis=1)
    right = wanted[nodes].toarray()[np.arange(len(nodes))[:, None], others[first]]
    return np.asarray((right & open_to).sum(axis=1), dtype=np.int64)


def _require_numbers(
    scores: NDArray[np.float64], nodes: NDArray[np.int64], others: NDArray[np.int64], asked: NDArray[np.bool_]
) -> None:
    missing = np.argwhere(np.isnan(scores) & asked)
    if len(missing):
        row, column = missing[0]
        raise InvalidParameterError(
            "score must be a number for each pair that is not joined; it is NaN for the nodes at "
            f"{nodes[row]} and {others[column]}. Take -inf for pairs that must come last."
        )
