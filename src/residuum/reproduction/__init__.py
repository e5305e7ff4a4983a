"""Tables and figures of the paper, one module each, and the benchmark runner."""

from residuum.reproduction.run import TARGETS, reproduce, run_target
from residuum.reproduction.target import Case, Row, Settings, Target

__all__ = ["TARGETS", "Case", "Row", "Settings", "Target", "reproduce", "run_target"]
