"""Where a walker goes: the probabilities of all walks within the window, and walks themselves."""

from residuum.walks.random_walks import RandomWalks, alias_of
from residuum.walks.walked import WalkedProbabilities
from residuum.walks.window import WindowProbabilities

__all__ = ["RandomWalks", "WalkedProbabilities", "WindowProbabilities", "alias_of"]
