"""Reads hostile files in children of a process that has everything imported and compiled.

Run as a script with two arguments: the folder of the cases, and the file for the results (JSON, by case: what each
step ended with). Each case is a folder with one file or folder; each is read in a child of its own, so that a crash is
that of the case.
"""

import json
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from residuum import Embedding
from residuum.errors import ResiduumError
from residuum.graph import Graph, convert, read_graph, read_node_column, verify_graph

SECONDS = 30  # of processor time, a few on an idle machine: only what never ends takes longer
_PATIENCE = 300  # seconds by the clock, for a child that waits for ever
MEMORY = 512 << 20
_PAIR = Graph([[0, 1], [1, 0]])


def steps(kind: str, path: Path, folder: Path) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the ways to read a file of a kind."""
    if kind == "vectors":
        yield "load", lambda: Embedding.load(path)
    elif kind == "labels":
        yield "read_node_column", lambda: read_node_column(path, "label", _PAIR)
    else:
        yield "read_graph", lambda: read_graph(path)
        yield "convert", lambda: convert(path, folder / "out.r2g", memory_limit="64MiB")
    if path.suffix == ".r2g":
        yield "verify", lambda: verify_graph(path)


def outcome(step: Callable[[], Any]) -> str:
    """Return "result" or "refused" as it should be, or the exception that should have been converted."""
    try:
        value = step()
    except ResiduumError as error:
        return "refused" if str(error) else "an error without a message"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"[:300]
    if isinstance(value, Graph):
        # Follow the indices once: a graph that was accepted must be usable.
        assert value.in_strength.shape == value.out_strength.shape == (value.n_nodes,)
        assert 1 <= value.n_connected_components <= value.n_nodes
    return "result"


def in_a_child(kind: str, path: Path) -> dict[str, str]:
    """Return what each step ended with; a step that killed the child is the last."""
    results: dict[str, str] = {}
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _work(kind, path, writer)
    os.close(writer)
    with os.fdopen(reader) as stream:
        for line in stream:
            name, _, result = line.rstrip("\n").partition("\t")
            results[name] = result
    _, status = os.waitpid(child, 0)
    if status:
        number = os.waitstatus_to_exitcode(status)
        results[list(results)[-1]] = (
            "too slow" if -number in (signal.SIGALRM, signal.SIGPROF) else f"killed with {number}"
        )
    return results


def _work(kind: str, path: Path, writer: int) -> None:
    try:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
        with tempfile.TemporaryDirectory() as folder:
            for name, step in steps(kind, path, Path(folder)):
                os.write(writer, f"{name}\tnothing\n".encode())
                signal.setitimer(signal.ITIMER_PROF, SECONDS)
                signal.alarm(_PATIENCE)
                result = outcome(step)
                signal.setitimer(signal.ITIMER_PROF, 0)
                os.write(writer, f"{name}\t{result}\n".replace("\r", " ").encode("utf-8", "replace"))
    finally:
        os._exit(0)


def main(folder: Path, output: Path) -> None:
    """Read all cases of a folder, the valid ones first to load and compile what they need."""
    cases = sorted(folder.iterdir())
    for case in cases:
        if case.name.startswith("valid-"):
            with tempfile.TemporaryDirectory() as scratch:
                for _, step in steps(case.name.split("-")[1], next(case.iterdir()), Path(scratch)):
                    assert outcome(step) == "result", (case.name, outcome(step))
    results = {case.name: in_a_child(case.name.split("-")[1], next(case.iterdir())) for case in cases}
    output.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
