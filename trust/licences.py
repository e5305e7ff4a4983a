"""List the license of every package that residuum and its extras install."""

import argparse
import importlib.metadata
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]


def installed_by(lines: Iterable[str]) -> dict[str, importlib.metadata.Distribution]:
    """Return the distributions that requirements install, those of their own requirements included."""
    distributions: dict[str, importlib.metadata.Distribution] = {}
    waiting = [(line, "") for line in lines]
    seen = set()
    while waiting:
        line, extra = waiting.pop()
        requirement = Requirement(line)
        name = canonicalize_name(requirement.name)
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": extra}):
            continue
        try:
            distributions[name] = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError as error:
            raise SystemExit(f"{name} is not installed: run make licences") from error
        for wanted in ("", *requirement.extras):
            if (name, wanted) not in seen:
                seen.add((name, wanted))
                waiting += [(line, wanted) for line in distributions[name].requires or ()]
    return distributions


def license_of(distribution: importlib.metadata.Distribution) -> str:
    """Return the license that a package states: an SPDX expression, classifiers, or the first line of a text."""
    metadata = distribution.metadata
    if expression := metadata.get("License-Expression"):
        return expression
    classifiers = [line.split(" :: ")[-1] for line in metadata.get_all("Classifier") or () if "License ::" in line]
    if classifiers:
        return ", ".join(sorted(classifiers))
    return next(iter((metadata.get("License") or "not stated").strip().splitlines()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--extra", action="append", help="list only this extra (repeatable; default: all)")
    parser.add_argument("--output", type=Path, default=None, help="folder for licences.md")
    options = parser.parse_args()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    core = installed_by(project["dependencies"])
    rows = [("residuum", name, core[name]) for name in sorted(core)]
    for extra in options.extra or project["optional-dependencies"]:
        found = installed_by(project["optional-dependencies"][extra])
        rows += [(f"[{extra}]", name, found[name]) for name in sorted(found) if name not in core]
    lines = ["| installed by | package | version | license |", "| --- | --- | --- | --- |"]
    for installer, name, distribution in rows:
        lines.append(
            f"| {installer} | {name} | {distribution.version} | {re.sub(r'[|`]', ' ', license_of(distribution))} |"
        )
    report = "\n".join(lines)
    print(report)
    if options.output is not None:
        options.output.mkdir(parents=True, exist_ok=True)
        text = f"# Licenses of dependencies\n\n`python trust/licences.py`\n\n{report}\n"
        (options.output / "licences.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
