"""Workers that are killed in every stage, are slow or run out of memory, and a scheduler that is lost: same vectors."""

import contextlib
import logging
import multiprocessing
import os
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
from residuum.nulls import DegreeCorrectedSBM
from residuum.solvers import Block, Landmark, Likelihood

distributed = pytest.importorskip("distributed", reason="the [distributed] extra is not installed")
pytestmark = [
    pytest.mark.skipif("forkserver" not in multiprocessing.get_all_start_methods(), reason="needs processes that fork"),
    pytest.mark.filterwarnings("ignore:Exception ignored in. <function BaseEventLoop"),  # Dask leaves a loop open
]

GRAPH = datasets.planted_groups(400, 4, random_state=0)
PARAMETERS = {"n_components": 4, "window": 3, "solver": Landmark(n_landmarks=150), "random_state": 0}
PLAIN = PARAMETERS | {"shrinkage": 0.0, "scale": 1.0}
LABELS = {node: "abc"[node % 3] for node in range(400)}
CASES = {
    "landmarks": PLAIN,
    "erased labels": PARAMETERS | {"erase": LABELS},
    "blocks": PLAIN | {"solver": Block(n_clusters=12)},
    "likelihood": PARAMETERS
    | {
        "solver": Likelihood(n_sweeps=1, n_contexts=20),
        "null_model": DegreeCorrectedSBM(LABELS),
        "erase": "null",
        "erase_level": "distribution",
    },
}
STAGES = {
    "landmarks": [
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
    ],
    "erased labels": [
        "erased-columns",
        "erased-shares",
        "left-out-edges",
        "left-out-step",
        "left-out-sums",
        "erase-marginals",
    ],
    "blocks": ["features", "cluster-walk", "edge-corrections", "block-product", "combine-blocks"],
    "likelihood": [
        "weight-between-groups",
        "build-stripes",
        "undirected-step",
        "walk-contexts",
        "pass-walkers",
        "save-contexts",
        "measured-loss",
        "sweep-centers",
        "join-pieces",
        "cell-scatters",
        "turn-vectors",
        "exchange-places",
    ],
}


@pytest.fixture
def client() -> Iterator[Any]:
    """Return a client of a worker in this process."""
    settings = {"processes": False, "dashboard_address": ":0"}
    cluster = distributed.LocalCluster(n_workers=1, threads_per_worker=1, **settings)
    with cluster, distributed.Client(cluster) as client:
        yield client


@contextlib.contextmanager
def processes(n_workers: int, **settings: Any) -> Iterator[Any]:
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
            **settings,
        )
        with cluster, distributed.Client(cluster) as client:
            yield client
            wait_for_restarts(cluster)


def wait_for_restarts(cluster: Any, seconds: float = 60.0) -> None:
    """Wait until every killed worker runs again: Dask cannot close a cluster in the middle of a restart."""
    end = time.monotonic() + seconds
    while not all(runs(nanny) for nanny in cluster.workers.values()):
        assert time.monotonic() < end, "a worker was not restarted"
        time.sleep(0.05)


def runs(nanny: Any) -> bool:
    """Whether the nanny has started a worker and its process is alive, seen from outside: the nanny notices late."""
    import psutil
    from distributed.core import Status

    if nanny.pid is None or nanny.process.status != Status.running:
        return False
    try:
        return bool(psutil.Process(nanny.pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def fit_and_write(client: Any, folder: Path, **parameters: Any) -> Any:
    """Return the vectors that a cluster writes to a folder."""
    from residuum.distributed import DaskResidual2Vec

    model = DaskResidual2Vec(client=client, n_partitions=2, **parameters).fit(write_edges(GRAPH, folder / "edges"))
    model.vectors_.write(folder / "vectors")
    return read_vectors(folder / "vectors")["vector"]


@pytest.mark.parametrize("case", CASES)
def test_a_worker_killed_in_every_stage_does_not_change_the_vectors(tmp_path, case, monkeypatch):
    from distributed_faults import KillOnce

    # As many stripes as parts, so that walkers pass between them; and few rounds.
    monkeypatch.setattr("residuum.distributed.stripes._count", lambda cluster, grid, _: grid.n_parts)
    monkeypatch.setattr("residuum.distributed.flow.MOST_ROUNDS", 1)
    monkeypatch.setattr("residuum.residual.flow.MOST_ROUNDS", 1)
    # The iteration also on one machine, where so small a matrix would be dense.
    monkeypatch.setattr("residuum.residual.krylov._DENSE_SIZE", 0)
    monkeypatch.setattr("residuum.residual.krylov._DENSE_BLOCKS", 0)
    (tmp_path / "killed").mkdir()
    with processes(2) as client:
        client.register_plugin(KillOnce(STAGES[case], tmp_path / "killed"))
        vectors = fit_and_write(client, tmp_path, **CASES[case])
    assert {path.name for path in (tmp_path / "killed").iterdir()} == set(STAGES[case])
    local = Residual2Vec(**CASES[case]).fit(GRAPH)
    np.testing.assert_allclose(vectors, local.embedding_, atol=1e-4 * max(1.0, np.abs(local.embedding_).max()))


def test_a_slow_worker_does_not_change_the_vectors(tmp_path):
    from distributed_faults import SleepOften

    with processes(2) as client:
        client.register_plugin(SleepOften(tmp_path, seconds=0.1))
        vectors = fit_and_write(client, tmp_path, **PLAIN)
    assert int((tmp_path / "sleeping").read_text()) > 2
    np.testing.assert_allclose(vectors, Residual2Vec(**PLAIN).fit(GRAPH).embedding_, atol=1e-4)


def test_a_worker_that_the_nanny_restarts_for_its_memory_does_not_change_the_vectors(tmp_path):
    from distributed_faults import FillMemory

    limit = 700 << 20
    with processes(2, memory_limit=limit) as client:
        client.register_plugin(FillMemory("combine", tmp_path, limit))
        vectors = fit_and_write(client, tmp_path, **PLAIN)
        with pytest.raises(ProcessLookupError):
            os.kill(int((tmp_path / "filled").read_text()), 0)
        client.wait_for_workers(2, timeout=60)
    np.testing.assert_allclose(vectors, Residual2Vec(**PLAIN).fit(GRAPH).embedding_, atol=1e-4)


def test_a_task_that_ends_every_worker_is_an_error_that_names_partitions(tmp_path):
    from distributed_faults import KillOnce
    from residuum.distributed import DaskResidual2Vec

    (tmp_path / "killed").mkdir()
    with processes(1) as client:
        client.cluster.scheduler.allowed_failures = 1
        client.register_plugin(KillOnce(["gram"], tmp_path / "killed", always=True))
        model = DaskResidual2Vec(client=client, **PLAIN)
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
            if event.stage == "150 landmark columns" and event.done == 62:
                process.kill()

        with distributed.Client(address, timeout=2) as lost:
            model = DaskResidual2Vec(client=lost, checkpoint=tmp_path / "run", progress=kill_scheduler, **PLAIN)
            with pytest.raises(ClusterError, match=r"scheduler was lost in the stage .* run the same command again"):
                model.fit(edges)
    computed = []
    tasks = PartitionedSketch._tasks
    monkeypatch.setattr(PartitionedSketch, "_tasks", lambda self, tile: computed.append(tile) or tasks(self, tile))
    monkeypatch.setattr("residuum.distributed.graph._from_files", None)
    model.set_params(client=client, progress=None).fit(edges).vectors_.write(tmp_path / "vectors")
    assert computed[0] == (62, 93)
    local = Residual2Vec(**PLAIN).fit(GRAPH)
    np.testing.assert_allclose(read_vectors(tmp_path / "vectors")["vector"], local.embedding_, atol=1e-4)
