"""Environments of their own for tests with other versions of Python or of the dependencies."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
EXTRAS = ("graphs", "report", "index", "distributed")
TOOLS = ("pytest", "pytest-xdist", "hypothesis")
# Left out: benchmarks, docs and browser need software that is not installed; hostile and metamorphic take long.
TESTS = (
    *(
        f"tests/{room}"
        for room in ("_kernels", "graph", "walks", "nulls", "residual", "solvers", "models", "embedding")
    ),
    *(f"tests/{room}" for room in ("evaluation", "datasets", "integrations", "report", "selection", "cli")),
    *(f"tests/{room}" for room in ("baselines", "links", "reproduction", "distributed")),
    "tests/contract/test_null_models.py",
    "tests/contract/test_estimators.py",
    "tests/contract/test_sklearn.py",
)
NOT_RUN = "not run"
UV = (sys.executable, "-m", "uv", "--quiet")


def optional_requirements() -> dict[str, list[str]]:
    """Return the requirements of every extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["optional-dependencies"]


def requirements(*extras: str) -> list[Requirement]:
    """Return the direct requirements of the package and of some of its extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = optional_requirements()
    lines = [*project["dependencies"], *(line for name in extras for line in optional[name])]
    return [Requirement(line) for line in lines]


def install(folder: Path, interpreter: str, versions: dict[str, str]) -> Path:
    """Make an environment with these versions, the test tools and the package, and return its Python."""
    subprocess.run([*UV, "venv", "--clear", "--python", interpreter, str(folder)], check=True)
    python = folder / "bin" / "python"
    tools = [f"{name}=={version}" for name, version in pinned().items() if name in TOOLS]
    target = [*UV, "pip", "install", "--python", str(python)]
    subprocess.run([*target, *(f"{name}=={version}" for name, version in versions.items()), *tools], check=True)
    subprocess.run([*target, "--no-deps", "--editable", str(ROOT)], check=True)
    return python


def pinned() -> dict[str, str]:
    """Return the versions in constraints.txt."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split(";")[0].strip().split("==") for line in lines if "==" in line.split("#")[0])


def run_tests(python: Path, tests: str) -> str:
    """Run tests and return the counts that pytest prints last; failures end the program."""
    command = [str(python), "-m", "pytest", "-W", "default", "-W", "error::residuum.errors.ResiduumWarning"]
    variables = {**os.environ, "NUMBA_CACHE_DIR": str(python.parents[1] / "kernels")}
    quiet = ["-v", "-p", "no:cacheprovider", "--disable-warnings", "--no-header", "--tb=short"]
    done = subprocess.run([*command, *quiet, tests], cwd=ROOT, env=variables, stdout=subprocess.PIPE, text=True)
    counts = done.stdout.strip().splitlines()[-1].strip("= ").split(" in ")[0]
    if done.returncode:
        raise SystemExit(f"{done.stdout}\n{tests} fails with {python.parents[1].name}: {counts}")
    return ", ".join(count for count in counts.split(", ") if "warning" not in count)


def command_line(script: str, tests: list[str], *options: str) -> str:
    """Return the command of a run, with the tests that were chosen if they are not the whole list."""
    return " ".join(["python", script, *options, *(tests if tests != list(TESTS) else [])])


def write_record(folder: Path | None, name: str, text: str) -> None:
    """Write a result file, also of a run that has not ended yet, where tests to come have no counts."""
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
