"""Progress reports: long computations call ``progress(ProgressEvent(stage, done, total))``."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from residuum.errors import InvalidParameterError

__all__ = ["ProgressCallback", "ProgressEvent", "Stage", "check_progress", "duration", "time_text"]


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
            f"progress must be None or a function of a ProgressEvent, such as progress=ProgressBar(); got {progress!r}."
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


def duration(seconds: float) -> str:
    """Format a duration with a readable unit.

    Parameters
    ----------
    seconds : float
        Duration in seconds.

    Returns
    -------
    str
        Duration in s, min or h.

    Examples
    --------
    >>> duration(0.31), duration(42.4), duration(400), duration(9000)
    ('0.3 s', '42 s', '6.7 min', '2.5 h')
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.1f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def time_text(elapsed: float | None, remaining: float | None) -> str:
    """Return the elapsed and the remaining time of a stage.

    Parameters
    ----------
    elapsed : float or None
        Seconds since the start; None before it.
    remaining : float or None
        Estimated seconds to the end; None if there is no estimate, and 0 if the stage is finished.

    Returns
    -------
    str
        For example ``"2.0 s, 6.0 s left"``; only the elapsed time if nothing is left.
    """
    if elapsed is None:
        return ""
    return f"{duration(elapsed)}, {duration(remaining)} left" if remaining else duration(elapsed)
