"""Code metrics: parameters, length of fit, and the modules between an edge list and its vectors.

A room is a package directly below ``residuum``; top-level modules count as one room. A room change is a call from, or a
return to, a function of another room, as recorded by the profiler of the interpreter during one command.
"""

import ast
import inspect
import json
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import networkx
from click.testing import CliRunner

import residuum
from residuum import Residual2Vec
from residuum.cli import main as command_line

PACKAGE = Path(residuum.__file__).parent


class Trace:
    """Files and rooms that the calls and returns of a command pass through."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.rooms: list[str] = []

    @property
    def room_changes(self) -> int:
        """Number of consecutive events in different rooms."""
        return sum(room != following for room, following in zip(self.rooms, self.rooms[1:], strict=False))

    @contextmanager
    def running(self) -> Iterator[None]:
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        if not _is_ours(frame):
            return
        if event == "call":
            self.files.add(frame.f_code.co_filename)
            self.rooms.append(_room(frame))
        elif event == "return":
            caller = frame.f_back
            while caller is not None and not _is_ours(caller):
                caller = caller.f_back
            if caller is not None:
                self.rooms.append(_room(caller))


def _is_ours(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(str(PACKAGE))


def _room(frame: FrameType) -> str:
    parts = Path(frame.f_code.co_filename).relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else "residuum"


def embed_karate(folder: Path) -> Trace:
    """Trace ``residuum embed`` on the karate club, after a warm-up run."""
    edges, vectors = folder / "karate.csv", folder / "karate.parquet"
    edges.write_text("source,target\n" + "".join(f"{i},{j}\n" for i, j in networkx.karate_club_graph().edges))
    arguments = ["embed", str(edges), "-o", str(vectors), "-k", "16", "--overwrite"]
    for traced in (False, True):
        trace = Trace()
        if traced:
            with trace.running():
                result = CliRunner().invoke(command_line, arguments)
        else:
            result = CliRunner().invoke(command_line, arguments)
        assert result.exit_code == 0, result.output
    return trace


def lines_of(function: object) -> int:
    """Return the number of lines of a function, excluding its docstring."""
    source = textwrap.dedent(inspect.getsource(function))
    body = ast.parse(source).body[0]
    assert isinstance(body, ast.FunctionDef)
    first = body.body[0]
    has_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return len(source.splitlines()) - (first.end_lineno - first.lineno + 1 if has_docstring else 0)


def complex_functions() -> int:
    """Return the number of functions with a cyclomatic complexity above 10."""
    ruff = Path(sys.executable).with_name("ruff")
    command = [ruff, "check", "--isolated", "--select", "C901", "--output-format", "json", "--exit-zero", PACKAGE]
    return len(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        trace = embed_karate(Path(folder))
    parameters = list(inspect.signature(Residual2Vec).parameters.values())
    modules = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in PACKAGE.rglob("*.py")}
    metrics = {
        "parameters of Residual2Vec": len(parameters),
        "positional parameters": sum(p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters),
        "lines of fit and _fit": lines_of(Residual2Vec.fit) + lines_of(Residual2Vec._fit),
        "files from csv to vectors": len(trace.files),
        "room changes from csv to vectors": trace.room_changes,
        "functions with complexity above 10": complex_functions(),
        "modules": len(modules),
        "modules above 400 lines": sum(n_lines > 400 for n_lines in modules.values()),
        "lines": sum(modules.values()),
    }
    for name, value in metrics.items():
        print(f"{name:36} {value:6,}")


if __name__ == "__main__":
    main()
