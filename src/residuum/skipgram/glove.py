"""GloVe on the co-occurrences of walks."""

from dataclasses import dataclass, field
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._progress import ProgressCallback, Stage
from residuum.errors import DivergenceError
from residuum.skipgram._glove_kernels import train_entries, window_pairs
from residuum.walks import RandomWalks

__all__ = ["GloVeVectors", "co_occurrences", "train_glove"]

# The weight of an entry grows as (X / 100)^0.75 up to 1, as in the original.
_FULL_COUNT, _COUNT_POWER = 100.0, 0.75
# A mean loss this many times that of the start is on its way to infinity.
_DIVERGED = 10.0


@dataclass
class GloVeVectors:
    """``u_i · v_j + b_i + c_j ≈ ln X_ij``.

    Attributes
    ----------
    vectors, context_vectors : float32 arrays of shape (N, K)
    bias, context_bias : arrays of shape (N,)
        b and c.
    losses : list of float
        Mean loss of an entry in each epoch.
    """

    vectors: NDArray[np.float32]
    context_vectors: NDArray[np.float32]
    bias: NDArray[np.float64]
    context_bias: NDArray[np.float64]
    losses: list[float] = field(default_factory=list)


def co_occurrences(
    walks: RandomWalks, window: NDArray[np.float64], progress: ProgressCallback | None = None
) -> "sparse.csr_array[Any]":
    """Return ``X_ij``: how often j is within the window of i in the walks, a pair t steps apart as ``w_t / max w``.

    Both ways if the graph is undirected, j after i if it is directed. The counts are kept sparse and merged by size,
    so that each is copied a few times only.
    """
    shape = (walks.graph.n_nodes, walks.graph.n_nodes)
    both_sides = not walks.graph.directed
    weights = np.concatenate([[0.0], window / window.max()])
    stage = Stage("co-occurrences", walks.total, progress)
    counted: list[Any] = []
    for chunk in walks.chunks():
        most = 2 * chunk.size * len(window)
        rows, columns = np.empty(most, dtype=np.int32), np.empty(most, dtype=np.int32)
        values = np.empty(most, dtype=np.float32)
        n_pairs = window_pairs(chunk, weights, both_sides, rows, columns, values)
        counted.append(sparse.csr_array((values[:n_pairs], (rows[:n_pairs], columns[:n_pairs])), shape=shape))
        while len(counted) > 1 and counted[-1].nnz > counted[-2].nnz / 2:
            counted.append(counted.pop() + counted.pop())
        stage.advance(len(chunk))
    while len(counted) > 1:
        counted.append(counted.pop() + counted.pop())
    total: sparse.csr_array[Any] = counted[0]
    return total


def train_glove(
    counts: "sparse.csr_array[Any]",
    n_components: int,
    *,
    epochs: int,
    learning_rate: float,
    rng: np.random.Generator,
    progress: ProgressCallback | None = None,
) -> GloVeVectors:
    """Minimise ``Σ_ij f(X_ij) (u_i·v_j + b_i + c_j − ln X_ij)² / 2``, ``f(x) = min(1, (x / 100)^0.75)``, by AdaGrad.

    Threads change the same vectors without locks: on one thread the same seed gives the same bits, on several, runs
    differ as two seeds would.

    Parameters
    ----------
    counts : sparse array of shape (N, N)
        X.
    n_components, epochs : int
    learning_rate : float
    rng : numpy Generator
    progress : callable, optional
        Told of each epoch, with the mean loss of an entry.

    Raises
    ------
    DivergenceError
        If the loss leaves all bounds.
    """
    n_nodes = counts.shape[0]
    entries = counts.tocoo()
    present = np.zeros(n_nodes, dtype=bool)
    present[entries.row] = present[entries.col] = True
    logs = np.log(entries.data).astype(np.float32)
    importance = np.minimum(1.0, (entries.data / _FULL_COUNT) ** _COUNT_POWER).astype(np.float32)
    W, C = (_start(n_nodes, n_components, present, rng) for _ in range(2))
    squares = np.ones_like(W), np.ones_like(C)
    n_blocks = numba.get_num_threads()
    loss, losses = np.zeros(n_blocks), []
    at_start = float((importance.astype(np.float64) * logs.astype(np.float64) ** 2).mean() / 2)
    stage = Stage("GloVe", epochs, progress)
    rows, columns = entries.row.astype(np.int32), entries.col.astype(np.int32)
    for _ in range(epochs):
        order = rng.permutation(len(logs))
        train_entries(order, rows, columns, logs, importance, np.float32(learning_rate), n_blocks, W, C, *squares, loss)
        losses.append(float(loss.sum() / len(logs)))
        if not losses[-1] <= _DIVERGED * max(at_start, 1.0):
            raise DivergenceError(
                f"the training diverged: the mean loss of an entry is {losses[-1]:.3g}, where it was {at_start:.3g} "
                f"before. learning_rate is {learning_rate:g}; take a smaller one (0.05 is usual)."
            )
        stage.advance(loss=losses[-1])
    bias, context_bias = (np.where(present, M[:, -1].astype(np.float64), -np.inf) for M in (W, C))
    return GloVeVectors(W[:, :-1].copy(), C[:, :-1].copy(), bias, context_bias, losses)


def _start(
    n_nodes: int, n_components: int, present: NDArray[np.bool_], rng: np.random.Generator
) -> NDArray[np.float32]:
    start = (rng.random((n_nodes, n_components + 1), dtype=np.float32) - np.float32(0.5)) / np.float32(n_components)
    start[~present] = 0.0
    return start
