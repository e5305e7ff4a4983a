"""Progress bars for notebooks and terminals, as a ``progress`` callback."""

import sys
import time
from html import escape
from typing import Any

from residuum._progress import ProgressEvent, time_text

__all__ = ["ProgressBar"]

# Seconds between two updates of a bar.
_INTERVAL = 0.1


class ProgressBar:
    """Callback that shows a bar for each stage: HTML in a notebook, a line of text on stderr elsewhere.

    Examples
    --------
    >>> from residuum import ProgressBar, Residual2Vec, datasets
    >>> model = Residual2Vec(8, random_state=0, progress=ProgressBar()).fit(datasets.karate_club())
    """

    def __init__(self) -> None:
        self._stages: dict[str, _Bar] = {}
        self._display: Any = None
        self._cell: int | None = None

    def __repr__(self) -> str:
        return "ProgressBar()"

    def __call__(self, event: ProgressEvent) -> None:
        """Show the progress of a stage.

        Parameters
        ----------
        event : ProgressEvent
            Report of a long computation.
        """
        shell = notebook_shell()
        if shell is not None and shell.execution_count != self._cell:
            # Another cell has an output of its own.
            self._stages, self._display, self._cell = {}, None, shell.execution_count
        now = time.monotonic()
        is_new = event.done == 0 or event.stage not in self._stages
        if is_new:
            self._stages[event.stage] = _Bar(event, now, now)
        bar = self._stages[event.stage]
        was_complete, is_complete = bar.share == 1.0, event.done >= event.total
        bar.event = event
        if not is_new and (was_complete or (not is_complete and now - bar.shown < _INTERVAL)):
            return
        bar.shown = now
        if shell is not None:
            self._show_html()
        else:
            sys.stderr.write(f"\r{bar.text:<78}{chr(10) if is_complete else ''}")
            sys.stderr.flush()

    def _show_html(self) -> None:
        from IPython.display import HTML, display

        content = HTML("".join(bar.html for bar in self._stages.values()))
        if self._display is None:
            self._display = display(content, display_id=True)
        else:
            self._display.update(content)


class _Bar:
    """The bar of one stage."""

    def __init__(self, event: ProgressEvent, began: float, shown: float) -> None:
        self.event, self.began, self.shown = event, began, shown

    @property
    def share(self) -> float:
        return self.event.done / self.event.total if self.event.total else 1.0

    @property
    def times(self) -> str:
        elapsed = self.shown - self.began
        return time_text(elapsed, elapsed * (1 - self.share) / self.share if self.share else None)

    @property
    def text(self) -> str:
        loss = "" if self.event.loss is None else f", loss {self.event.loss:.3f}"
        return f"{self.event.stage}{loss}: {self.share:.0%}, {self.times}"

    @property
    def html(self) -> str:
        return f'<div><progress value="{self.share:.3f}" max="1"></progress> {escape(self.text)}</div>'


def notebook_shell() -> Any:
    """Return the shell of the notebook in which the code runs; None elsewhere, where IPython is not imported."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell if hasattr(shell, "kernel") else None
