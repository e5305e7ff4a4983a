"""Every reader on every hostile file: a result or a ``ResiduumError``, within 512 MiB and without hanging."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import residuum
from hostile import runner
from hostile.cases import cases

CASES = {name: (file, content) for name, file, content in cases()}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """Return what each step of each case ended with."""
    folder = tmp_path_factory.mktemp("hostile")
    for name, (file, content) in CASES.items():
        path = folder / "cases" / name / file
        path.parent.mkdir(parents=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
            continue
        path.mkdir()
        for part, data in content.items():
            (path / part).write_bytes(data)
    source = Path(residuum.__file__).parents[1]
    command = [sys.executable, runner.__file__, str(folder / "cases"), str(folder / "results.json")]
    subprocess.run(command, check=True, env=os.environ | {"PYTHONPATH": str(source), "OMP_NUM_THREADS": "1"})
    loaded: dict[str, dict[str, str]] = json.loads((folder / "results.json").read_text())
    return loaded


def test_the_table_has_at_least_300_hostile_files() -> None:
    assert sum(name.startswith("hostile-") for name in CASES) >= 300


@pytest.mark.parametrize("name", CASES)
def test_a_file_is_read_or_refused(results: dict[str, dict[str, str]], name: str) -> None:
    expected = {"result"} if name.startswith("valid-") else {"result", "refused"}
    assert {step: result for step, result in results[name].items() if result not in expected} == {}
    assert results[name]
