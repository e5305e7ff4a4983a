"""Sampled pairs of nodes: contexts of random walks, and contexts of null models that can only be sampled."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._kernels.alias import alias_of
from residuum._kernels.contexts import walk_contexts
from residuum.nulls import FittedNull
from residuum.walks import WindowProbabilities

__all__ = ["Pairs", "WalkContexts", "WalkPlan", "null_contexts"]

# Mean number of contexts per walk: fewer are less correlated, more need fewer steps each.
_RECORDED = 2
# Levels at which the length of a walk is tabulated.
_LEVELS = 256
_no_weights = np.empty(0, dtype=np.float32)


@dataclass(frozen=True)
class Pairs:
    """Pairs of nodes, grouped by the first node.

    Attributes
    ----------
    borders : int array of shape (n + 1,)
        The pairs of row r are ``borders[r]:borders[r + 1]``.
    others : int array
        Second node of each pair.
    weights : float32 array of the shape of ``others``, or (0,)
        Weights of the pairs; 1 if empty.
    scale : float32 array of shape (n,)
        Factor of the weights of each row.

    Examples
    --------
    >>> borders, others = np.array([0, 2, 2]), np.array([0, 1], dtype=np.int32)
    >>> pairs = Pairs(borders, others, np.empty(0, dtype=np.float32), np.array([0.5, 0.5], dtype=np.float32))
    >>> pairs.transposed(np.ones(2), 2).others.tolist()
    [0, 0]
    """

    borders: NDArray[np.integer]
    others: NDArray[np.integer]
    weights: NDArray[np.float32]
    scale: NDArray[np.float32]

    @staticmethod
    def joined(parts: "Sequence[Pairs]") -> "Pairs":
        """Return the pairs of consecutive ranges of rows as one object.

        Parameters
        ----------
        parts : sequence of Pairs
            Pairs without weights.

        Returns
        -------
        Pairs
            Pairs of all rows.
        """
        ends = np.concatenate([np.diff(part.borders) for part in parts]).cumsum()
        others, scale = (np.concatenate([getattr(part, name) for part in parts]) for name in ("others", "scale"))
        return Pairs(np.concatenate([[0], ends]), others, _no_weights, scale)

    def part(self, begin: int, end: int) -> "Pairs":
        """Return the pairs of a range of rows.

        Parameters
        ----------
        begin, end : int
            Range of rows.

        Returns
        -------
        Pairs
            Pairs that share the arrays of these.
        """
        return Pairs(self.borders[begin : end + 1], self.others, self.weights, self.scale[begin:end])

    def rescaled(self, factors: NDArray[np.floating[Any]]) -> "Pairs":
        """Return the pairs with other weights.

        Parameters
        ----------
        factors : array of shape (n,)
            Factor of each row.

        Returns
        -------
        Pairs
            Pairs that share the arrays of these, except the scale.
        """
        return Pairs(self.borders, self.others, self.weights, (self.scale * factors).astype(np.float32))

    def transposed(self, factors: NDArray[np.floating[Any]], n_nodes: int) -> "Pairs":
        """Return the pairs grouped by the second node, with the weights ``factors[r] scale[r] weights[e]``.

        Parameters
        ----------
        factors : array of shape (n,)
            Factor of each first node.
        n_nodes : int
            Number of second nodes.

        Returns
        -------
        Pairs
            Transposed pairs, with a scale of 1.
        """
        data = np.repeat((self.scale * factors).astype(np.float32), np.diff(self.borders))
        if len(self.weights):
            data *= self.weights
        matrix = sparse.csr_array((data, self.others, self.borders), shape=(len(self.scale), n_nodes)).tocsc()
        return Pairs(matrix.indptr, matrix.indices, matrix.data, np.ones(n_nodes, dtype=np.float32))


@dataclass(frozen=True)
class WalkPlan:
    """Number, length and weight of the walks that sample contexts.

    Attributes
    ----------
    keep : array of shape (T,)
        Share of the walks that record each step, at most 1, before the stride.
    last : int array
        Last step whose share is above a level, tabulated.
    stride : int
        A walk records only every ``stride``-th step.
    n_walks : int array of shape (N,)
        Number of walks from each node.
    scale : float32 array of shape (N,)
        Weight of each context of a node.
    """

    keep: NDArray[np.float64]
    last: NDArray[np.int64]
    stride: int
    n_walks: NDArray[np.int64]
    scale: NDArray[np.float32]

    @classmethod
    def of(
        cls,
        window: NDArray[np.float64],
        degrees: NDArray[np.integer],
        active: NDArray[np.bool_],
        n_contexts: int,
        inverse_completed: NDArray[np.float32] | None = None,
    ) -> "WalkPlan":
        """Return the walks for a number of contexts.

        Parameters
        ----------
        window : array of shape (T,)
            Weights of the steps.
        degrees : int array of shape (N,)
            Number of edges of each node.
        active : bool array of shape (N,)
            Nodes to sample contexts for.
        n_contexts : int
            Mean number of contexts per node.
        inverse_completed : float32 array of shape (N,), optional
            Factor of the weights of nodes whose walks may end.

        Returns
        -------
        WalkPlan
            Walks, more from nodes with many edges.
        """
        keep = window / window.max()
        steps = np.arange(1, len(keep) + 1)
        last = np.array([max(steps[keep > level], default=0) for level in np.arange(_LEVELS) / _LEVELS])
        recorded = float(keep[1:].sum())
        stride = max(1, round(recorded / _RECORDED))
        recorded /= stride
        root = np.sqrt(np.maximum(degrees, 1.0))
        n_walks = np.rint(n_contexts / max(recorded, 1e-9) * root / root[active].mean())
        most = max(1, 4 * n_contexts)
        n_walks = np.where(active & (recorded > 0), np.clip(n_walks, 1, most), 0).astype(np.int64)
        weight = np.divide(stride * window.max(), n_walks, out=np.zeros(len(n_walks)), where=n_walks > 0)
        scale = weight.astype(np.float32)
        return cls(keep, last, stride, n_walks, scale if inverse_completed is None else scale * inverse_completed)


class WalkContexts:
    """Contexts from ``P_d(· | i)``, except those after a first step along an edge, sampled by random walks.

    A walk records each of its steps with a share ``w_t / max w`` of the walks, so that all contexts of a node have the
    same weight; first steps along edges, ``w_1 P_ij``, are left to an exact sum. The first steps of the walks of a node
    are a systematic sample of its edges. The number of walks grows as the square root of the degree, which minimizes
    the variance of a sum over edges at a fixed number of walks. The contexts of a node depend only on the seed.

    Parameters
    ----------
    probabilities : WindowProbabilities
        Graph and window.
    active : bool array of shape (N,)
        Nodes to sample contexts for.
    n_contexts : int
        Mean number of contexts per node.

    Examples
    --------
    >>> from residuum import datasets
    >>> graph = datasets.karate_club()
    >>> contexts = WalkContexts(WindowProbabilities(graph, 5), graph.out_strength > 0, n_contexts=100)
    >>> pairs = contexts.sample(np.arange(34), seed=0)
    >>> pairs.others.max().item() < 34, len(pairs.scale)
    (True, 34)
    """

    def __init__(self, probabilities: WindowProbabilities, active: NDArray[np.bool_], n_contexts: int) -> None:
        matrix = probabilities.graph.adjacency
        self.plan = WalkPlan.of(
            probabilities.window, np.diff(matrix.indptr), active, n_contexts, probabilities.inverse_completed
        )
        all_equal = bool(np.all(matrix.data == matrix.data[0]))
        tables = alias_of(matrix.indptr, matrix.data[:0] if all_equal else matrix.data)
        self._graph = matrix.indptr, matrix.indices, *tables

    def sample(self, nodes: NDArray[np.int64], seed: int) -> Pairs:
        """Sample contexts of some nodes.

        Parameters
        ----------
        nodes : int array of shape (n,)
            Positions of the nodes.
        seed : int
            Seed; the contexts of a node do not depend on the other nodes.

        Returns
        -------
        Pairs
            Pairs of these nodes and their contexts; weights sum to ``1 − w_1 / s_i`` per row on average, where s_i is 1
            unless walks from i end at a dangling node.
        """
        plan = self.plan
        room = int(plan.n_walks[nodes].sum()) * -(-len(plan.keep) // plan.stride)
        contexts = np.empty(room, dtype=np.int32)
        borders = np.empty(len(nodes) + 1, dtype=np.int64)
        walk_contexts(
            nodes, plan.n_walks, plan.keep, plan.last, plan.stride, np.uint64(seed), *self._graph, contexts, borders
        )
        return Pairs(borders, contexts[: borders[-1]], _no_weights, plan.scale[nodes])


def null_contexts(null: FittedNull, active: NDArray[np.bool_], n_contexts: int, rng: np.random.Generator) -> Pairs:
    """Sample contexts from ``P_0(· | i)`` for each active node, for null models without a block form.

    Parameters
    ----------
    null : FittedNull
        Null model to sample from.
    active : bool array of shape (N,)
        Nodes to sample contexts for.
    n_contexts : int
        Number of contexts per node.
    rng : numpy Generator
        Source of randomness.

    Returns
    -------
    Pairs
        Pairs of nodes and contexts; weights sum to 1 per active row.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> null = Configuration().fit(datasets.karate_club(), 5)
    >>> null_contexts(null, np.ones(34, dtype=bool), 10, np.random.default_rng(0)).borders[-1].item()
    340
    """
    nodes = np.flatnonzero(active)
    others = np.asarray(null.sample(np.repeat(nodes, n_contexts), rng)).astype(np.int32)
    borders = np.concatenate([[0], np.cumsum(np.where(active, n_contexts, 0))])
    return Pairs(borders, others, _no_weights, np.full(len(active), 1.0 / n_contexts, dtype=np.float32))
