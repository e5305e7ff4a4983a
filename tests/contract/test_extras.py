"""The package works without any of its extras."""

import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SCRIPT = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in EXTRAS:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Refuse())
import residuum
from residuum.cli.main import main
assert residuum.Residual2Vec(2, random_state=0).fit(residuum.datasets.karate_club()).embedding_.shape == (34, 2)
for words in (["--help"], ["--version"], ["nulls"], ["methods"], ["plan", "edges.csv"],
              ["embed", "edges.csv", "-o", "vectors.npz", "--dim", "2", "--quiet"],
              ["similar", "vectors.npz", "a"]):
    try:
        main(words)
    except SystemExit as leave:
        assert not leave.code, words
"""


def names(lines):
    return {canonicalize_name(Requirement(line).name) for line in lines}


def test_import_and_light_commands_need_no_extra(tmp_path):
    core = names(PROJECT["dependencies"])
    extras = names(line for lines in PROJECT["optional-dependencies"].values() for line in lines) - core
    modules = {
        module
        for module, distributions in packages_distributions().items()
        if extras & {canonicalize_name(name) for name in distributions}
    }
    assert {"networkx", "pandas", "matplotlib"} & modules
    (tmp_path / "edges.csv").write_text("source,target\na,b\nb,c\nc,a\nc,d\n")
    command = [sys.executable, "-c", f"EXTRAS = {modules!r}\n{SCRIPT}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
