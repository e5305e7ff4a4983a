import numpy as np
import pytest

from residuum.distributed import sweeps as module
from residuum.distributed.matrix import PartitionedMatrix, PartitionedWindow
from residuum.distributed.sweeps import PartitionedSweeps
from residuum.nulls import Configuration
from residuum.residual import Likelihood, ResidualMatrix, Sweeps
from residuum.walks import WindowProbabilities


@pytest.fixture
def case(build, graph):
    """Return sweeps on one machine and on a cluster, and a starting point."""
    partitioned = build(graph, 2)
    local = ResidualMatrix(WindowProbabilities(graph, 4), Configuration().fit(graph, 4), -2.0)
    matrix = PartitionedMatrix(PartitionedWindow(partitioned, 4), Configuration().fit(partitioned, 4), -2.0)
    start = np.random.default_rng(0).standard_normal((graph.n_nodes, 3)).astype(np.float32)
    for part in range(2):
        matrix.part.grid.stages.save(f"start-{part}", start[matrix.part.grid.nodes(part)])
    steps = (1.2, 0.9)
    distributed = PartitionedSweeps(matrix, 30, 2, 0.1, first_steps=steps)
    return Sweeps(Likelihood(local, 30), 2, 0.1, first_steps=steps), distributed, start


def vectors(sweeps, name):
    return np.concatenate([sweeps.grid.stages.load(f"{name}-{part}") for part in range(2)])


def test_sweeps_are_those_of_one_machine_and_resume_after_the_last(case, monkeypatch):
    local, sweeps, start = case
    events = []
    names, losses = sweeps.run("start", "start", 5, events.append)
    expected = local.run(start, start, seed=5)
    np.testing.assert_allclose(losses, expected.losses, rtol=1e-5)
    for name, side in zip(names, (expected.u, expected.v), strict=True):
        np.testing.assert_allclose(vectors(sweeps, name), side, atol=1e-4)
    assert events[-1].stage == "sweeps"
    assert {path.name for path in sweeps.grid.stages.folder.glob("u-*")} == {"u-2-0.npy", "u-2-1.npy"}
    monkeypatch.setattr(PartitionedSweeps, "_half_sweep", None)
    assert sweeps.run("start", "start", 5, None) == (names, losses)


def test_a_starting_point_that_no_sweep_improves_is_returned(case, monkeypatch):
    _, sweeps, _ = case
    monkeypatch.setattr(module.Measured, "loss", lambda self, u, v: 1.0)
    assert sweeps.run("start", "start", 5, None) == (("start", "start"), [1.0, 1.0, 1.0])
