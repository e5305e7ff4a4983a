"""Walks that leave one stripe of the rows of a graph and go on in another: their state between the two."""

import numba
import numpy as np

from residuum._kernels.contexts import first_steps
from residuum._kernels.random import next_uniform, stream

__all__ = ["WALKER", "start_walkers", "walk_inside"]

#: A walk: its random state and level, the row that it belongs to, where it is, the number of steps after the first, the
#: next step to record, and the number of steps at which it ends.
WALKER = np.dtype(
    [
        ("state", np.uint64),
        ("level", np.float64),
        ("here", np.int64),
        ("row", np.int32),
        ("step", np.int32),
        ("due", np.int32),
        ("length", np.int32),
    ]
)

_LANES = 16


@numba.njit(nogil=True, cache=True)
def start_walkers(nodes, rows, first, n_walks, keep, last, stride, seed, indptr, indices, threshold, alias, walkers):
    """Take the first steps of all walks of some nodes of a stripe; return the number of walks that go on.

    Parameters
    ----------
    nodes, rows : int arrays of shape (n,)
        Nodes of the stripe, and the rows that their walks belong to.
    first : int
        First node of the stripe.
    n_walks : int array of shape (n,)
        Number of walks of each node.
    keep, last, stride, seed
        As in :func:`residuum._kernels.contexts.walk_contexts`.
    indptr, indices, threshold, alias : arrays
        CSR arrays of the rows of the stripe, with columns numbered in the graph, and alias tables.
    walkers : array of WALKER, written
        Room for all walks.
    """
    count = np.int64(0)
    states, heres = np.empty(_LANES, dtype=np.uint64), np.empty(_LANES, dtype=np.int64)
    levels = np.empty(_LANES, dtype=np.float64)
    dues, lengths = np.empty(_LANES, dtype=np.int64), np.empty(_LANES, dtype=np.int64)
    for r in range(len(nodes)):
        own = stream(seed, nodes[r])
        for first_walk in range(0, n_walks[r], _LANES):
            lanes = first_steps(
                own, nodes[r] - first, first_walk, n_walks[r], keep, last, stride, indptr, indices, threshold, alias,
                states, heres, levels, dues, lengths,
            )  # fmt: skip
            for lane in range(lanes):
                walker = walkers[count]
                walker.state, walker.level, walker.here = states[lane], levels[lane], heres[lane]
                walker.row, walker.step, walker.due, walker.length = rows[r], 0, dues[lane], lengths[lane]
                count += 1
    return count


@numba.njit(nogil=True, cache=True)
def walk_inside(walkers, first, keep, stride, indptr, indices, threshold, alias, leaving, rows, contexts):
    """Advance walks until they end or leave the stripe; return the number that leave, and the number of contexts.

    Parameters
    ----------
    walkers : array of WALKER of shape (n,)
        Walks at nodes of the stripe, or of others, which leave at once.
    first : int
        First node of the stripe.
    keep, stride
        As in :func:`residuum._kernels.contexts.walk_contexts`.
    indptr, indices, threshold, alias : arrays
        As in :func:`start_walkers`.
    leaving : array of WALKER of shape (n,), written
        Walks that leave the stripe.
    rows, contexts : int arrays, written
        Recorded pairs: the row of the walk, and the node of the stripe.
    """
    n_leaving, n_recorded = np.int64(0), np.int64(0)
    end = first + len(indptr) - 1
    for k in range(len(walkers)):
        walker = walkers[k]
        state, here, level = walker.state, walker.here, walker.level
        step, due, length = np.int64(walker.step), np.int64(walker.due), np.int64(walker.length)
        while True:
            if here < first or here >= end:
                out = leaving[n_leaving]
                out.state, out.level, out.here, out.row = state, level, here, walker.row
                out.step, out.due, out.length = step, due, length
                n_leaving += 1
                break
            # The first step is not recorded, so a walk that has taken no other is not due.
            if step == due:
                if level < keep[step]:
                    rows[n_recorded], contexts[n_recorded] = walker.row, here
                    n_recorded += 1
                due += stride
                if due >= length:
                    break
            begin = np.int64(indptr[here - first])
            size = np.int64(indptr[here - first + 1]) - begin
            if size == 0:
                break
            state, uniform = next_uniform(state)
            place = min(np.int64(uniform * size), size - 1)
            if len(threshold) > 0 and uniform * size - place >= threshold[begin + place]:
                place = np.int64(alias[begin + place])
            here = np.int64(indices[begin + place])
            step += 1
    return n_leaving, n_recorded
