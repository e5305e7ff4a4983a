"""Where a walker goes: the probabilities of all walks within the window."""

from residuum.walks.walked import WalkedProbabilities
from residuum.walks.window import WindowProbabilities

__all__ = ["WalkedProbabilities", "WindowProbabilities"]
