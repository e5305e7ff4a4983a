"""Skip-gram with negatives from a null model."""

import math
from dataclasses import dataclass, field

import numba
import numpy as np
from numpy.typing import NDArray

from residuum._progress import ProgressCallback, Stage
from residuum.errors import DivergenceError
from residuum.graph import Graph
from residuum.nulls import FittedNull
from residuum.skipgram._skipgram_kernels import train_walks
from residuum.skipgram.negatives import Negatives
from residuum.skipgram.options import SkipGramOptions
from residuum.walks import RandomWalks

__all__ = ["SkipGramVectors", "train_skipgram"]

# word2vec's schedule: from 0.025 to 0.0001.
_LAST_SHARE_OF_RATE = 1.0 / 250.0
# A loss this many times that of vectors that know nothing is on its way to infinity.
_DIVERGED = 3.0


@dataclass
class SkipGramVectors:
    """``u_i · v_j ≈ ln P_d(j | i) − ln P_0(j | i) − ln k``.

    Attributes
    ----------
    vectors, context_vectors : float32 arrays of shape (N, K)
        u and v; zero for isolated nodes.
    losses : list of float
        Mean loss of a pair in each epoch.
    n_pairs : int
        Pairs trained on.
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
    options: SkipGramOptions,
    *,
    rng: np.random.Generator,
    progress: ProgressCallback | None = None,
) -> SkipGramVectors:
    """Train vectors by ``min Σ_(i, j) −ln σ(u_i·v_j) − Σ_k ln σ(−u_i·v_n)``, n drawn from ``P_0(· | i)``.

    Pairs (i, j) are the nodes up to T steps apart in the walks, t steps with the weight ``w_t``: in both directions if
    the graph is undirected, j after i if it is directed. At the optimum ``u_i·v_j = ln P_d − ln P_0 − ln k``. (Both
    directions are exact for walkers in equilibrium; the first few steps of a walk that started at a leaf are not yet.)

    Threads change the same vectors without locks. **On one thread the same seed gives the same bits. On several, two
    runs differ as two seeds would**, while the walks stay the same.

    Parameters
    ----------
    walks : RandomWalks
    null : FittedNull
    window : array of shape (T,)
        Weights of the steps.
    n_components : int
        K.
    options : SkipGramOptions
    rng : numpy Generator
    progress : callable, optional
        Told of each chunk of walks, with the mean loss of its pairs.

    Raises
    ------
    DivergenceError
        If the loss or the vectors leave all bounds.
    """
    graph = walks.graph
    active = (graph.out_strength > 0) | (graph.in_strength > 0)
    result = _start(active, n_components, rng)
    negatives = Negatives(null, active, rng)
    seed = np.uint64(rng.integers(2**63))
    keep_step = np.concatenate([[0.0], window / window.max()])
    n_blocks = numba.get_num_threads()
    loss, n_losses, n_pairs = (np.zeros(n_blocks, dtype=kind) for kind in (np.float64, np.int64, np.int64))
    stage = Stage("skip-gram", options.epochs * walks.total, progress)
    for epoch in range(options.epochs):
        negatives.next_epoch()
        epoch_loss, epoch_losses = 0.0, 0
        for chunk in walks.chunks(epoch):
            train_walks(  # type: ignore[call-arg] # numba has no types for what it compiles
                chunk,
                np.int64(stage.done),
                np.int64(stage.total),
                seed,
                n_blocks,
                keep_step,
                _kept_share(graph, options.subsample),
                not graph.directed,
                options.n_negatives,
                options.learning_rate,
                options.learning_rate * _LAST_SHARE_OF_RATE,
                *negatives.arrays,
                result.vectors,
                result.context_vectors,
                loss,
                n_losses,
                n_pairs,
            )
            mean = float(loss.sum() / max(1, n_losses.sum()))
            _check_loss(mean, options)
            epoch_loss, epoch_losses = epoch_loss + loss.sum(), epoch_losses + int(n_losses.sum())
            result.n_pairs += int(n_pairs.sum())
            stage.advance(len(chunk), loss=mean)
        result.losses.append(float(epoch_loss / max(1, epoch_losses)))
    if not (np.isfinite(result.vectors).all() and np.isfinite(result.context_vectors).all()):
        raise _diverged("the vectors are no longer finite", options)
    return result


def _start(active: NDArray[np.bool_], n_components: int, rng: np.random.Generator) -> SkipGramVectors:
    """Return word2vec's start: small random vectors, contexts zero."""
    vectors = (rng.random((len(active), n_components), dtype=np.float32) - np.float32(0.5)) / np.float32(n_components)
    vectors[~active] = 0.0
    return SkipGramVectors(vectors, np.zeros_like(vectors))


def _kept_share(graph: Graph, subsample: float) -> NDArray[np.float64]:
    """Return the chance that a visit of each node counts; empty if all do."""
    if subsample == 0.0:
        return np.empty(0)
    share = graph.in_strength / graph.in_strength.sum()
    ratio = np.divide(subsample, share, out=np.full(graph.n_nodes, np.inf), where=share > 0)
    return np.asarray(np.minimum(1.0, np.sqrt(ratio) + ratio))


def _check_loss(mean: float, options: SkipGramOptions) -> None:
    ignorant = (options.n_negatives + 1) * math.log(2.0)
    if not mean < _DIVERGED * ignorant:
        raise _diverged(f"the mean loss is {mean:.3g}, where vectors that know nothing have {ignorant:.3g}", options)


def _diverged(what: str, options: SkipGramOptions) -> DivergenceError:
    return DivergenceError(
        f"the training diverged: {what}. learning_rate is {options.learning_rate:g}; "
        "take a smaller one (0.025 is usual), or fewer n_negatives."
    )
