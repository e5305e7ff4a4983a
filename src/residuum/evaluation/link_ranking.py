"""Missing links: the pairs without an edge that have the highest scores."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._validation import check_choice, check_integer
from residuum.embedding import Embedding
from residuum.evaluation.vectors import pair_scores
from residuum.graph import Graph

__all__ = ["SCORES", "MissingLinks", "missing_links"]

#: Scores of pairs that rank missing links.
SCORES = ("residual", "null", "full")
# Entries of the tile of scores that is in memory.
_TILE = 4_000_000


@dataclass(frozen=True)
class MissingLinks:
    """Pairs without an edge, highest score first.

    Attributes
    ----------
    pairs : int array of shape (n, 2)
        Positions of the nodes in the graph.
    scores : dict of str to array of shape (n,)
        The residual, null and full scores of the pairs.

    Examples
    --------
    >>> path = Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> links = missing_links(Embedding([0, 1, 2], [[1.0], [0.5], [2.0]]), path)
    >>> links.pairs.tolist(), links.scores["residual"].tolist()
    ([[0, 2]], [2.0])
    """

    pairs: NDArray[np.int64]
    scores: dict[str, NDArray[np.float64]]


def missing_links(
    embedding: Embedding, graph: Graph, n: int = 20, by: str = "residual", nodes: Iterable[Any] | None = None
) -> MissingLinks:
    """Return the pairs of nodes without an edge that have the highest scores.

    All pairs are scored, in O(N² K) time and O(N) memory. Isolated nodes, of which nothing is known, are left out.

    Parameters
    ----------
    embedding : Embedding
        Vectors of the nodes of the graph.
    graph : Graph
        Graph with the known edges.
    n : int, default 20
        Number of pairs; fewer if the graph has fewer non-edges.
    by : {"residual", "null", "full"}, default "residual"
        Score that ranks the pairs: the association beyond the null model, the expectation of the null model, or their
        sum, which predicts observed links.
    nodes : iterable of node ids, optional
        Only pairs with one of these nodes as center; all nodes by default.

    Returns
    -------
    MissingLinks
        Pairs and scores; each pair of an undirected graph occurs once.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> embedding = Residual2Vec(8, random_state=0).fit(graph).to_embedding()
    >>> missing_links(embedding, graph, n=3, by="null").pairs.tolist()
    [[0, 33], [0, 32], [2, 33]]
    """
    n = check_integer("n", n, minimum=1)
    check_choice("by", by, SCORES)
    scores = pair_scores(embedding, graph=graph)
    centers = np.arange(graph.n_nodes) if nodes is None else np.unique(graph.positions(nodes))
    is_center = np.isin(np.arange(graph.n_nodes), centers)
    isolated = (graph.out_strength == 0) & (graph.in_strength == 0)
    best, values = np.empty((0, 2), dtype=np.int64), np.empty(0)
    height = max(1, _TILE // graph.n_nodes)
    for begin in range(0, len(centers), height):
        rows = centers[begin : begin + height]
        tile = scores.rows(rows, by)
        tile[:, isolated] = -np.inf
        tile[np.arange(len(rows)), rows] = -np.inf
        edges = graph.adjacency[rows].tocoo()
        tile[edges.row, edges.col] = -np.inf
        if not graph.directed:
            # A pair of two centers is counted at the first of them.
            tile[is_center[None, :] & (np.arange(graph.n_nodes)[None, :] < rows[:, None])] = -np.inf
        found = np.flatnonzero(np.isfinite(tile.ravel()) & ~np.repeat(isolated[rows], graph.n_nodes))
        found = found[_highest(tile.ravel()[found], n)]
        best = np.concatenate([best, np.stack([rows[found // graph.n_nodes], found % graph.n_nodes], axis=1)])
        values = np.concatenate([values, tile.ravel()[found]])
        kept = _highest(values, n)
        best, values = best[kept], values[kept]
    return MissingLinks(best, {name: np.asarray(getattr(scores, name)(*best.T)) for name in SCORES})


def _highest(values: NDArray[np.float64], n: int) -> NDArray[np.int64]:
    """Return the positions of the n highest values in descending order; of equal ones, the first."""
    if len(values) > n:
        # All values equal to the n-th are kept, so that the order decides between them.
        candidates = np.flatnonzero(values >= np.partition(values, len(values) - n)[len(values) - n])
    else:
        candidates = np.arange(len(values))
    return np.asarray(candidates[np.argsort(-values[candidates], kind="stable")][:n])
