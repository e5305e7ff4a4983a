"""Examples for a classifier of pairs: held-out edges and as many other pairs, with their features."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from residuum.evaluation import LinkTask
from residuum.graph import Graph
from residuum.links.features import PairFeatures
from residuum.links.standard import Standard

__all__ = ["PairExamples", "examples", "merged"]

# More change little and take longer.
_MOST_EDGES = 20_000
# Fewer different pairs without an edge are no sample.
_FEWEST_OTHERS = 10
# Rounds of pairs of ends of held-out edges: some of them are edges.
_DRAWS = 3


@dataclass(frozen=True)
class PairExamples:
    """Pairs to learn from.

    Attributes
    ----------
    pairs : int array of shape (n, 2)
        Positions of the nodes; in an undirected graph the lower one first.
    is_edge : bool array of shape (n,)
        Whether the pair is a held-out edge.
    features : array of shape (n, number of features)
        Features in an embedding without the held-out edges, standardized by the pairs without an edge.
    deviation : array of shape (number of features,)
        Standard deviation of the logarithm of each feature over the pairs without an edge.
    """

    pairs: NDArray[np.int64]
    is_edge: NDArray[np.bool_]
    features: NDArray[np.float64]
    deviation: NDArray[np.float64]

    def folds(self, count: int) -> NDArray[np.int64]:
        """Return the fold of every example: a pair that was drawn several times is in one fold.

        Every fold has as many different edges as the others, up to one, and as many different other pairs.
        """
        fold = np.empty(len(self.pairs), dtype=np.int64)
        for kind in (self.is_edge, ~self.is_edge):
            _, first, number = np.unique(self.pairs[kind], axis=0, return_index=True, return_inverse=True)
            # In the random order of the examples, not in that of the ids.
            fold[kind] = np.argsort(np.argsort(first))[number.ravel()] % count  # a column in numpy 2.0
        return fold


def examples(
    features: PairFeatures, graph: Graph, task: LinkTask, negatives: str, rng: np.random.Generator
) -> PairExamples | None:
    """Return held-out edges and pairs without an edge, at most 20,000 of each; None if hardly any pair has no edge.

    Parameters
    ----------
    features : PairFeatures
        Features in an embedding of the training graph.
    graph : Graph
        Graph with all edges.
    task : LinkTask
        Held-out edges and random pairs without an edge.
    negatives : {"degree-matched", "uniform"}
        Pairs without an edge: ends of different held-out edges, or random nodes.
    rng : numpy Generator
        Random state of the sample.

    Returns
    -------
    PairExamples or None
        Examples in random order, edges first.
    """
    matched = negatives == "degree-matched"
    others = _mixed_ends(graph, task.positive, rng) if matched else task.negatives["uniform"]
    if len(np.unique(np.sort(others, axis=1), axis=0)) < _FEWEST_OTHERS:
        return None
    sampled = [pairs[rng.permutation(len(pairs))[:_MOST_EDGES]] for pairs in (task.positive, others)]
    is_edge = np.repeat([True, False], [len(pairs) for pairs in sampled])
    pairs = np.concatenate(sampled)
    values = features(*pairs.T)
    standard = Standard.of(values[~is_edge])
    in_order = pairs if graph.directed else np.sort(pairs, axis=1)
    return PairExamples(in_order, is_edge, standard(values), standard.deviation)


def merged(rounds: Sequence[PairExamples]) -> PairExamples:
    """Return the examples of several splits as one, with the mean deviations."""
    columns = ([getattr(part, name) for part in rounds] for name in ("pairs", "is_edge", "features"))
    deviation = np.mean([part.deviation for part in rounds], axis=0)
    pairs, is_edge, features = (np.concatenate(parts) for parts in columns)
    return PairExamples(pairs, is_edge, features, deviation)


def _mixed_ends(graph: Graph, edges: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return up to as many pairs without an edge, whose nodes are ends of different held-out edges.

    Pairs with the degrees of the whole graph would not do: the ends of held-out edges have lost edges, and the degrees
    of the rest tell them.
    """
    drawn = []
    for _ in range(_DRAWS):
        turned = rng.random(len(edges)) < (0.0 if graph.directed else 0.5)
        ends = np.where(turned[:, None], edges[:, ::-1], edges)
        sources, targets = ends[:, 0], ends[rng.permutation(len(ends)), 1]
        weights = np.asarray(graph.adjacency[sources, targets]).ravel()
        drawn.append(np.stack([sources, targets], axis=1)[(weights == 0) & (sources != targets)])
    return np.concatenate(drawn)[: len(edges)]
