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

ROOT = Path(__file__).parents[1]


def measure(tests: list[str], folder: Path) -> dict[str, dict[str, int]]:
    """Run tests and return the counts of coverage by file of the package."""
    variables = {**os.environ, "COVERAGE_FILE": str(folder / "coverage")}
    coverage = [sys.executable, "-m", "coverage"]
    run = [*coverage, "run", "-m", "pytest", "-p", "no:cacheprovider", "-n", "2", "--dist", "loadfile", *tests]
    if subprocess.run(run, cwd=ROOT, env=variables, stdout=sys.stderr).returncode:
        print("Some tests failed; what they executed is counted.", file=sys.stderr)
    subprocess.run([*coverage, "combine", "--quiet"], cwd=ROOT, env=variables, check=True)
    file = folder / "coverage.json"
    subprocess.run([*coverage, "json", "--quiet", "-o", str(file)], cwd=ROOT, env=variables, check=True)
    files = json.loads(file.read_text(encoding="utf-8"))["files"]
    return {name.partition("residuum/")[2]: counts["summary"] for name, counts in files.items()}


def table(files: dict[str, dict[str, int]], rooms: set[str]) -> list[str]:
    """Return the lines of a table of modules with missing branches, and of the sums of rooms."""
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for name, summary in files.items():
        room = name.split("/")[0]
        if rooms and room not in rooms:
            continue
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
    parser.add_argument("--output", type=Path, default=None, help="folder for coverage.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = "\n".join(table(measure(options.tests, Path(folder)), set(options.room)))
    print(report)
    if options.output is not None:
        options.output.mkdir(parents=True, exist_ok=True)
        rooms = [word for room in options.room for word in ("--room", room)]
        command = " ".join(["python", "trust/covered.py", *options.tests, *rooms])
        text = f"# Branch coverage\n\n`{command}`\n\n{report}\n"
        (options.output / "coverage.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
