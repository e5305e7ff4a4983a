import numpy as np
import pytest

from residuum.distributed.landmark import solve_landmarks
from residuum.distributed.matrix import PartitionedMatrix, PartitionedWindow
from residuum.errors import InvalidParameterError
from residuum.nulls import Configuration
from residuum.residual import ResidualMatrix
from residuum.solvers import Landmark, Workspace
from residuum.walks import WindowProbabilities


@pytest.fixture
def matrices(build, graph):
    partitioned = build(graph)
    local = ResidualMatrix(WindowProbabilities(graph, 3), Configuration().fit(graph, 3), -2.0)
    return local, PartitionedMatrix(PartitionedWindow(partitioned, 3), Configuration().fit(partitioned, 3), -2.0)


def test_factors_error_and_number_of_landmarks_are_those_of_the_local_solver(matrices):
    local, partitioned = matrices
    solver = Landmark(n_landmarks=120)
    expected = solver.solve(local, 6, Workspace(1 << 30, np.random.default_rng(3)))
    factors = solve_landmarks(partitioned, 6, solver, np.random.default_rng(3), None)
    np.testing.assert_allclose(factors.values, expected.singular_values, rtol=1e-5)
    assert factors.error == pytest.approx(expected.error, rel=1e-3)
    assert factors.details == {"n_landmarks": 120}
    stages = partitioned.part.grid.stages
    left = np.concatenate([stages.load(f"left-{part}") for part in range(3)]) * factors.left_signs
    np.testing.assert_allclose(left, expected.factors.left, atol=1e-4)


def test_a_graph_with_fewer_nodes_than_landmarks_is_refused(matrices):
    with pytest.raises(InvalidParameterError, match="needs more nodes than landmarks; the graph has 400 nodes"):
        solve_landmarks(matrices[1], 6, Landmark(), np.random.default_rng(0), None)


def test_progress_is_reported(matrices):
    events = []
    solve_landmarks(matrices[1], 6, Landmark(n_landmarks=60), np.random.default_rng(0), events.append)
    assert {event.stage for event in events} == {"60 landmark columns", "factors"}
    columns = [event for event in events if event.stage.startswith("60")]
    assert columns[-1].done == columns[-1].total == 76
