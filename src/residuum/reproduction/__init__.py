"""The paper's tables and figures, one target each."""

from residuum.reproduction.registry import TARGETS
from residuum.reproduction.run import reproduce

__all__ = ["TARGETS", "reproduce"]
