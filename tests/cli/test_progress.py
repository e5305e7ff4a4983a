import io
import sys

import pytest

from residuum import ProgressEvent
from residuum.cli.progress import progress_bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_quiet_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with progress_bar(quiet=False) as callback:
        assert callback is None
    assert stream.getvalue() == ""


def test_quiet_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress_bar(quiet=True) as callback:
        assert callback is None


def test_terminal_shows_the_stage_and_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with progress_bar(quiet=False) as callback:
        assert callback is not None
        callback(ProgressEvent("window probabilities", 0, 4))
        callback(ProgressEvent("window probabilities", 1, 4))
        callback(ProgressEvent("eigenvectors", 2, 2))
    assert "window probabilities" in stream.getvalue()
    assert "eigenvectors" in stream.getvalue()
    assert "25%" in stream.getvalue()
