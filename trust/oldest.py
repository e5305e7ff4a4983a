"""Install the oldest versions that pyproject.toml allows in an environment of their own, and run the tests there.

uv resolves every direct requirement to its oldest version that has a wheel for this Python and that agrees with the
others. A lower bound that is older than this version is untrue, and an error. Bounds of all extras are compared; the
extras with torch, a browser or Sphinx are not installed. Warnings are no errors here, because old versions of other
packages warn of each other.
"""

import argparse
import os
import subprocess
import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[1]
ENVIRONMENT = ROOT / ".venv-oldest"
EXTRAS = ("graphs", "report", "index", "distributed")
TOOLS = ("pytest", "pytest-xdist", "hypothesis")
# Left out: benchmarks, docs and browser need software that is not installed; distributed and hostile take long.
TESTS = (
    *(
        f"tests/{room}"
        for room in ("_kernels", "graph", "walks", "nulls", "residual", "solvers", "models", "embedding")
    ),
    *(f"tests/{room}" for room in ("evaluation", "datasets", "integrations", "report", "selection", "cli")),
    "tests/contract/test_null_models.py",
    "tests/contract/test_estimators.py",
    "tests/contract/test_sklearn.py",
)
_UV = (sys.executable, "-m", "uv", "--quiet", "pip")


def requirements(*extras: str) -> list[Requirement]:
    """Return the direct requirements of the package and of some of its extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    return [
        Requirement(line) for line in [*project["dependencies"], *(line for name in extras for line in optional[name])]
    ]


def resolve(*extras: str) -> dict[str, str]:
    """Return the oldest allowed version of every direct requirement, and the newest of what they require."""
    command = [*_UV, "compile", "--resolution", "lowest-direct", "--no-annotate", "--no-header"]
    options = [word for name in extras for word in ("--extra", name)]
    options += [word for requirement in requirements(*extras) for word in ("--only-binary", requirement.name)]
    target = ["--python", sys.executable, str(ROOT / "pyproject.toml")]
    done = subprocess.run([*command, *options, *target], check=True, stdout=subprocess.PIPE, text=True)
    return dict(line.split("==") for line in done.stdout.split())


def untrue_bounds() -> list[str]:
    """Return a sentence for every lower bound whose version cannot be installed."""
    optional = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    sentences = set()
    for extra in optional:
        versions = resolve(extra)
        for requirement in requirements(extra):
            bound = min(Version(clause.version) for clause in requirement.specifier)
            oldest = versions[requirement.name.lower()]
            if Version(oldest) != bound:
                sentences.add(f"{requirement}: the oldest version that can be installed is {oldest}")
    return sorted(sentences)


def install(versions: dict[str, str]) -> Path:
    """Make the environment and return its Python."""
    subprocess.run([sys.executable, "-m", "uv", "--quiet", "venv", "--clear", str(ENVIRONMENT)], check=True)
    python = ENVIRONMENT / "bin" / "python"
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    tools = [line for line in pinned if line.split("==")[0] in TOOLS]
    target = [*_UV, "install", "--python", str(python)]
    subprocess.run([*target, *(f"{name}=={version}" for name, version in versions.items()), *tools], check=True)
    subprocess.run([*target, "--no-deps", "--editable", str(ROOT)], check=True)
    return python


def run_tests(python: Path, tests: str) -> str:
    """Run tests and return the counts that pytest prints last."""
    command = [str(python), "-m", "pytest", "-W", "default", "-W", "error::residuum.errors.ResiduumWarning"]
    variables = {**os.environ, "NUMBA_CACHE_DIR": str(ENVIRONMENT / "kernels")}
    quiet = ["-v", "-p", "no:cacheprovider", "--disable-warnings", "--no-header", "--tb=short"]
    done = subprocess.run([*command, *quiet, tests], cwd=ROOT, env=variables, stdout=subprocess.PIPE, text=True)
    counts = done.stdout.strip().splitlines()[-1].strip("= ").split(" in ")[0]
    if done.returncode:
        raise SystemExit(f"{done.stdout}\n{tests} fails with the oldest versions: {counts}")
    return ", ".join(count for count in counts.split(", ") if "warning" not in count)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tests", nargs="*", default=list(TESTS), help="tests to run")
    parser.add_argument("--output", type=Path, default=None, help="folder for oldest.md")
    options = parser.parse_args()
    if sentences := untrue_bounds():
        raise SystemExit("raise these lower bounds in pyproject.toml:\n" + "\n".join(sentences))
    versions = resolve(*EXTRAS)
    python = install(versions)
    direct = sorted({requirement.name.lower() for requirement in requirements(*EXTRAS)})
    lines = ["| package | version |", "| --- | --- |", f"| Python | {'.'.join(map(str, sys.version_info[:3]))} |"]
    lines += [f"| {name} | {versions[name]} |" for name in direct]
    lines += ["", "| tests | result |", "| --- | --- |"]
    for tests in options.tests:
        lines.append(f"| `{tests}` | {run_tests(python, tests)} |")
        print(lines[-1], file=sys.stderr, flush=True)
    report = "\n".join(lines)
    print(report)
    if options.output is not None:
        options.output.mkdir(parents=True, exist_ok=True)
        text = f"# Oldest allowed versions\n\n`python trust/oldest.py`\n\n{report}\n"
        (options.output / "oldest.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
