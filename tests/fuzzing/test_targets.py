"""Every reader on what fuzzing found, and on a few changed files; ``make fuzz`` tries millions."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import residuum
from fuzzing import replay
from fuzzing.targets import TARGETS

CHANGED = 30


@pytest.fixture(scope="module")
def outcomes() -> dict[str, dict[str, int]]:
    """Return how often each target accepted and refused a file; a crash or a foreign exception is an error."""
    source = Path(residuum.__file__).parents[1]
    command = [sys.executable, replay.__file__, str(CHANGED), *TARGETS]
    ended = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": str(source)}, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, "\n".join([*ended.stdout.splitlines()[-1:], ended.stderr[-3000:]])
    counts: dict[str, dict[str, int]] = json.loads(ended.stdout.splitlines()[-1])
    return counts


@pytest.mark.parametrize("name", TARGETS)
def test_changed_files_are_read_or_refused(outcomes: dict[str, dict[str, int]], name: str) -> None:
    changed = [outcomes[name].get(f"changed: {outcome}", 0) for outcome in ("result", "refused")]
    assert sum(changed) == CHANGED


def test_most_targets_accept_some_of_the_changed_files(outcomes: dict[str, dict[str, int]]) -> None:
    accepted = [name for name in TARGETS if outcomes[name].get("changed: result", 0)]
    # Changes that are all refused would test the header only.
    assert len(accepted) > len(TARGETS) / 2


@pytest.mark.parametrize("name", [name for name in TARGETS if name != "config"])
def test_the_first_file_of_a_target_is_valid(outcomes: dict[str, dict[str, int]], name: str) -> None:
    assert outcomes[name]["valid: result"] == 1
