"""GloVe: node pairs of random walks, and weighted least squares on the log counts."""

import numba
import numpy as np

__all__ = ["train_entries", "window_pairs"]


@numba.njit(cache=True)
def window_pairs(walks, step_weights, both_sides, rows, columns, values):
    """Write the node pairs within the window, weighted by their distance; return the number of pairs.

    Parameters
    ----------
    walks : int32 array of shape (n, steps + 1)
        One walk per row.
    step_weights : float array of shape (T + 1,)
        ``step_weights[t]`` is the weight of a pair t steps apart.
    both_sides : bool
        Whether to write each pair in both directions.
    rows, columns : int32 arrays, written
        Centers and contexts.
    values : float32 array, written
        Weights.
    """
    count = 0
    for w in range(walks.shape[0]):
        for here in range(walks.shape[1]):
            for there in range(here + 1, min(walks.shape[1], here + len(step_weights))):
                weight = step_weights[there - here]
                if weight == 0.0:
                    continue
                rows[count], columns[count], values[count] = walks[w, here], walks[w, there], weight
                count += 1
                if both_sides:
                    rows[count], columns[count], values[count] = walks[w, there], walks[w, here], weight
                    count += 1
    return count


@numba.njit(parallel=True, fastmath={"contract", "reassoc"}, cache=True)
def train_entries(order, rows, columns, logs, importance, rate, n_chunks, W, C, W_squares, C_squares, loss):
    """Take one AdaGrad step on ``f (u·v + b + c − ln X)² / 2`` per entry, in the order of ``order``.

    Chunks of entries run in parallel and update shared vectors without locks. The last column of W and C is the bias.

    Parameters
    ----------
    order : int64 array of shape (M,)
        Permutation of the entries.
    rows, columns : int32 arrays of shape (M,)
        Centers and contexts of the entries of X.
    logs, importance : float32 arrays of shape (M,)
        ln X and f(X).
    rate : float32
        Learning rate.
    n_chunks : int
        Number of chunks.
    W, C : float32 arrays of shape (N, K + 1), changed
        Vectors and biases of centers and of contexts.
    W_squares, C_squares : float32 arrays of the same shapes, changed
        Sums of squared gradients.
    loss : float array of shape (n_chunks,), written
        Sum of ``f (…)² / 2`` per chunk, before the steps.
    """
    width = W.shape[1] - 1
    for chunk in numba.prange(n_chunks):
        total = 0.0
        for position in range(chunk * len(order) // n_chunks, (chunk + 1) * len(order) // n_chunks):
            e = order[position]
            i, j = np.int64(rows[e]), np.int64(columns[e])
            difference = W[i, width] + C[j, width] - logs[e]
            for d in range(width):
                difference += W[i, d] * C[j, d]
            g = importance[e] * difference
            total += 0.5 * np.float64(g) * np.float64(difference)
            for d in range(width):
                w, c = W[i, d], C[j, d]
                W_squares[i, d] += (g * c) ** 2
                C_squares[j, d] += (g * w) ** 2
                W[i, d] = w - rate * g * c / np.sqrt(W_squares[i, d])
                C[j, d] = c - rate * g * w / np.sqrt(C_squares[j, d])
            W_squares[i, width] += g * g
            C_squares[j, width] += g * g
            W[i, width] -= rate * g / np.sqrt(W_squares[i, width])
            C[j, width] -= rate * g / np.sqrt(C_squares[j, width])
        loss[chunk] = total
