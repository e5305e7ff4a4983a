"""Runs libFuzzer (atheris) on one target, in a process that it may crash.

``python fuzz/child.py TARGET FINDINGS [libFuzzer options] CORPUS``. An exception that should have been converted does
not end the run: its input is written to FINDINGS, once for each place in the code that raises.
"""

import hashlib
import importlib
import os
import pkgutil
import random
import resource
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import atheris

from residuum import _kernels

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))
# Bytecode that numba compiles cannot be instrumented, so the kernels are imported before the rest.
kernels = [
    importlib.import_module(f"residuum._kernels.{module.name}") for module in pkgutil.iter_modules(_kernels.__path__)
]
from fuzzing.names import PROPERTY_NAMES  # noqa: E402

INSTRUMENTED = ("residuum", "tomllib")

# More than the command line asks for.
MEMORY = 2 << 30
# Files whose assertions are findings.
_OWN = ("targets.py", "properties.py")
# Share of the changes that libFuzzer makes itself.
_RAW = 0.3


def signature(error: BaseException) -> str:
    """Return the type of an exception and the last line of the project that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "/residuum/" in frame.filename or frame.filename.endswith(_OWN)]
    place = own[-1] if own else frames[-1]
    return f"{type(error).__name__} at {Path(place.filename).name}:{place.name}"


def keep(folder: Path, error: BaseException, data: bytes) -> None:
    """Write the input of a finding and its traceback, unless one with the same signature is there."""
    name = hashlib.sha256(signature(error).encode()).hexdigest()[:12]
    if not (folder / name).exists():
        (folder / name).write_bytes(data)
        text = "".join(traceback.format_exception(error))
        (folder / f"{name}.txt").write_text(f"{signature(error)}\n{text}", encoding="utf-8", errors="replace")


def main() -> None:
    """Fuzz the target of the command line."""
    name, findings, *options, corpus = sys.argv[1:]
    parsers = ("networkx",) if name in ("graph-graphml", "graph-gml") else ()
    with atheris.instrument_imports(include=[*INSTRUMENTED, *parsers]):
        act, change = prepared(name, sorted(Path(corpus).glob("start-*"))[:8])
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))

    def test(data: bytes) -> None:
        try:
            act(data)
        except BaseException as error:
            keep(Path(findings), error, data)

    atheris.Setup([sys.argv[0], *options, corpus], test, **({"custom_mutator": change} if change else {}))
    atheris.Fuzz()


def prepared(name: str, first: list[Path]) -> tuple[Callable[[bytes], Any], Callable[[bytes, int, int], bytes] | None]:
    """Return what to do with an input, and how to change one; import and compile all that it needs."""
    if name in PROPERTY_NAMES:
        from fuzzing.properties import PROPERTIES

        one_input = PROPERTIES[name].hypothesis.fuzz_one_input
        for number in range(8):
            one_input(random.Random(number).randbytes(2000))
        return one_input, None
    from fuzzing.targets import TARGETS, changed, outcome

    target, memory = TARGETS[name], Path("/dev/shm")
    scratch = memory if os.access(memory, os.W_OK) else Path(tempfile.gettempdir())
    for file in first:
        outcome(target, file.read_bytes(), scratch)

    def change(data: bytes, max_size: int, seed: int) -> bytes:
        rng = random.Random(seed)
        if rng.random() < _RAW:
            return bytes(atheris.Mutate(data, max_size))
        return changed(target, data, rng)[:max_size]

    return lambda data: outcome(target, data, scratch), change


if __name__ == "__main__":
    main()
