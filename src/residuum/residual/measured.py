"""Pairs that measure the likelihood, the same in every run, and never used by a sweep."""

import numpy as np
from numpy.typing import NDArray

from residuum._kernels.likelihood import pair_scores
from residuum.residual.contexts import Pairs
from residuum.residual.null_columns import NodeSample, NullColumns

__all__ = ["MEASURED_SEED", "column_losses", "measured_columns", "measured_nodes", "pair_losses"]

#: Seed of the walks that measure the loss, which no sweep uses.
MEASURED_SEED = 2**64 - 1

# Nodes that measure the loss.
_MEASURED_NODES = 2048


def measured_nodes(
    shares: NDArray[np.float64], rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return centers that measure the loss, and their weights.

    Parameters
    ----------
    shares : array of shape (N,)
        Weights of the centers.
    rng : numpy Generator
        Source of one random number.

    Returns
    -------
    nodes : int array of shape (n,)
        Positions, ascending.
    weights : array of shape (n,)
        Weights that sum to 1.
    """
    sample = NodeSample.of(shares, _MEASURED_NODES)
    nodes = sample.draw(rng)
    weights = shares[nodes] / sample.probability[nodes]
    return nodes, weights / weights.sum()


def measured_columns(
    columns: NullColumns, nodes: NDArray[np.int64], rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return contexts that measure the loss of the null model, and their weights for each center.

    Parameters
    ----------
    columns : NullColumns
        Samples of columns.
    nodes : int array of shape (n,)
        Centers.
    rng : numpy Generator
        Source of one random number.

    Returns
    -------
    contexts : int array of shape (m,)
        Positions, ascending.
    table : float32 array of shape (n, m)
        Weights of the pairs.
    """
    sample, form = columns.samples["centers"], columns.form
    contexts = sample.draw(rng)
    probability = form.probability(form.groups[nodes][:, None], contexts[None, :])
    return contexts, (probability / sample.probability[contexts]).astype(np.float32)


def column_losses(
    x: NDArray[np.float32], columns: NDArray[np.float32], table: NDArray[np.float32]
) -> NDArray[np.float64]:
    """Return ``Σ_c table[r, c] ln(1 + exp(x_r · y_c))`` of each row.

    Parameters
    ----------
    x : float32 array of shape (n, K)
        Vectors of the rows.
    columns : float32 array of shape (m, K)
        Vectors of the columns.
    table : float32 array of shape (n, m)
        Weights of the pairs.

    Returns
    -------
    array of shape (n,)
        Losses.
    """
    scores = (x @ columns.T).astype(np.float64)
    return np.asarray(np.sum(table * np.logaddexp(0.0, scores), axis=1))


def pair_losses(pairs: Pairs, X: NDArray[np.float32], Y: NDArray[np.float32], sign: float) -> NDArray[np.float64]:
    """Return ``Σ_e weights[e] ln(1 + exp(sign · s_e))`` of each row.

    Parameters
    ----------
    pairs : Pairs
        Pairs of the rows.
    X : float32 array of shape (n, K)
        Vectors of the rows.
    Y : float32 array of shape (N, K)
        Vectors of the second nodes.
    sign : {-1, 1}
        −1 for pairs of walks, 1 for pairs of the null model.

    Returns
    -------
    array of shape (n,)
        Losses.
    """
    scores = np.empty(len(pairs.others), dtype=np.float32)
    pair_scores(pairs.borders, pairs.others, X, Y, scores)
    losses = np.logaddexp(0.0, sign * scores.astype(np.float64))
    if len(pairs.weights):
        losses *= pairs.weights
    rows = np.repeat(np.arange(len(pairs.scale)), np.diff(pairs.borders))
    return np.asarray(pairs.scale * np.bincount(rows, losses, len(pairs.scale)))
