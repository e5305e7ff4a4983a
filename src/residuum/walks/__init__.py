"""Random walks: teleportation, exact and estimated window probabilities, and sampled walks."""

from residuum.walks.counted import CountedProbabilities
from residuum.walks.random_walks import RandomWalks
from residuum.walks.teleport import Teleport, resolve_teleport
from residuum.walks.window import WindowProbabilities

__all__ = ["CountedProbabilities", "RandomWalks", "Teleport", "WindowProbabilities", "resolve_teleport"]
