"""Recommendation: held-out edges among the highest-scoring non-neighbors of a node."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum._random import as_generator
from residuum._validation import check_integer
from residuum.embedding import PairScore
from residuum.errors import InvalidParameterError
from residuum.graph import Graph

__all__ = ["Recommendation", "recommend"]

_PAIRS_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class Recommendation:
    """Number of held-out edges among the top k recommendations of each node.

    Attributes
    ----------
    nodes : array of shape (n,)
        Positions of the nodes with held-out edges.
    n_hits : array of shape (n,)
        Number of the node's held-out edges among its top k.
    hidden : array of shape (n,)
        Number of the node's held-out edges.
    k : int
        Number of recommendations per node.

    Examples
    --------
    >>> lists = Recommendation(np.array([0, 5]), n_hits=np.array([2, 0]), hidden=np.array([4, 1]), k=10)
    >>> lists.precision.mean().item(), lists.recall.mean().item(), lists.hits.mean().item()
    (0.1, 0.25, 0.5)
    """

    nodes: NDArray[np.int64]
    n_hits: NDArray[np.int64]
    hidden: NDArray[np.int64]
    k: int

    @property
    def precision(self) -> NDArray[np.float64]:
        """``n_hits / k`` of each node."""
        return np.asarray(self.n_hits / self.k)

    @property
    def recall(self) -> NDArray[np.float64]:
        """``n_hits / hidden`` of each node."""
        return np.asarray(self.n_hits / self.hidden)

    @property
    def hits(self) -> NDArray[np.float64]:
        """1 for each node with at least one held-out edge among its top k, else 0."""
        return (self.n_hits > 0).astype(np.float64)


def recommend(
    train: Graph,
    hidden: ArrayLike,
    score: PairScore,
    k: int = 10,
    *,
    n_nodes: int | None = None,
    random_state: int | np.random.Generator | None = 0,
) -> Recommendation:
    """Rank all non-neighbors of each node with held-out edges by score, and count held-out edges in the top k.

    Ties are in random order. The means over nodes are the usual precision, recall and hits at k:
    ``recommend(...).precision.mean()``.

    Parameters
    ----------
    train : Graph
        The graph without the held-out edges.
    hidden : array of shape (n, 2)
        Held-out edges, as positions of nodes; in a directed graph from source to target.
    score : callable
        Scores of pairs, ``(rows, columns) -> array``; higher is better, NaN is an error.
    k : int
        Number of recommendations per node.
    n_nodes : int, optional
        Maximum number of nodes to evaluate, sampled at random; by default all nodes with held-out edges.
    random_state : int, Generator or None
        Seed of the sample and of the order of ties.

    Returns
    -------
    Recommendation
        Counts for each node.

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
        raise InvalidParameterError(
            f"hidden must be an array of shape (n, 2) with at least one pair; got shape {pairs.shape}."
        )
    if not train.directed:
        pairs = np.concatenate([pairs, pairs[:, ::-1]])
    shape = (train.n_nodes, train.n_nodes)
    held_out = sparse.csr_array((np.ones(len(pairs), dtype=np.bool_), (pairs[:, 0], pairs[:, 1])), shape=shape)
    nodes = np.unique(pairs[:, 0])
    if n_nodes is not None and n_nodes < len(nodes):
        nodes = np.sort(rng.choice(nodes, n_nodes, replace=False))
    chunk = max(1, _PAIRS_AT_ONCE // train.n_nodes)
    counts = [
        _count_held_out(train, held_out, score, nodes[start : start + chunk], k, rng)
        for start in range(0, len(nodes), chunk)
    ]
    return Recommendation(nodes, np.concatenate(counts), np.diff(held_out.indptr)[nodes].astype(np.int64), k)


def _count_held_out(
    train: Graph,
    held_out: "sparse.csr_array[np.bool_]",
    score: PairScore,
    nodes: NDArray[np.int64],
    k: int,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    # A stable sort of candidates in random order leaves ties in random order.
    candidates = rng.permutation(train.n_nodes)
    rows, columns = np.repeat(nodes, len(candidates)), np.tile(candidates, len(nodes))
    scores = np.asarray(score(rows, columns), dtype=np.float64).reshape(len(nodes), len(candidates))
    excluded = train.adjacency[nodes].toarray()[:, candidates] > 0
    excluded |= nodes[:, None] == candidates
    _require_numbers(scores, nodes, candidates, ~excluded)
    # Excluded candidates come last, even after a score of -inf.
    top = np.lexsort((-scores, excluded), axis=1)[:, :k]
    is_candidate = ~np.take_along_axis(excluded, top, axis=1)
    is_held_out = held_out[nodes].toarray()[np.arange(len(nodes))[:, None], candidates[top]]
    return np.asarray((is_held_out & is_candidate).sum(axis=1), dtype=np.int64)


def _require_numbers(
    scores: NDArray[np.float64], nodes: NDArray[np.int64], candidates: NDArray[np.int64], ranked: NDArray[np.bool_]
) -> None:
    missing = np.argwhere(np.isnan(scores) & ranked)
    if len(missing):
        row, column = missing[0]
        raise InvalidParameterError(
            "score must be a number for each pair without an edge; it is NaN for the nodes at positions "
            f"{nodes[row]} and {candidates[column]}. Use -inf to rank a pair last."
        )
