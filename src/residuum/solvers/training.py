"""Training of skip-gram with negatives sampled from a null model."""

import math
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from residuum._kernels.skipgram import train_walks
from residuum._progress import ProgressCallback, Stage
from residuum._threads import in_parts
from residuum.errors import DivergenceError
from residuum.graph import Graph
from residuum.nulls import FittedNull
from residuum.solvers.negatives import Negatives
from residuum.walks import RandomWalks

__all__ = ["SkipGramVectors", "train_skipgram"]

# The schedule of word2vec: from 0.025 to 0.0001.
_LAST_SHARE_OF_RATE = 1.0 / 250.0
# Training has diverged if the loss exceeds this multiple of the loss of zero vectors.
_DIVERGED = 3.0


@dataclass
class SkipGramVectors:
    """``u_i · v_j ≈ ln P_d(j | i) − ln P_0(j | i) − ln k``.

    Attributes
    ----------
    vectors, context_vectors : float32 arrays of shape (N, K)
        u and v; zero for isolated nodes.
    losses : list of float
        Mean loss per pair in each epoch.
    n_pairs : int
        Number of training pairs.
    """

    vectors: NDArray[np.float32]
    context_vectors: NDArray[np.float32]
    losses: list[float] = field(default_factory=list)
    n_pairs: int = 0


def train_skipgram(
    walks: RandomWalks,
    null: FittedNull,
    window: NDArray[np.float64],
    n_components: int,
    *,
    epochs: int,
    n_negatives: int,
    learning_rate: float,
    subsample: float,
    rng: np.random.Generator,
    progress: ProgressCallback | None = None,
) -> SkipGramVectors:
    """Minimize ``Σ_(i, j) −ln σ(u_i·v_j) − Σ_k ln σ(−u_i·v_n)``, with negatives n sampled from ``P_0(· | i)``.

    The pairs (i, j) are nodes up to T steps apart in a walk, weighted by ``w_t`` at distance t: in both directions if
    the graph is undirected, j after i if it is directed. At the optimum ``u_i·v_j = ln P_d − ln P_0 − ln k``. (Using
    both directions is exact for stationary walks, not for the first steps of a walk that starts at a leaf.)

    Threads update the same vectors without locks. **With one thread, results are reproducible to the bit. With several,
    two runs with the same seed differ as if the seeds were different**, although the walks are the same.

    Parameters
    ----------
    walks : RandomWalks
        Walks to train on, new ones in every epoch.
    null : FittedNull
        Null model of the negatives.
    window : array of shape (T,)
        Weight w_t of each distance.
    n_components : int
        Number of dimensions K.
    epochs, n_negatives : int
        See :class:`residuum.solvers.SkipGram`.
    learning_rate, subsample : float
        See :class:`residuum.solvers.SkipGram`.
    rng : numpy Generator
        Source of the initial vectors and of the negatives.
    progress : callable, optional
        Called after each chunk of walks with the mean loss of its pairs.

    Returns
    -------
    SkipGramVectors
        Vectors and losses.

    Raises
    ------
    DivergenceError
        If the loss or the vectors diverge.
    """
    graph = walks.graph
    active = graph.out_strength > 0
    result = _start(active, n_components, rng)
    negatives = Negatives(null, active, rng)
    seed = np.uint64(rng.integers(2**63))
    keep_step = np.concatenate([[0.0], window / window.max()])
    stage = Stage("skip-gram", epochs * walks.total, progress)
    for epoch in range(epochs):
        negatives.next_epoch()
        epoch_loss, epoch_losses = 0.0, 0
        for chunk in walks.chunks(epoch):
            train = partial(
                train_walks,
                chunk,
                np.int64(stage.done),
                np.int64(stage.total),
                seed,
                keep_step,
                _kept_share(graph, subsample),
                not graph.directed,
                n_negatives,
                learning_rate,
                learning_rate * _LAST_SHARE_OF_RATE,
                *negatives.arrays,
                result.vectors,
                result.context_vectors,
            )
            loss, n_losses, n_pairs = map(sum, zip(*in_parts(train, len(chunk)), strict=True))
            mean = float(loss / max(1, n_losses))
            _check_loss(mean, n_negatives, learning_rate)
            epoch_loss, epoch_losses = epoch_loss + loss, epoch_losses + n_losses
            result.n_pairs += n_pairs
            stage.advance(len(chunk), loss=mean)
        result.losses.append(float(epoch_loss / max(1, epoch_losses)))
    if not (np.isfinite(result.vectors).all() and np.isfinite(result.context_vectors).all()):
        raise _diverged("the vectors are not finite", learning_rate)
    return result


def _start(active: NDArray[np.bool_], n_components: int, rng: np.random.Generator) -> SkipGramVectors:
    """Return the initial vectors of word2vec: small random centers, zero contexts."""
    vectors = (rng.random((len(active), n_components), dtype=np.float32) - np.float32(0.5)) / np.float32(n_components)
    vectors[~active] = 0.0
    return SkipGramVectors(vectors, np.zeros_like(vectors))


def _kept_share(graph: Graph, subsample: float) -> NDArray[np.float64]:
    """Return the probability of keeping a visit to each node; empty if all visits are kept."""
    if subsample == 0.0:
        return np.empty(0)
    share = graph.in_strength / graph.in_strength.sum()
    ratio = np.divide(subsample, share, out=np.full(graph.n_nodes, np.inf), where=share > 0)
    return np.asarray(np.minimum(1.0, np.sqrt(ratio) + ratio))


def _check_loss(mean: float, n_negatives: int, learning_rate: float) -> None:
    zero_loss = (n_negatives + 1) * math.log(2.0)
    if not mean < _DIVERGED * zero_loss:
        raise _diverged(f"the mean loss is {mean:.3g}, compared with {zero_loss:.3g} for zero vectors", learning_rate)


def _diverged(reason: str, learning_rate: float) -> DivergenceError:
    return DivergenceError(
        f"training diverged: {reason}. learning_rate is {learning_rate:g}; "
        "use a smaller value (0.025 is typical) or reduce n_negatives."
    )
