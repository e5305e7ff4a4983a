"""Tables and figures of the paper, one module each, and the benchmark runner."""

from typing import TYPE_CHECKING

from residuum._lazy import lazy_exports

if TYPE_CHECKING:
    from residuum.reproduction.run import TARGETS, reproduce, run_target
    from residuum.reproduction.target import Case, Row, Settings, Target
else:
    __getattr__, __dir__ = lazy_exports(__name__)

__all__ = ["TARGETS", "Case", "Row", "Settings", "Target", "reproduce", "run_target"]
