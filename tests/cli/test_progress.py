import io
import sys

import numpy as np
import pytest
from click.testing import CliRunner, Result

from residuum import Embedding, ProgressEvent, Residual2Vec, _checkpoint, datasets
from residuum.cli import main
from residuum.cli.progress import progress_bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_there_is_no_bar_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with progress_bar(quiet=False) as callback:
        assert callback is None
    assert stream.getvalue() == ""


def test_there_is_no_bar_if_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress_bar(quiet=True) as callback:
        assert callback is None


def test_the_bar_shows_stage_and_percentage(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_u8_times_are_named_and_nothing_is_left_of_a_finished_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with progress_bar(quiet=False) as callback:
        assert callback is not None
        callback(ProgressEvent("eigenvectors", 0, 2))
        callback(ProgressEvent("eigenvectors", 2, 2))
    assert "0.0 s" in stream.getvalue()
    assert "left" not in stream.getvalue()


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function that runs ``residuum embed`` on a planted graph with more arguments."""
    monkeypatch.chdir(tmp_path)
    graph = datasets.planted_groups(600, 3, random_state=0)
    entries = graph.adjacency.tocoo()
    lines = [f"{i},{j}" for i, j in zip(entries.row, entries.col, strict=True) if i < j]
    (tmp_path / "edges.csv").write_text("\n".join(lines))

    def embed(*arguments) -> Result:
        return CliRunner().invoke(main, ["embed", "edges.csv", "-o", "out.npz", "--solver", "landmark", *arguments])

    return embed


def test_a_stopped_run_resumes_from_its_checkpoint(run, tmp_path, monkeypatch):
    write = _checkpoint._write

    def write_two(path, array):
        if len(list(tmp_path.glob("saved/*.npy"))) >= 2:
            raise KeyboardInterrupt
        write(path, array)

    with monkeypatch.context() as patch:
        patch.setattr(_checkpoint, "_write", write_two)
        result = run("--checkpoint", "saved")
    assert result.exit_code == 130
    assert result.stderr.splitlines()[-1] == "stopped: finished work is in saved; run the same command to resume."
    assert not (tmp_path / "out.npz").exists()
    assert run("--checkpoint", "saved").exit_code == 0
    resumed = Embedding.load(tmp_path / "out.npz")
    assert run("--overwrite").exit_code == 0
    undisturbed = Embedding.load(tmp_path / "out.npz")
    np.testing.assert_array_equal(undisturbed.vectors, resumed.vectors)
    np.testing.assert_array_equal(undisturbed.context_vectors, resumed.context_vectors)


def test_a_stopped_run_without_checkpoint_writes_nothing(run, tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Residual2Vec, "fit", interrupt)
    result = run()
    assert result.exit_code == 130
    assert "nothing was written; use --checkpoint DIR to make a run resumable." in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["edges.csv"]
