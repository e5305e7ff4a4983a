"""Random walks: exact and estimated window probabilities, and sampled walks."""

from typing import TYPE_CHECKING

from residuum._lazy import lazy_exports

if TYPE_CHECKING:
    from residuum.walks.counted import CountedProbabilities
    from residuum.walks.ends import walk_ends
    from residuum.walks.random_walks import RandomWalks
    from residuum.walks.rank import effective_degree, effective_rank, neighbor_degree, noise_eigenvalue
    from residuum.walks.window import WindowProbabilities
    from residuum.walks.window_family import WindowFamily
else:
    __getattr__, __dir__ = lazy_exports(__name__)

__all__ = [
    "CountedProbabilities",
    "RandomWalks",
    "WindowFamily",
    "WindowProbabilities",
    "effective_degree",
    "effective_rank",
    "neighbor_degree",
    "noise_eigenvalue",
    "walk_ends",
]
