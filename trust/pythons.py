"""Run the tests with every newer Python at hand, each in an environment of its own with the pinned dependencies.

Interpreters are those on the search path and those of pyenv, from 3.12 on; ``--python PATH`` names others.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from environments import EXTRAS, NOT_RUN, ROOT, TESTS, UV, command_line, install, pinned, run_tests, write_record

NEWER = tuple(f"3.{minor}" for minor in range(12, 20))


def interpreters() -> dict[str, str]:
    """Return an interpreter that starts for each version of Python, the newest first."""
    places = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    places += sorted(Path.home().glob(".pyenv/versions/*/bin"), reverse=True)
    found: dict[str, str] = {}
    for version in reversed(NEWER):
        for path in (place / f"python{version}" for place in places):
            if version not in found and path.exists() and version_of(str(path)) is not None:
                found[version] = str(path)
    return found


def version_of(python: str) -> str | None:
    """Return the version that an interpreter prints, or None if it does not start."""
    done = subprocess.run([python, "-c", "import platform; print(platform.python_version())"], capture_output=True)
    return done.stdout.decode().strip() if done.returncode == 0 else None


def resolve(python: str) -> dict[str, str]:
    """Return versions of the requirements for an interpreter: the pinned ones where they exist for it."""
    options = [word for name in EXTRAS for word in ("--extra", name)]
    options += ["--constraint", str(ROOT / "constraints.txt"), "--no-annotate", "--no-header"]
    command = [*UV, "pip", "compile", *options, "--python", python, str(ROOT / "pyproject.toml")]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return dict(line.split("==") for line in done.stdout.split())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tests", nargs="*", default=list(TESTS), help="tests to run")
    parser.add_argument("--python", action="append", help="path of an interpreter (repeatable)")
    parser.add_argument("--output", type=Path, default=None, help="folder for pythons.md")
    options = parser.parse_args()
    paths = options.python or list(interpreters().values())
    if not paths:
        raise SystemExit("no Python from 3.12 on was found; name one with --python PATH")
    lines = ["| tests | " + " | ".join(f"Python {version_of(path)}" for path in paths) + " |"]
    lines.append("| --- |" + " --- |" * len(paths))
    versions = pinned()
    note = ", ".join(f"{name} {versions[name]}" for name in ("numpy", "scipy", "numba", "scikit-learn", "pyarrow"))
    named = [word for path in options.python or [] for word in ("--python", Path(path).name)]
    title = f"# Newer versions of Python\n\n`{command_line('trust/pythons.py', options.tests, *named)}`\n"
    results = {tests: [NOT_RUN] * len(paths) for tests in options.tests}
    for place, path in enumerate(paths):
        python = install(ROOT / f".venv-python{version_of(path)}", path, resolve(path))
        for tests in options.tests:
            results[tests][place] = run_tests(python, tests)
            print(version_of(path), tests, results[tests][place], file=sys.stderr, flush=True)
            rows = [f"| `{name}` | " + " | ".join(result) + " |" for name, result in results.items()]
            report = "\n".join([*lines, *rows, "", f"Dependencies as in constraints.txt ({note})."])
            write_record(options.output, "pythons.md", f"{title}\n{report}\n")
    print(report)


if __name__ == "__main__":
    main()
