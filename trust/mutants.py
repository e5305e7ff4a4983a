"""Change one operator, number or keyword of the source at a time, and see whether a test fails.

Mutants are made by the operators of cosmic-ray in a private copy of the source. A sample is drawn with a seed, evenly
over modules: a place in the code first, then one of the changes that are possible there. A mutant is run against the
test file of its module; if it survives, against the tests of its room and the contract suites. Of all of them, only
tests that call the changed function are run or, for a change outside of functions, any function of the module, and the
tests of what all signatures and classes have in common. Which tests call it is recorded first, in a run without a
change. A test that gets its results from a cache or from another process does not count as a caller, so that more
mutants may survive than with all tests, but not fewer. A test run that
takes too long counts as killed. Places in type annotations are left out, because nothing that runs depends on them.

A child process is forked for every mutant from a parent that has imported everything but the rooms under test.
"""

import argparse
import ast
import builtins
import contextlib
import importlib
import io
import itertools
import json
import math
import os
import pkgutil
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path(__file__).parents[1]
ROOMS = ("nulls", "walks", "residual", "solvers")
CONTRACT = ("tests/contract/test_null_models.py", "tests/contract/test_estimators.py")
# Reads signatures, docstrings and decorators without a call.
CONVENTIONS = "tests/contract/test_conventions.py"
_NEED_ARGUMENTS = {"core/VariableReplacer", "core/VariableInserter"}
# The name of the function that records calls, among the built-in functions.
_RECORD = "residuum_record_call"
OPERATORS = [name for name in operator_names() if name not in _NEED_ARGUMENTS]
# Nodes of the syntax tree at which operators named Replace... change nothing; to leave them out is twice as fast.
_NEVER_REPLACED = {"newline", "string", "number", "endmarker"}
# A run that waits for something that never comes uses no processor time: a limit of the clock, on a busy machine.
_STUCK = 30
# Modules that tests and residuum import; a child need not import them again.
_SHARED = ("scipy.sparse.linalg", "scipy.stats", "sklearn.linear_model", "pyarrow.parquet", "networkx")


@dataclass(frozen=True)
class Mutant:
    """A change of one place of a module: the operator, and the number of its occurrence in the module."""

    module: str
    line: int
    operator: str
    occurrence: int

    @property
    def name(self) -> str:
        return f"{self.module}:{self.line}:{self.operator.removeprefix('core/')}:{self.occurrence}"

    @classmethod
    def from_name(cls, name: str) -> "Mutant":
        module, line, operator, occurrence = name.split(":")
        return cls(module, int(line), f"core/{operator}", int(occurrence))

    def source(self, original: str) -> str | None:
        """Return the source of the module with the change, or None if Python cannot compile it."""
        mutated = mutate_code(original, get_operator(self.operator)(), self.occurrence)
        try:
            compile(mutated or "", self.module, "exec")
        except SyntaxError:
            return None
        return mutated

    def change(self, original: str) -> str:
        """Return the line before and after the change."""
        before, after = original.splitlines(), (self.source(original) or "").splitlines()
        old, new = next((pair for pair in zip(before, after, strict=False) if pair[0] != pair[1]), ("", ""))
        return f"`{old.strip()}` → `{new.strip()}`"


def annotations(source: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the first and last position of every type annotation."""
    for node in ast.walk(ast.parse(source)):
        for child in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if isinstance(child, ast.expr):
                yield (child.lineno, child.col_offset), (child.end_lineno, child.end_col_offset)


def mutants(module: str, source: str) -> dict[tuple[int, int], list[Mutant]]:
    """Return the possible changes of a module by position."""
    nodes, left_out = list(ast_nodes(get_ast(source))), list(annotations(source))
    changeable = [node for node in nodes if node.type not in _NEVER_REPLACED]
    places: dict[tuple[int, int], list[Mutant]] = defaultdict(list)
    for operator in OPERATORS:
        at = get_operator(operator)().mutation_positions
        searched = changeable if operator.startswith("core/Replace") else nodes
        for occurrence, (position, _) in enumerate(place for node in searched for place in at(node)):
            if not any(first <= position < last for first, last in left_out):
                places[position].append(Mutant(module, position[0], operator, occurrence))
    return places


def sample(sources: dict[str, str], count: int, rng: random.Random) -> list[Mutant]:
    """Draw mutants from the modules in turn, in proportion to the number of their places."""
    places = {module: mutants(module, source) for module, source in sources.items()}
    everywhere = [(module, position) for module in sorted(places) for position in sorted(places[module])]
    first = rng.random()
    step = max(len(everywhere) / count, 1)
    chosen = [everywhere[int((first + number) * step)] for number in range(min(count, len(everywhere)))]
    drawn = []
    for module, position in chosen:
        candidates = places[module][position]
        rng.shuffle(candidates)
        valid = (mutant for mutant in candidates if mutant.source(sources[module]) is not None)
        drawn += itertools.islice(valid, 1)
    return drawn


def functions(tree: ast.Module | ast.ClassDef) -> Iterator[ast.FunctionDef]:
    """Return the functions of a module and the methods of its classes, without functions inside of them."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node)


def names_of_functions(module: str, source: str, line: int) -> set[str]:
    """Return the function to which a line belongs, or all functions of the module if it belongs to none."""
    found = list(functions(ast.parse(source)))
    first = {node: min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) for node in found}
    around = [node for node in found if first[node] <= line <= (node.end_lineno or 0)]
    return {f"{module}:{node.lineno}" for node in around or found}


def with_records(module: str, source: str) -> str:
    """Return the source of a module of which every function records that it is called."""
    tree = ast.parse(source)
    for node in functions(tree):
        name = f"{module}:{node.lineno}"
        record = ast.parse(f"getattr(__import__('builtins'), '{_RECORD}', len)('{name}')").body
        at = 1 if ast.get_docstring(node) is not None else 0
        node.body[at:at] = record
    return ast.unparse(ast.fix_missing_locations(tree))


@dataclass
class Recorder:
    """A plugin of pytest that writes the processor time of every test and the functions that it calls to a file."""

    file: Path
    calls: set[str] = field(default_factory=set)
    tests: dict[str, tuple[float, list[str]]] = field(default_factory=dict)

    def pytest_sessionstart(self) -> None:
        setattr(builtins, _RECORD, self.calls.add)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.calls.clear()
        before = time.process_time()
        outcome = yield
        self.tests[item.nodeid] = (time.process_time() - before, sorted(self.calls))
        return outcome

    def pytest_sessionfinish(self) -> None:
        self.file.write_text(json.dumps(self.tests), encoding="utf-8")


@dataclass
class Selection:
    """A plugin of pytest that runs only these tests."""

    tests: set[str]

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self.tests]


class Workshop:
    """A private copy of the source in which one module at a time is changed and tested.

    Parameters
    ----------
    folder : Path
        Where the copy is made.
    """

    def __init__(self, folder: Path) -> None:
        self.copy = folder / "src"
        shutil.copytree(ROOT / "src", self.copy)
        sys.path.insert(0, str(self.copy))
        os.environ.update(PYTHONPATH=str(self.copy), HYPOTHESIS_STORAGE_DIRECTORY=str(folder / "hypothesis"))
        self.clock = itertools.count(int(time.time()))
        os.chdir(ROOT)
        for name in _SHARED:
            importlib.import_module(name)
        kernels = importlib.import_module("residuum._kernels")
        for found in pkgutil.iter_modules(kernels.__path__, "residuum._kernels."):
            importlib.import_module(found.name)
        if early := [name for name in sys.modules if name.startswith(tuple(f"residuum.{room}" for room in ROOMS))]:
            raise SystemExit(f"imported before it was changed: {early}")

    def sources(self, modules: list[str]) -> dict[str, str]:
        """Return the sources of all modules of the rooms, or of those that are named."""
        files = [file for room in ROOMS for file in sorted((self.copy / "residuum" / room).glob("*.py"))]
        names = {str(file.relative_to(self.copy / "residuum")): file for file in files if file.name != "__init__.py"}
        return {
            name: file.read_text(encoding="utf-8") for name, file in names.items() if not modules or name in modules
        }

    def write(self, module: str, source: str) -> None:
        """Write a module with a time of its own, so that Python never takes compiled code of another mutant for it."""
        file = self.copy / "residuum" / module
        file.write_text(source, encoding="utf-8")
        os.utime(file, (second := next(self.clock), second))

    def fails(self, tests: list[str], cpu_seconds: float, plugins: tuple[Any, ...] = ()) -> bool:
        """Run tests in a forked process until one fails; a run over the limit of processor time fails."""
        pid = os.fork()
        if pid == 0:
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(cpu_seconds), math.ceil(cpu_seconds)))
            code = 1
            try:
                with Path(os.devnull).open("w") as silent:
                    os.dup2(silent.fileno(), 1)
                    os.dup2(silent.fileno(), 2)
                code = int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests], plugins))
            finally:
                os._exit(code)
        deadline = time.perf_counter() + _STUCK * cpu_seconds
        while time.perf_counter() < deadline:
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                return status != 0
            time.sleep(0.02)
        os.killpg(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        return True


class Trial:
    """Tests of a module, narrow and wide, with limits of time taken from a run without a change.

    Parameters
    ----------
    workshop : Workshop
        Where mutants are tested.
    narrow : bool
        Whether only the test file of the module is run.
    folder : Path
        Where it is recorded which tests call which functions.
    """

    def __init__(self, workshop: Workshop, narrow: bool, folder: Path) -> None:
        self.workshop = workshop
        self.narrow = narrow
        self.folder = folder
        self.recorded: dict[str, dict[str, tuple[float, list[str]]]] = {}

    def record(self, label: str, tests: list[str]) -> dict[str, tuple[float, list[str]]]:
        """Return the processor time of every test and the functions that it calls."""
        file = self.folder / f"{label}.json"
        if label not in self.recorded:
            if not file.exists():
                sources = self.workshop.sources([])
                for module, source in sources.items():
                    self.workshop.write(module, with_records(module, source))
                if self.workshop.fails(tests, 3600, (Recorder(file),)):
                    raise SystemExit(f"these tests fail without any change: {' '.join(tests)}")
                for module, source in sources.items():
                    self.workshop.write(module, source)
            self.recorded[label] = json.loads(file.read_text(encoding="utf-8"))
        return self.recorded[label]

    def killed_by(self, mutant: Mutant, source: str) -> str | None:
        """Return which of the two sets of tests kills a mutant."""
        room, name = mutant.module.split("/")
        own = f"tests/{room}/test_{name}"
        changed = names_of_functions(mutant.module, source, mutant.line)
        recorded = self.record(room, [f"tests/{room}"])
        if not self.narrow:
            recorded = {**recorded, **self.record("contract", list(CONTRACT))}
        callers = {
            test: seconds for test, (seconds, calls) in recorded.items() if not changed or not changed.isdisjoint(calls)
        }
        sets = {"own": {test: callers[test] for test in callers if test.startswith(f"{own}::")}}
        if not self.narrow:
            conventions = {test: seconds for test, (seconds, _) in self.record("conventions", [CONVENTIONS]).items()}
            sets["wider"] = conventions | {test: callers[test] for test in callers if test not in sets["own"]}
        return next((label for label, tests in sets.items() if tests and self.fails(mutant, source, tests)), None)

    def fails(self, mutant: Mutant, source: str, tests: dict[str, float]) -> bool:
        """Test a mutant, and put the module back; tests may take five times as long as without a change."""
        files = sorted(
            {test.partition("::")[0] for test in tests}, key=lambda file: (file in CONTRACT, file != CONVENTIONS, file)
        )
        self.workshop.write(mutant.module, mutant.source(source) or "")
        failed = self.workshop.fails(files, 30 + 5 * sum(tests.values()), (Selection(set(tests)),))
        self.workshop.write(mutant.module, source)
        return failed


def table(outcomes: dict[Mutant, str | None]) -> list[str]:
    """Return the lines of a table of modules, and the sums of the rooms."""
    lines = ["| module | mutants | killed by its own test file | by wider tests | survived |"]
    lines.append("| --- | ---: | ---: | ---: | ---: |")
    sums: dict[str, list[str | None]] = defaultdict(list)
    for mutant, outcome in outcomes.items():
        for key in (mutant.module, f"**{mutant.module.split('/')[0]}**", "**all**"):
            sums[key].append(outcome)
    for key in sorted(sums, key=lambda key: (key.startswith("*"), key == "**all**", key)):
        kinds = sums[key]
        counts = f"{len(kinds)} | {kinds.count('own')} | {kinds.count('wider')} | {kinds.count(None)}"
        lines.append(f"| {key} | {counts} |")
    return lines


def report(outcomes: dict[Mutant, str | None], sources: dict[str, str]) -> str:
    survivors = [mutant for mutant, outcome in outcomes.items() if outcome is None]
    killed = len(outcomes) - len(survivors)
    lines = [*table(outcomes), "", f"{killed} of {len(outcomes)} mutants killed ({killed / len(outcomes):.1%})."]
    if survivors:
        lines += ["", "Survivors:", ""]
        lines += [f"- {mutant.name}: {mutant.change(sources[mutant.module])}" for mutant in survivors]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mutants", type=int, default=200, help="size of the sample")
    parser.add_argument("--module", action="append", default=[], help="only this module, such as nulls/base.py")
    parser.add_argument("--mutant", action="append", default=[], help="this mutant, as the list of survivors names it")
    parser.add_argument("--narrow", action="store_true", help="only the test file of the module itself")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="start no mutant after this time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--part", default="1/1", help="this part of the sample, such as 1/2; parts may run side by side"
    )
    parser.add_argument(
        "--calls",
        type=Path,
        default=None,
        help="folder that keeps which tests call which functions, for runs of the same tests",
    )
    parser.add_argument("--at-least", type=float, default=0.0, help="end with 1 if a smaller share is killed")
    parser.add_argument("--output", type=Path, default=None, help="folder for mutants.md")
    options = parser.parse_args()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="residuum-mutants-") as folder:
        workshop = Workshop(Path(folder))
        sources = workshop.sources(options.module)
        rng = random.Random(options.seed)
        named = [Mutant.from_name(name) for name in options.mutant]
        drawn = named or sample(sources, options.mutants, rng)
        rng.shuffle(drawn)
        part, parts = map(int, options.part.split("/"))
        drawn = drawn[part - 1 :: parts]
        trial = Trial(workshop, options.narrow, options.calls or Path(folder))
        outcomes: dict[Mutant, str | None] = {}
        for mutant in drawn:
            if time.perf_counter() - began > options.seconds:
                break
            outcomes[mutant] = trial.killed_by(mutant, sources[mutant.module])
            print(f"{len(outcomes)} {outcomes[mutant] or 'SURVIVED'} {mutant.name}", file=sys.stderr, flush=True)
    text = report(outcomes, sources)
    print(text)
    if options.output is not None:
        options.output.mkdir(parents=True, exist_ok=True)
        command = " ".join(["python", "trust/mutants.py", *sys.argv[1:]])
        (options.output / "mutants.md").write_text(f"# Mutants\n\n`{command}`\n\n{text}\n", encoding="utf-8")
    killed = sum(outcome is not None for outcome in outcomes.values())
    if killed < options.at_least * len(outcomes):
        raise SystemExit(f"fewer than {options.at_least:.0%} of the mutants are killed")


if __name__ == "__main__":
    with contextlib.redirect_stdout(io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", line_buffering=True)):
        main()
