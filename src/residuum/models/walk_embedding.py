"""Base class of models that train skip-gram on random walks."""

from typing import Any

from numpy.typing import ArrayLike

from residuum._progress import ProgressCallback
from residuum._validation import window_weights
from residuum.models.null_embedding import NullEmbedding, Settings
from residuum.nulls import NullModel
from residuum.solvers import SkipGram

__all__ = ["WalkEmbedding"]


class WalkEmbedding(NullEmbedding):
    """Base class of models whose solver is skip-gram; subclasses define the null model and may bias the walks.

    Parameters
    ----------
    n_components : int, default 64
        K, the number of dimensions; below the number of nodes.
    n_walks : int, default 10
        Walks per node and epoch.
    walk_length : int, default 80
        Steps per walk.
    window : int or array, default 10
        T, the maximum number of steps between center and context, or one weight per step.
    epochs : int, default 5
        Training epochs, each on new walks.
    n_negatives : int, default 5
        k, the number of negative samples from the null model per pair.
    learning_rate : float, default 0.025
        Initial learning rate, which decreases linearly to 1/250 of this value.
    n_jobs : int, optional
        Number of threads; all cores by default.
    random_state : int, Generator or None
        Seed. One thread gives identical results; with more threads, runs vary as with different seeds.
    progress : callable, optional
        Called with a :class:`residuum.ProgressEvent`, which includes the loss, during training.
    """

    # Unbiased walks, unless a subclass has these as parameters.
    p: float = 1.0
    q: float = 1.0

    def __init__(
        self,
        n_components: int = 64,
        *,
        n_walks: int = 10,
        walk_length: int = 80,
        window: int | ArrayLike = 10,
        epochs: int = 5,
        n_negatives: int = 5,
        learning_rate: float = 0.025,
        n_jobs: int | None = None,
        random_state: Any = None,
        progress: ProgressCallback | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_walks = n_walks
        self.walk_length = walk_length
        self.window = window
        self.epochs = epochs
        self.n_negatives = n_negatives
        self.learning_rate = learning_rate
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress

    def _null_model(self) -> NullModel:
        raise NotImplementedError  # abstract

    def _settings(self) -> Settings:
        solver = SkipGram(
            n_walks=self.n_walks,
            walk_length=self.walk_length,
            p=self.p,
            q=self.q,
            epochs=self.epochs,
            n_negatives=self.n_negatives,
            learning_rate=self.learning_rate,
        )
        return Settings(self._null_model(), window_weights(self.window), solver)
