import sys
from types import ModuleType, SimpleNamespace

import pytest

from residuum import ProgressBar, ProgressEvent, Residual2Vec, datasets
from residuum._progress_bar import notebook_shell


@pytest.fixture
def shown(monkeypatch):
    """Stand for the kernel of a notebook: the contents of one output, in the order in which they replace each other."""
    contents, shell = [], SimpleNamespace(kernel=object(), execution_count=1)

    def display(content, *, display_id):
        assert display_id
        assert contents == [] or shell.execution_count == 2
        contents.append(content)
        return SimpleNamespace(update=contents.append)

    ipython, output = ModuleType("IPython"), ModuleType("IPython.display")
    ipython.get_ipython = lambda: shell
    output.HTML, output.display = str, display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", output)
    return contents


def test_a_notebook_shows_one_output_with_a_bar_for_each_stage(shown, capsys):
    bar = ProgressBar()
    bar(ProgressEvent("<walks>", 0, 4))
    bar(ProgressEvent("<walks>", 4, 4))
    bar(ProgressEvent("skip-gram", 0, 2))
    bar(ProgressEvent("skip-gram", 2, 2, loss=0.5))
    assert [content.count("<progress") for content in shown] == [1, 1, 2, 2]
    assert 'value="0.000"' in shown[0]
    assert "&lt;walks&gt;: 100%, 0.0 s" in shown[-1]
    assert "skip-gram, loss 0.500: 100%" in shown[-1]
    assert capsys.readouterr() == ("", "")


def test_a_fit_fills_its_bars_in_a_notebook(shown):
    Residual2Vec(4, random_state=0, progress=ProgressBar()).fit(datasets.karate_club())
    assert shown[-1].count('value="1.000"') == shown[-1].count("<progress") > 0


def test_another_cell_has_an_output_of_its_own(shown):
    bar = ProgressBar()
    bar(ProgressEvent("walks", 0, 1))
    bar(ProgressEvent("walks", 1, 1))
    notebook_shell().execution_count = 2
    bar(ProgressEvent("skip-gram", 0, 1))
    assert shown[-1].count("<progress") == 1


def test_elsewhere_a_stage_is_one_line_on_stderr(capsys):
    bar = ProgressBar()
    for done in (0, 1, 2, 2):
        bar(ProgressEvent("columns", done, 2))
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.rstrip().endswith("columns: 100%, 0.0 s")


def test_updates_are_at_most_ten_per_second(shown):
    bar = ProgressBar()
    for done in range(10_001):
        bar(ProgressEvent("columns", done, 10_000))
    assert len(shown) < 100
    assert "100%" in shown[-1]


def test_an_ipython_terminal_is_no_notebook(monkeypatch):
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: SimpleNamespace()))
    assert notebook_shell() is None
    monkeypatch.delitem(sys.modules, "IPython")
    assert notebook_shell() is None
