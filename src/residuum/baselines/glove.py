"""The GloVe estimator, on co-occurrences in random walks."""

from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum._kernels.glove import train_entries, window_pairs
from residuum._progress import ProgressCallback, Stage
from residuum._random import as_generator
from residuum._threads import in_parts, thread_limit
from residuum._validation import check_integer, check_real, window_weights
from residuum.errors import DivergenceError
from residuum.graph import Graph
from residuum.models.base import NodeEmbedding, checked_components
from residuum.models.notices import warn_about_structure
from residuum.walks import RandomWalks

__all__ = ["GloVe", "GloVeVectors", "co_occurrences", "train_glove"]

# The weight of an entry is min(1, (X / 100)^0.75), as in the original.
_FULL_COUNT, _COUNT_POWER = 100.0, 0.75
# Training has diverged if the mean loss exceeds the initial loss by this factor.
_DIVERGED = 10.0


class GloVe(NodeEmbedding):
    """``u_i · v_j + b_i + c_j ≈ ln X_ij``, X the co-occurrences of nodes in random walks: GloVe.

    The biases b and c take the role of a null model: they are the offsets, which ``score_pairs(mode="full")`` adds. All
    co-occurrences are kept in memory, 12 bytes per co-occurring pair of nodes.

    Parameters
    ----------
    n_components : int, default 64
        K, the number of dimensions; below the number of nodes.
    n_walks : int, default 10
        Walks per node.
    walk_length : int, default 80
        Steps per walk.
    window : int or array, default 10
        T, the maximum number of steps between co-occurring nodes, or one weight per step.
    epochs : int, default 5
        Passes over the co-occurrences.
    learning_rate : float, default 0.05
        Learning rate of AdaGrad.
    n_jobs : int, optional
        Number of threads; all cores by default.
    random_state : int, Generator or None
        Seed. One thread gives identical results; with more threads, runs vary as with different seeds.
    progress : callable, optional
        Called with a :class:`residuum.ProgressEvent`, which includes the loss, during training.

    Attributes
    ----------
    embedding_, context_embedding_ : float32 arrays of shape (N, K)
        u and v. Isolated nodes have zero vectors.
    offset_, source_offset_ : arrays of shape (N,)
        c and b; −inf for isolated nodes.
    losses_ : list of float
        Mean loss per entry in each epoch.
    node_ids_ : array of shape (N,)
        Node ids, in the order of the rows.
    n_features_in_ : int
        Number of nodes.

    References
    ----------
    Pennington, Socher, Manning: GloVe: Global vectors for word representation. EMNLP 2014.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.baselines import GloVe
    >>> model = GloVe(8, n_walks=2, n_jobs=1, random_state=0).fit(datasets.karate_club())
    >>> model.embedding_.shape, model.offset_.shape
    ((34, 8), (34,))
    """

    method_name: ClassVar[str] = "glove"
    method_summary: ClassVar[str] = "least squares on log co-occurrences in walks, with biases as offsets"

    def __init__(
        self,
        n_components: int = 64,
        *,
        n_walks: int = 10,
        walk_length: int = 80,
        window: int | ArrayLike = 10,
        epochs: int = 5,
        learning_rate: float = 0.05,
        n_jobs: int | None = None,
        random_state: Any = None,
        progress: ProgressCallback | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_walks = n_walks
        self.walk_length = walk_length
        self.window = window
        self.epochs = epochs
        self.learning_rate = learning_rate
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress

    def _fit(self, graph: Graph) -> None:
        n_components = checked_components(self.n_components, graph)
        window = window_weights(self.window)
        epochs = check_integer("epochs", self.epochs, minimum=1)
        learning_rate = check_real("learning_rate", self.learning_rate, minimum=1e-6, maximum=10.0)
        rng = as_generator(self.random_state)
        walks = RandomWalks(graph, n_walks=self.n_walks, walk_length=self.walk_length, random_state=rng)
        warn_about_structure(graph)
        with thread_limit(self.n_jobs):
            counts = co_occurrences(walks, window, self.progress)
            trained = train_glove(
                counts, n_components, epochs=epochs, learning_rate=learning_rate, rng=rng, progress=self.progress
            )
        self.losses_ = trained.losses
        self._set_vectors(graph, trained.vectors, trained.context_vectors)
        self.offset_, self.source_offset_ = trained.context_bias, trained.bias


@dataclass
class GloVeVectors:
    """``u_i · v_j + b_i + c_j ≈ ln X_ij``: trained vectors and biases.

    Attributes
    ----------
    vectors, context_vectors : float32 arrays of shape (N, K)
        u and v.
    bias, context_bias : arrays of shape (N,)
        b and c.
    losses : list of float
        Mean loss per entry in each epoch.
    """

    vectors: NDArray[np.float32]
    context_vectors: NDArray[np.float32]
    bias: NDArray[np.float64]
    context_bias: NDArray[np.float64]
    losses: list[float] = field(default_factory=list)


def co_occurrences(
    walks: RandomWalks, window: NDArray[np.float64], progress: ProgressCallback | None = None
) -> "sparse.csr_array[Any]":
    """Return ``X_ij``, the co-occurrences of i and j in the walks; a pair t steps apart counts ``w_t / max w``.

    In an undirected graph, pairs count in both directions, in a directed graph only if j follows i. The counts of
    chunks are sparse and merged by size, so that each count is copied only a few times.

    Parameters
    ----------
    walks : RandomWalks
        The walks.
    window : array of shape (T,)
        w, the weights of the steps.
    progress : callable, optional
        Called after each chunk of walks.

    Returns
    -------
    sparse array of shape (N, N)
        X.
    """
    shape = (walks.graph.n_nodes, walks.graph.n_nodes)
    both_sides = not walks.graph.directed
    weights = np.concatenate([[0.0], window / window.max()])
    stage = Stage("co-occurrences", walks.total, progress)
    counted: list[Any] = []
    for chunk in walks.chunks():
        max_pairs = 2 * chunk.size * len(window)
        rows, columns = np.empty(max_pairs, dtype=np.int32), np.empty(max_pairs, dtype=np.int32)
        values = np.empty(max_pairs, dtype=np.float32)
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
    """Minimize ``Σ_ij f(X_ij) (u_i·v_j + b_i + c_j − ln X_ij)² / 2``, ``f(x) = min(1, (x / 100)^0.75)``, by AdaGrad.

    Threads update shared vectors without locks: one thread gives identical results for a seed; with more threads, runs
    vary as with different seeds.

    Parameters
    ----------
    counts : sparse array of shape (N, N)
        X.
    n_components : int
        K, the number of dimensions.
    epochs : int
        Passes over the entries of X.
    learning_rate : float
        Learning rate of AdaGrad.
    rng : numpy Generator
        Initializes the vectors and shuffles the entries.
    progress : callable, optional
        Called after each epoch, with the mean loss per entry.

    Returns
    -------
    GloVeVectors
        Vectors, biases and losses; nodes without co-occurrences have zero vectors and biases of −inf.

    Raises
    ------
    DivergenceError
        If the loss grows without bound.
    """
    n_nodes = counts.shape[0]
    entries = counts.tocoo()
    present = np.zeros(n_nodes, dtype=bool)
    present[entries.row] = present[entries.col] = True
    logs = np.log(entries.data).astype(np.float32)
    importance = np.minimum(1.0, (entries.data / _FULL_COUNT) ** _COUNT_POWER).astype(np.float32)
    W, C = (_start(n_nodes, n_components, present, rng) for _ in range(2))
    squares = np.ones_like(W), np.ones_like(C)
    losses: list[float] = []
    initial_loss = float((importance.astype(np.float64) * logs.astype(np.float64) ** 2).mean() / 2)
    stage = Stage("GloVe", epochs, progress)
    rows, columns = entries.row.astype(np.int32), entries.col.astype(np.int32)
    for _ in range(epochs):
        order = rng.permutation(len(logs))
        train = partial(
            train_entries, order, rows, columns, logs, importance, np.float32(learning_rate), W, C, *squares
        )
        losses.append(float(sum(in_parts(train, len(order))) / len(logs)))
        if not losses[-1] <= _DIVERGED * max(initial_loss, 1.0):
            raise DivergenceError(
                f"training diverged: the mean loss per entry rose from {initial_loss:.3g} to {losses[-1]:.3g}. "
                f"learning_rate is {learning_rate:g}; use a smaller value (the default is 0.05)."
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
