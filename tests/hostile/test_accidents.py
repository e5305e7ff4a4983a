"""Accidents of real processes: signals, full disks, limits, two writers and a clock that jumps."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from residuum import Embedding, datasets
from residuum.graph import write_graph

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs signals and limits of Linux")

# Runs the command line with limits of the process, and with a clock that jumps back and forth.
_LIMITED = """
import json, os, resource, sys, time
limits, jumps = json.loads(sys.argv[1]), float(sys.argv[2])
for name, value in limits.items():
    resource.setrlimit(getattr(resource, name), (value, value))
if jumps:
    true_time, true_count = time.time, [0]
    def jumping():
        true_count[0] += 1
        return true_time() + jumps * (-1) ** true_count[0]
    time.time = jumping
from residuum.cli import main
sys.argv = ["residuum", *sys.argv[3:]]
main()
"""


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "residuum", *map(str, arguments)]


def limited(limits: str, jumps: float, *arguments: object) -> list[str]:
    return [sys.executable, "-c", _LIMITED, limits, str(jumps), *map(str, arguments)]


def run(line: list[str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(line, capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("graph") / "graph.r2g"
    write_graph(datasets.planted_groups(2500, 5, random_state=0), path)
    return path


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_at_any_moment_keeps_the_old_file_or_completes_the_new_one(
    number: signal.Signals, code: int, graph: Path, tmp_path: Path
) -> None:
    output = tmp_path / "vectors.npz"
    old = Embedding(np.arange(3), np.eye(3, dtype=np.float32))
    line = command("embed", graph, "-o", output, "--overwrite", "--dim", 16, "--solver", "exact", "--seed", 0)
    codes = []
    for delay in (0.6, 1.2, 1.8, 2.4):
        old.save(output, overwrite=True)
        with subprocess.Popen(line, stderr=subprocess.PIPE, text=True) as process:
            time.sleep(delay)
            process.send_signal(number)
            _, errors = process.communicate(timeout=120)
        codes.append(process.returncode)
        assert "Traceback" not in errors
        assert len(Embedding.load(output)) in (3, 2500)
        assert names(tmp_path) <= {"vectors.npz", "vectors.npz.json"}
    assert set(codes) <= {code, -number, 0}


def test_a_full_disk_keeps_the_old_file_and_leaves_no_temporary(graph: Path, tmp_path: Path) -> None:
    output = tmp_path / "vectors.npz"
    old = Embedding(np.arange(3), np.eye(3, dtype=np.float32))
    old.save(output)
    line = limited('{"RLIMIT_FSIZE": 20000}', 0, "embed", graph, "-o", output, "--overwrite", "--dim", 16)
    result = run(line)
    assert (result.returncode, "Traceback" in result.stderr) == (1, False)
    assert "error: " in result.stderr
    assert Embedding.load(output) == old
    assert names(tmp_path) == {"vectors.npz"}


def test_a_folder_that_cannot_be_written_is_refused_before_any_work(graph: Path) -> None:
    result = run(command("embed", graph, "-o", "/proc/vectors.npz"))
    assert result.returncode != 0
    assert "Traceback" not in result.stderr
    assert "/proc" in result.stderr


def test_a_graph_that_vanishes_during_the_run_does_not_harm(graph: Path, tmp_path: Path) -> None:
    write_graph(datasets.planted_groups(2500, 5, random_state=0), tmp_path / "gone.r2g")
    line = command("embed", tmp_path / "gone.r2g", "-o", tmp_path / "gone.npz", "--solver", "exact", "--seed", 0, "-v")
    with subprocess.Popen(line, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert any("2500 nodes" in line for line in process.stderr)  # read up to the graph
        for file in (tmp_path / "gone.r2g").iterdir():
            file.unlink()
        _, errors = process.communicate(timeout=120)
    assert "Traceback" not in errors
    assert process.returncode in (0, 1)
    assert (process.returncode == 0) == (tmp_path / "gone.npz").exists()


def test_two_processes_that_write_one_file_leave_one_complete_file(graph: Path, tmp_path: Path) -> None:
    output = tmp_path / "vectors.npz"
    lines = [command("embed", graph, "-o", output, "--overwrite", "--dim", 8, "--seed", seed) for seed in (1, 2)]
    processes = [subprocess.Popen(line, stderr=subprocess.PIPE, text=True) for line in lines]
    outcomes = [(process.communicate(timeout=120)[1], process.returncode) for process in processes]
    assert [code for _, code in outcomes] == [0, 0], outcomes
    assert len(Embedding.load(output)) == 2500
    assert names(tmp_path) <= {"vectors.npz", "vectors.npz.json"}


def test_a_clock_that_jumps_does_not_change_the_vectors(graph: Path, tmp_path: Path) -> None:
    for name, jumps in (("steady", 0.0), ("jumping", 1e6)):
        line = limited("{}", jumps, "embed", graph, "-o", tmp_path / f"{name}.npz", "--dim", 8, "--seed", 0)
        result = run(line)
        assert result.returncode == 0, result.stderr
    steady, jumping = (Embedding.load(tmp_path / f"{name}.npz") for name in ("steady", "jumping"))
    np.testing.assert_array_equal(steady.vectors, jumping.vectors)


@pytest.mark.parametrize("limits", ['{"RLIMIT_NOFILE": 40}', '{"RLIMIT_CORE": 0, "RLIMIT_STACK": 8388608}'])
def test_few_open_files_and_a_small_stack_suffice(limits: str, graph: Path, tmp_path: Path) -> None:
    line = limited(
        limits, 0, "embed", graph, "-o", tmp_path / "vectors.npz", "--dim", 8, "--checkpoint", tmp_path / "run"
    )
    result = run(line)
    assert result.returncode == 0, result.stderr
    assert len(Embedding.load(tmp_path / "vectors.npz")) == 2500


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_refused_before_any_work(graph: Path, tmp_path: Path) -> None:
    folder = tmp_path / "fixed"
    folder.mkdir(mode=0o555)
    result = run(command("embed", graph, "-o", folder / "vectors.npz"))
    assert (result.returncode, "Traceback" in result.stderr) == (1, False)
