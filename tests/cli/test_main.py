import errno
import logging
import re
import runpy
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner

import residuum
from residuum import Embedding
from residuum._kernels.cache import COMPILING
from residuum.cli import main
from residuum.cli.main import _show_warning
from residuum.errors import ResiduumWarning

COMMANDS = sorted(file.stem for file in (Path(residuum.__file__).parent / "cli" / "commands").glob("[!_]*.py"))


def test_help_shows_a_quick_start_and_every_command() -> None:
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    assert "residuum embed edges.csv -o vectors.parquet" in result.stdout
    assert "residuum similar vectors.parquet alice" in result.stdout
    for command in COMMANDS:
        assert f"\n  {command} " in result.stdout


def test_commands_are_listed_by_task_without_arguments() -> None:
    result = CliRunner().invoke(main, [])
    shown = result.stdout + result.stderr
    tasks = ["Embed a graph:", "Use the vectors:", "Evaluate and audit:", "Files, records and the shell:"]
    assert [line for line in shown.splitlines() if line in tasks] == tasks
    assert "Other:" not in shown  # every command has a task
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command_has_examples(command: str) -> None:
    result = CliRunner().invoke(main, [command, "-h"])
    assert result.exit_code == 0
    assert f"Examples:\n    residuum {command} " in result.stdout


def test_no_help_imports_a_numerical_library() -> None:
    script = f"""
import sys
from residuum.cli import main
for command in {COMMANDS}:
    try:
        main([command, "--help"])
    except SystemExit as error:
        assert error.code == 0
    loaded = {{"numpy", "scipy", "numba", "pyarrow", "sklearn", "pandas", "matplotlib", "rich"}} & set(sys.modules)
    assert not loaded, (command, loaded)
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "completion"])
def test_every_command_that_prints_results_has_json(command: str) -> None:
    """The output of completion is a script of the shell."""
    assert "--json" in CliRunner().invoke(main, [command, "--help"]).stdout


def test_the_package_runs_as_a_module(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["residuum", "--version"])
    monkeypatch.delitem(sys.modules, "residuum.__main__", raising=False)
    with pytest.raises(SystemExit, match="0"):
        runpy.run_module("residuum", run_name="__main__")
    assert capsys.readouterr().out == f"residuum, version {residuum.__version__}\n"


def test_the_version_is_printed() -> None:
    result = CliRunner().invoke(main, ["--version"])
    assert (result.exit_code, result.stdout) == (0, f"residuum, version {residuum.__version__}\n")


@pytest.mark.parametrize("arguments", [["paint"], ["embed"], ["embed", "x.csv"], ["similar", "--loud"]])
def test_wrong_usage_exits_with_code_2_and_shows_the_usage(arguments: list[str]) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "Usage: " in result.stderr
    assert "Error: " in result.stderr


@pytest.mark.parametrize("arguments", [["embed", "no.csv", "-o", "x.npz"], ["similar", "no.npz", "a"]])
def test_an_error_exits_with_code_1_and_prints_one_line(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("error: no.")
    assert result.stderr.endswith("does not exist.\n")
    assert result.stderr.count("\n") == 1


def test_a_file_system_error_prints_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("edges.csv").write_text("1,2\n2,3\n3,1\n")
    result = CliRunner().invoke(main, ["embed", "edges.csv", "-o", "x.npz", "--checkpoint", "edges.csv/x", "-k", "1"])
    assert (result.exit_code, result.stdout) == (1, "")
    assert re.search(r"\nerror: edges\.csv/x\S*: .+\.\n$", result.stderr)


def test_a_closed_pipe_is_left_to_click(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def piped() -> None:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    monkeypatch.setattr(main, "get_command", lambda context, name: piped)
    result = CliRunner().invoke(main, ["piped"])
    assert (result.exit_code, result.output) == (1, "")


def test_a_programming_error_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def broken() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(main, "get_command", lambda context, name: broken)
    assert isinstance(CliRunner().invoke(main, ["broken"]).exception, ZeroDivisionError)


@pytest.mark.filterwarnings("default::residuum.errors.ResiduumWarning")
def test_a_residuum_warning_prints_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def warn() -> None:
        warnings.warn("two nodes are isolated.", ResiduumWarning, stacklevel=1)

    monkeypatch.setattr(main, "get_command", lambda context, name: warn)
    with warnings.catch_warnings():  # restores warnings.showwarning
        result = CliRunner().invoke(main, ["warn"])
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "note: two nodes are isolated.\n")


@pytest.mark.parametrize(("arguments", "shown"), [([], "note: compiling kernels\n"), (["--quiet"], "")])
def test_compilation_prints_one_line_unless_quiet(
    arguments: list[str], shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    @click.command()
    @click.option("--quiet", is_flag=True)
    def compile_kernels(quiet: bool) -> None:
        logging.getLogger(COMPILING).info("compiling kernels")

    monkeypatch.setattr(logging.getLogger(COMPILING), "disabled", False)
    monkeypatch.setattr(main, "get_command", lambda context, name: compile_kernels)
    result = CliRunner().invoke(main, ["compile-kernels", *arguments])
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", shown)
    assert logging.getLogger(COMPILING).handlers == []


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["similar", "VECTORS", "a"]])
def test_quick_commands_do_not_import_slow_libraries(arguments: list[str], tmp_path: Path) -> None:
    vectors = tmp_path / "vectors.parquet"
    Embedding(np.array(["a", "b"], dtype=object), np.eye(2, dtype=np.float32)).save(vectors)
    script = "import sys; from residuum.cli import main; main(standalone_mode=False); print(*sys.modules)"
    command = [sys.executable, "-c", script, *(str(vectors) if word == "VECTORS" else word for word in arguments)]
    modules = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert not {"numba", "pandas", "rich", "scipy", "sklearn"} & set(modules)


def test_warnings_of_other_libraries_are_hidden(capsys: pytest.CaptureFixture[str]) -> None:
    _show_warning("old", DeprecationWarning, "x.py", 1)
    assert capsys.readouterr() == ("", "")


_SLOW_CONVERSION = """
import sys, time
from residuum.cli import main
from residuum.graph import conversion

tables = conversion.EdgeList.tables

def slow(*arguments):
    yield from tables(*arguments)
    print("reading", flush=True)
    time.sleep(60)

conversion.EdgeList.tables = slow
main(["convert", sys.argv[1], "-o", sys.argv[2], "-q"])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_s9_a_terminated_conversion_leaves_no_temporary_folders(tmp_path: Path) -> None:
    (tmp_path / "edges.csv").write_text("a,b\nb,c\n")
    command = [sys.executable, "-c", _SLOW_CONVERSION, str(tmp_path / "edges.csv"), str(tmp_path / "g.r2g")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "reading\n"
        assert len(list(tmp_path.iterdir())) == 2
        process.terminate()
    assert process.returncode == 128 + signal.SIGTERM
    assert [file.name for file in tmp_path.iterdir()] == ["edges.csv"]


_SIGNAL_IN_CALLBACK = """
import ctypes, os, signal, sys, time
import click
from residuum.cli import main

@click.command()
def wait():
    @ctypes.CFUNCTYPE(None)
    def callback():
        os.kill(os.getpid(), getattr(signal, sys.argv[1]))
        time.sleep(0.01)
    callback()
    time.sleep(60)

signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a job that a shell started in the background
main.get_command = lambda context, name: wait
main(["wait"])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGINT", 130)])
def test_a_signal_in_a_callback_of_a_compiled_library_is_not_lost(name: str, code: int) -> None:
    command = [sys.executable, "-c", _SIGNAL_IN_CALLBACK, name]
    result = subprocess.run(command, capture_output=True, text=True, timeout=50)
    assert (result.returncode, "Traceback" in result.stderr) == (code, False)


def test_s11_too_little_memory_prints_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("residuum.cli.commands.embed.load_graph", fail)
    result = CliRunner().invoke(main, ["embed", "x.csv", "-o", str(tmp_path / "x.npz")])
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert result.stderr.startswith("error: not enough memory")


_LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]) << 20, -1))
from residuum.cli import main
main(["embed", sys.argv[2], "-o", sys.argv[3]])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of POSIX processes")
@pytest.mark.parametrize("mebibytes", [150, 400, 600, 1000])
def test_s11_a_low_limit_of_the_address_space_prints_one_line(mebibytes: int, tmp_path: Path) -> None:
    (tmp_path / "k.csv").write_text("a,b\nb,c\n")
    files = [str(tmp_path / name) for name in ("k.csv", "k.npz")]
    command = [sys.executable, "-c", _LIMITED, str(mebibytes), *files]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert f"is limited to {mebibytes} MiB" in result.stderr
    assert "ulimit -v" in result.stderr


@pytest.mark.parametrize("arguments", [["embed", "k.csv", "-o", "loop.npz"], ["convert", "k.csv", "-o", "loop.r2g"]])
def test_s11_a_loop_of_symbolic_links_prints_one_line(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("k.csv").write_text("a,b\nb,c\n")
    Path(arguments[-1]).symlink_to(arguments[-1])
    result = CliRunner().invoke(main, [*arguments, "--overwrite"])
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert "is a loop of symbolic links" in result.stderr
