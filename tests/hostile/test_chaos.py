"""A short share of the chaos run; `make chaos` is the whole."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "trust" / "chaos.py"


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork and POSIX signals")
def test_killed_and_resumed_runs_have_the_bits_of_undisturbed_ones() -> None:
    cases = ["--case", "landmark", "--case", "block", "--case", "likelihood"]
    line = [sys.executable, str(SCRIPT), "--kills", "9", *cases]
    result = subprocess.run(line, capture_output=True, text=True, timeout=600)
    assert result.returncode == 0, result.stderr
    assert "every completed run has the bits of an undisturbed run" in result.stdout
