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
        One walk per row; −1 for a jump, across which pairs are not counted.
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
            if walks[w, here] < 0:
                continue
            for there in range(here + 1, min(walks.shape[1], here + len(step_weights))):
                if walks[w, there] < 0:
                    break
                weight = step_weights[there - here]
                if weight == 0.0:
                    continue
                rows[count], columns[count], values[count] = walks[w, here], walks[w, there], weight
                count += 1
                if both_sides:
                    rows[count], columns[count], values[count] = walks[w, there], walks[w, here], weight
                    count += 1
    return count


@numba.njit(nogil=True, fastmath={"contract", "reassoc"}, cache=True)
def train_entries(order, rows, columns, logs, importance, rate, W, C, W_squares, C_squares, begin, end):
    """Take one AdaGrad step on ``f (u·v + b + c − ln X)² / 2`` per entry, in the order of ``order``; return the loss.

    Several ranges may run at once and update shared vectors without locks. The last column of W and C is the bias.

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
    W, C : float32 arrays of shape (N, K + 1), changed
        Vectors and biases of centers and of contexts.
    W_squares, C_squares : float32 arrays of the same shapes, changed
        Sums of squared gradients.
    begin, end : int
        Range of positions in ``order``.
    """
    width = W.shape[1] - 1
    total = 0.0
    for position in range(begin, end):
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
    return total
