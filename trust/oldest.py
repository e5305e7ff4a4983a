"""Install the oldest versions that pyproject.toml allows in an environment of their own, and run the tests there.

uv resolves every direct requirement to its oldest version that has a wheel for this Python and that agrees with the
others. A lower bound that is older than this version is untrue, and an error. Bounds of all extras are compared; the
extras with torch, a browser or Sphinx are not installed. Warnings are no errors here, because old versions of other
packages warn of each other.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from packaging.version import Version

from environments import (
    EXTRAS,
    NOT_RUN,
    ROOT,
    TESTS,
    UV,
    command_line,
    install,
    optional_requirements,
    requirements,
    run_tests,
    write_record,
)

ENVIRONMENT = ROOT / ".venv-oldest"


def resolve(*extras: str) -> dict[str, str]:
    """Return the oldest allowed version of every direct requirement, and the newest of what they require."""
    command = [*UV, "pip", "compile", "--resolution", "lowest-direct", "--no-annotate", "--no-header"]
    options = [word for name in extras for word in ("--extra", name)]
    options += [word for requirement in requirements(*extras) for word in ("--only-binary", requirement.name)]
    target = ["--python", sys.executable, str(ROOT / "pyproject.toml")]
    done = subprocess.run([*command, *options, *target], check=True, stdout=subprocess.PIPE, text=True)
    return dict(line.split("==") for line in done.stdout.split())


def untrue_bounds() -> list[str]:
    """Return a sentence for every lower bound whose version cannot be installed."""
    sentences = set()
    for extra in optional_requirements():
        versions = resolve(extra)
        for requirement in requirements(extra):
            bound = min(Version(clause.version) for clause in requirement.specifier)
            oldest = versions[requirement.name.lower()]
            if Version(oldest) != bound:
                sentences.add(f"{requirement}: the oldest version that can be installed is {oldest}")
    return sorted(sentences)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tests", nargs="*", default=list(TESTS), help="tests to run")
    parser.add_argument("--output", type=Path, default=None, help="folder for oldest.md")
    options = parser.parse_args()
    if sentences := untrue_bounds():
        raise SystemExit("raise these lower bounds in pyproject.toml:\n" + "\n".join(sentences))
    versions = resolve(*EXTRAS)
    python = install(ENVIRONMENT, sys.executable, versions)
    direct = sorted({requirement.name.lower() for requirement in requirements(*EXTRAS)})
    lines = ["| package | version |", "| --- | --- |", f"| Python | {'.'.join(map(str, sys.version_info[:3]))} |"]
    lines += [f"| {name} | {versions[name]} |" for name in direct]
    lines += ["", "| tests | result |", "| --- | --- |"]
    results = dict.fromkeys(options.tests, NOT_RUN)
    title = f"# Oldest allowed versions\n\n`{command_line('trust/oldest.py', options.tests)}`\n"
    for tests in options.tests:
        results[tests] = run_tests(python, tests)
        print(tests, results[tests], file=sys.stderr, flush=True)
        report = "\n".join([*lines, *(f"| `{name}` | {result} |" for name, result in results.items())])
        write_record(options.output, "oldest.md", f"{title}\n{report}\n")
    print(report)


if __name__ == "__main__":
    main()
