"""Progress through one callback: ``progress(ProgressEvent(stage, done, total))``."""

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["ProgressCallback", "ProgressEvent", "Stage"]


@dataclass(frozen=True)
class ProgressEvent:
    """``done`` of ``total`` steps of ``stage`` are behind us; ``loss`` is that of the last steps, if any is trained."""

    stage: str
    done: int
    total: int
    loss: float | None = None


ProgressCallback = Callable[[ProgressEvent], None]


class Stage:
    """Counts the steps of one stage and tells the callback, if there is one.

    Examples
    --------
    >>> stage = Stage("columns", 2, lambda event: print(event.stage, event.done, "of", event.total))
    columns 0 of 2
    >>> stage.advance()
    columns 1 of 2
    """

    def __init__(self, name: str, total: int, callback: ProgressCallback | None) -> None:
        self.name = name
        self.total = total
        self.done = 0
        self._callback = callback
        self._tell()

    def advance(self, steps: int = 1, loss: float | None = None) -> None:
        """Count ``steps`` more as done, and tell their loss."""
        self.done = min(self.done + steps, self.total)
        self._tell(loss)

    def finish(self) -> None:
        """Count the stage as done, however many steps it took."""
        self.done = self.total
        self._tell()

    def _tell(self, loss: float | None = None) -> None:
        if self._callback is not None:
            self._callback(ProgressEvent(self.name, self.done, self.total, loss))
