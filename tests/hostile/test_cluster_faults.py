"""Workers that are killed in every stage, workers that keep dying, and a scheduler that is lost: same vectors."""

import contextlib
import logging
import multiprocessing
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from distributed_cases import read_vectors, write_edges
from residuum import Residual2Vec, datasets
from residuum.errors import ClusterError
from residuum.solvers import Landmark

distributed = pytest.importorskip("distributed", reason="the [distributed] extra is not installed")
pytestmark = [
    pytest.mark.skipif("forkserver" not in multiprocessing.get_all_start_methods(), reason="needs processes that fork"),
    pytest.mark.filterwarnings("ignore:Exception ignored in. <function BaseEventLoop"),  # Dask leaves a loop open
]

GRAPH = datasets.planted_groups(400, 4, random_state=0)
PARAMETERS = {"n_components": 4, "window": 3, "solver": Landmark(n_landmarks=150), "random_state": 0}
STAGES = [
    "read-edges",
    "sort-nodes",
    "node-ids",
    "distribute-edges",
    "build-blocks",
    "strengths",
    "walk-step",
    "finish-tile",
    "gram",
    "landmark-rows",
    "combine",
    "extremes",
    "write-vectors",
]


@pytest.fixture
def client() -> Iterator[Any]:
    """Return a client of a worker in this process."""
    settings = {"processes": False, "dashboard_address": ":0"}
    cluster = distributed.LocalCluster(n_workers=1, threads_per_worker=1, **settings)
    with cluster, distributed.Client(cluster) as client:
        yield client


@contextlib.contextmanager
def processes(n_workers: int) -> Iterator[Any]:
    """Start workers as processes, each restarted when it dies; quickly, from a process that has imported all."""
    import dask
    from distributed.utils import get_mp_context

    with dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"}):
        get_mp_context().set_forkserver_preload(["distributed", "distributed_faults", "residuum.distributed.estimator"])
        cluster = distributed.LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address=":0",
            silence_logs=logging.CRITICAL,
        )
        with cluster, distributed.Client(cluster) as client:
            yield client


def test_a_worker_killed_in_every_stage_does_not_change_the_vectors(tmp_path):
    from distributed_faults import KillOnce
    from residuum.distributed import DaskResidual2Vec

    (tmp_path / "killed").mkdir()
    with processes(2) as client:
        client.register_plugin(KillOnce(STAGES, tmp_path / "killed"))
        model = DaskResidual2Vec(client=client, n_partitions=3, **PARAMETERS).fit(
            write_edges(GRAPH, tmp_path / "edges")
        )
        model.vectors_.write(tmp_path / "vectors")
    assert {path.name for path in (tmp_path / "killed").iterdir()} == set(STAGES)
    local = Residual2Vec(**PARAMETERS, shrinkage=0.0, scale=1.0).fit(GRAPH)
    np.testing.assert_allclose(read_vectors(tmp_path / "vectors")["vector"], local.embedding_, atol=1e-4)


def test_a_task_that_ends_every_worker_is_an_error_that_names_partitions(tmp_path):
    from distributed_faults import KillOnce
    from residuum.distributed import DaskResidual2Vec

    (tmp_path / "killed").mkdir()
    with processes(1) as client:
        client.cluster.scheduler.allowed_failures = 1
        client.register_plugin(KillOnce(["gram"], tmp_path / "killed", always=True))
        model = DaskResidual2Vec(client=client, **PARAMETERS)
        with pytest.raises(ClusterError, match=r"stage 'gram' ended 2 workers .* use more partitions"):
            model.fit(write_edges(GRAPH, tmp_path / "edges"))


# A scheduler and a worker in one process, which writes the address of the scheduler to a file.
SCHEDULER = """
import sys, time
from pathlib import Path
from distributed import LocalCluster
cluster = LocalCluster(n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=":0")
Path(sys.argv[1]).with_suffix(".new").write_text(cluster.scheduler_address)
Path(sys.argv[1]).with_suffix(".new").rename(sys.argv[1])
time.sleep(600)
"""


@contextlib.contextmanager
def scheduler_process(file: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    process = subprocess.Popen([sys.executable, "-c", SCHEDULER, str(file)], stderr=subprocess.DEVNULL)
    try:
        while not file.exists():
            assert process.poll() is None
            time.sleep(0.05)
        yield process, file.read_text()
    finally:
        process.kill()
        process.wait()


def test_after_the_scheduler_is_killed_a_run_resumes_from_the_last_stage(client, tmp_path, monkeypatch):
    from residuum.distributed import DaskResidual2Vec
    from residuum.distributed.sketch import PartitionedSketch

    monkeypatch.setattr("residuum.distributed.sketch._WIDEST", 32)
    edges = write_edges(GRAPH, tmp_path / "edges")
    with scheduler_process(tmp_path / "address") as (process, address):

        def kill_scheduler(event: Any) -> None:
            if event.stage == "150 landmark columns" and event.done == 64:
                process.kill()

        with distributed.Client(address, timeout=2) as lost:
            model = DaskResidual2Vec(client=lost, checkpoint=tmp_path / "run", progress=kill_scheduler, **PARAMETERS)
            with pytest.raises(ClusterError, match=r"scheduler was lost in the stage .* run the same command again"):
                model.fit(edges)
    computed = []
    tasks = PartitionedSketch._tasks
    monkeypatch.setattr(PartitionedSketch, "_tasks", lambda self, tile: computed.append(tile) or tasks(self, tile))
    monkeypatch.setattr("residuum.distributed.graph._from_files", None)
    model.set_params(client=client, progress=None).fit(edges).vectors_.write(tmp_path / "vectors")
    assert computed[0] == (64, 96)
    local = Residual2Vec(**PARAMETERS, shrinkage=0.0, scale=1.0).fit(GRAPH)
    np.testing.assert_allclose(read_vectors(tmp_path / "vectors")["vector"], local.embedding_, atol=1e-4)
