import errno
import re
import runpy
import sys
import warnings
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import residuum
from residuum.cli import main
from residuum.cli.main import _show_warning
from residuum.errors import ResiduumWarning


def test_help_shows_a_first_run_and_every_command() -> None:
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    assert "residuum embed edges.csv -o vectors.parquet" in result.stdout
    assert "residuum similar vectors.parquet alice" in result.stdout
    for command in main.commands:
        assert f"\n  {command} " in result.stdout


@pytest.mark.parametrize("command", sorted(main.commands))
def test_help_of_every_command_has_examples(command: str) -> None:
    result = CliRunner().invoke(main, [command, "-h"])
    assert result.exit_code == 0
    assert f"Examples:\n    residuum {command} " in result.stdout


def test_the_package_runs_as_a_module(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["residuum", "--version"])
    monkeypatch.delitem(sys.modules, "residuum.__main__", raising=False)
    with pytest.raises(SystemExit, match="0"):
        runpy.run_module("residuum", run_name="__main__")
    assert capsys.readouterr().out == f"residuum, version {residuum.__version__}\n"


def test_version() -> None:
    result = CliRunner().invoke(main, ["--version"])
    assert (result.exit_code, result.stdout) == (0, f"residuum, version {residuum.__version__}\n")


@pytest.mark.parametrize("arguments", [["paint"], ["embed"], ["embed", "x.csv"], ["similar", "--loud"]])
def test_wrong_usage_is_exit_code_2_and_says_how(arguments: list[str]) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "Usage: " in result.stderr
    assert "Error: " in result.stderr


@pytest.mark.parametrize("arguments", [["embed", "no.csv", "-o", "x.npz"], ["similar", "no.npz", "a"]])
def test_error_is_exit_code_1_and_one_line_on_stderr(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("error: no.")
    assert result.stderr.endswith("does not exist.\n")
    assert result.stderr.count("\n") == 1


def test_error_of_the_file_system_is_one_line_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("edges.csv").write_text("1,2\n2,3\n3,1\n")
    result = CliRunner().invoke(main, ["embed", "edges.csv", "-o", "x.npz", "--checkpoint", "edges.csv/x", "-k", "1"])
    assert (result.exit_code, result.stdout) == (1, "")
    assert re.fullmatch(r"error: edges\.csv/x\S*: .+\.\n", result.stderr)


def test_nobody_reading_the_output_is_left_to_click(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def piped() -> None:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    monkeypatch.setitem(main.commands, "piped", piped)
    result = CliRunner().invoke(main, ["piped"])
    assert (result.exit_code, result.output) == (1, "")


def test_programming_error_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def broken() -> None:
        raise ZeroDivisionError

    monkeypatch.setitem(main.commands, "broken", broken)
    assert isinstance(CliRunner().invoke(main, ["broken"]).exception, ZeroDivisionError)


@pytest.mark.filterwarnings("default::residuum.errors.ResiduumWarning")
def test_warning_of_residuum_is_one_line_on_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def warn() -> None:
        warnings.warn("two nodes are isolated.", ResiduumWarning, stacklevel=1)

    monkeypatch.setitem(main.commands, "warn", warn)
    with warnings.catch_warnings():  # puts back the way in which warnings are shown
        result = CliRunner().invoke(main, ["warn"])
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "note: two nodes are isolated.\n")


def test_warnings_of_other_libraries_are_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    _show_warning("old", DeprecationWarning, "x.py", 1)
    assert capsys.readouterr() == ("", "")
