"""Progress reports: long computations call ``progress(ProgressEvent(stage, done, total))``."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from residuum.errors import InvalidParameterError

__all__ = ["ProgressCallback", "ProgressEvent", "Stage", "check_progress"]


@dataclass(frozen=True)
class ProgressEvent:
    """Progress of one stage of a computation, passed to the ``progress`` callback.

    Attributes
    ----------
    stage : str
        Name of the stage.
    done : int
        Number of completed steps.
    total : int
        Number of steps of the stage.
    loss : float, optional
        Loss of the latest steps, in stages that train vectors.

    Examples
    --------
    >>> event = ProgressEvent("columns", 3, 8)
    >>> f"{event.stage}: {event.done / event.total:.0%}"
    'columns: 38%'
    """

    stage: str
    done: int
    total: int
    loss: float | None = None


ProgressCallback = Callable[[ProgressEvent], None]


def check_progress(progress: Any) -> None:
    """Raise an error unless ``progress`` is None or callable.

    Parameters
    ----------
    progress : callable or None
        Parameter of an estimator.

    Examples
    --------
    >>> check_progress(print)
    """
    if progress is not None and not callable(progress):
        raise InvalidParameterError(
            f"progress must be None or a function of a ProgressEvent, such as progress=print; got {progress!r}."
        )


class Stage:
    """Step counter of one stage, which calls the callback at the start and after each update.

    Parameters
    ----------
    name : str
        Name of the stage.
    total : int
        Number of steps.
    callback : callable or None
        Function of a :class:`ProgressEvent`; None to report nothing.

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
        check_progress(callback)
        self._callback = callback
        self._report()

    def advance(self, steps: int = 1, loss: float | None = None) -> None:
        """Count ``steps`` more steps as done, with their loss if there is one."""
        self.done = min(self.done + steps, self.total)
        self._report(loss)

    def finish(self) -> None:
        """Count all steps as done."""
        self.done = self.total
        self._report()

    def _report(self, loss: float | None = None) -> None:
        if self._callback is not None:
            self._callback(ProgressEvent(self.name, self.done, self.total, loss))
