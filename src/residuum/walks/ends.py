"""End nodes of random walks whose lengths are sampled from the window weights."""

import numpy as np
from numpy.typing import NDArray

from residuum.walks.window import WindowProbabilities

__all__ = ["walk_ends"]

# Tries after which the contexts of the remaining starts are sampled from the exact probabilities.
_MOST_TRIES = 100
_ROWS_AT_ONCE = 64


def walk_ends(
    probabilities: WindowProbabilities, starts: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Sample one context from ``P_d(· | i)`` for each start: the end of a walk of random length.

    Lengths are sampled from the window weights. A walk that ends at a dangling node before its length is sampled again,
    with a new length; where nearly all walks end early, the context is sampled from the computed ``P_d(· | i)``. A
    walker that can take no step stays at its start, where ``P_d(· | i)`` is 0.

    Parameters
    ----------
    probabilities : WindowProbabilities
        Graph and window of the walks.
    starts : int array of shape (m,)
        Positions of the start nodes.
    rng : numpy Generator
        Source of randomness, advanced by the call.

    Returns
    -------
    int array of shape (m,)
        Position of the end node of each walk.

    Examples
    --------
    >>> from residuum.datasets import karate_club
    >>> chain = WindowProbabilities(karate_club(), window=3)
    >>> len(walk_ends(chain, np.zeros(5, dtype=np.int64), np.random.default_rng(0)))
    5
    """
    ends = np.array(starts, dtype=np.int64)
    pending = np.flatnonzero(probabilities.takes_steps[ends])
    cumulative = _cumulative(probabilities)
    for _ in range(_MOST_TRIES):
        if not len(pending):
            return ends
        tried = _tried_walks(probabilities, cumulative, ends[pending], rng)
        complete = tried >= 0
        ends[pending[complete]] = tried[complete]
        pending = pending[~complete]
    nodes, place = np.unique(ends[pending], return_inverse=True)
    for begin in range(0, len(nodes), _ROWS_AT_ONCE):
        rows = probabilities.rows(nodes[begin : begin + _ROWS_AT_ONCE]).astype(np.float64)
        for number, row in enumerate(rows, start=begin):
            if total := row.sum():
                walkers = pending[place == number]
                ends[walkers] = rng.choice(len(row), size=len(walkers), p=row / total)
    return ends


def _cumulative(probabilities: WindowProbabilities) -> NDArray[np.float64]:
    """Return sums of step probabilities over the edges: a large weight would round off those of the rows after it."""
    matrix = probabilities.graph.adjacency
    strength = np.repeat(probabilities.graph.out_strength, np.diff(matrix.indptr))
    sums = np.zeros(len(matrix.data) + 1)
    np.cumsum(np.divide(matrix.data, strength, out=strength), out=sums[1:])
    return sums


def _tried_walks(
    probabilities: WindowProbabilities,
    cumulative: NDArray[np.float64],
    starts: NDArray[np.int64],
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Return the end node of one walk from each start, or −1 if it ends before its length."""
    window, matrix = probabilities.window, probabilities.graph.adjacency
    here = starts.copy()
    steps = 1 + np.searchsorted(np.cumsum(window), rng.random(len(here)), side="right")
    steps = np.minimum(steps, len(window))
    for number in range(1, len(window) + 1):
        moving = np.flatnonzero((steps >= number) & (here >= 0))
        at = here[moving]
        begin, end = cumulative[matrix.indptr[at]], cumulative[matrix.indptr[at + 1]]
        point = begin + rng.random(len(at)) * (end - begin)
        edge = np.searchsorted(cumulative, point, side="right") - 1
        edge = np.clip(edge, matrix.indptr[at], np.maximum(matrix.indptr[at + 1] - 1, 0))
        there = matrix.indices[edge].astype(np.int64)
        here[moving] = np.where(matrix.indptr[at] == matrix.indptr[at + 1], -1, there)
    return here
