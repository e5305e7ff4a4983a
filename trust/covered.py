"""Measure which branches of the source the tests take.

Child processes are measured as well. Kernels are left out: numba compiles them, and each has a test against a reference
in numpy.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import coverage

ROOT = Path(__file__).parents[1]


def measure(tests: list[str], folder: Path) -> dict[str, dict[str, Any]]:
    """Run tests and return what coverage reports of every file of the package."""
    variables = {**os.environ, "COVERAGE_FILE": str(folder / "coverage")}
    variables["PYTHONPATH"] = os.pathsep.join(
        [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    )
    program = [sys.executable, "-m", "coverage"]
    pytest = ["-m", "pytest", "-p", "covered", "-p", "no:cacheprovider", "-n", "2", "--dist", "loadfile"]
    run = [*program, "run", *pytest, *tests]
    if subprocess.run(run, cwd=ROOT, env=variables, stdout=sys.stderr).returncode:
        print("Some tests failed; what they executed is counted.", file=sys.stderr)
    subprocess.run([*program, "combine", "--quiet"], cwd=ROOT, env=variables, check=True)
    file = folder / "coverage.json"
    subprocess.run([*program, "json", "--quiet", "-o", str(file)], cwd=ROOT, env=variables, check=True)
    files = json.loads(file.read_text(encoding="utf-8"))["files"]
    return {name.partition("residuum/")[2]: counts for name, counts in files.items()}


def pytest_sessionfinish() -> None:
    """Save what a worker has measured while it is waited for: one that takes ten seconds to exit is killed."""
    running = coverage.Coverage.current()
    if running is not None:
        running.stop()
        running.save()


def missed(files: dict[str, dict[str, Any]]) -> str:
    """Return the lines that no test executes and the branches that no test takes, by module."""
    lines = []
    for name, counts in sorted(files.items()):
        statements = set(counts["missing_lines"])
        branches = [f"{start}->{end}" for start, end in counts["missing_branches"] if not {start, end} & statements]
        if statements or branches:
            lines.append(f"{name}: {', '.join([*map(str, sorted(statements)), *branches])}\n")
    return "".join(lines)


def table(files: dict[str, dict[str, Any]]) -> list[str]:
    """Return the lines of a table of modules, and of the sums of rooms."""
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for name, counts in files.items():
        room, summary = name.split("/")[0] if "/" in name else "residuum", counts["summary"]
        keys = ("num_statements", "covered_lines", "num_branches", "covered_branches")
        for key in (name, f"**{room}**", "**all**"):
            sums[key] = [old + summary[new] for old, new in zip(sums[key], keys, strict=True)]
    lines = [
        "| module | statements | executed | branches | taken | both |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for key in sorted(sums, key=lambda key: (key.startswith("*"), key == "**all**", key)):
        statements, executed, branches, taken = sums[key]
        share = (executed + taken) / max(statements + branches, 1)
        lines.append(f"| {key} | {statements} | {executed} | {branches} | {taken} | {share:.1%} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tests", nargs="*", default=["tests"], help="tests to run")
    parser.add_argument("--room", action="append", default=[], help="report only this room (repeatable)")
    parser.add_argument("--missed", type=Path, default=None, help="file for the lines and branches that are missed")
    parser.add_argument("--output", type=Path, default=None, help="folder for coverage.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = measure(options.tests, Path(folder))
    if options.room:
        files = {name: counts for name, counts in files.items() if name.split("/")[0] in options.room}
    report = "\n".join(table(files))
    print(report)
    if options.missed is not None:
        options.missed.write_text(missed(files), encoding="utf-8")
    if options.output is not None:
        options.output.mkdir(parents=True, exist_ok=True)
        rooms = [word for room in options.room for word in ("--room", room)]
        command = " ".join(["python", "trust/covered.py", *options.tests, *rooms])
        text = f"# Branch coverage\n\n`{command}`\n\n{report}\n"
        (options.output / "coverage.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
