"""Correlations between the ends of an edge on a cluster are those of one machine."""

import numpy as np
import pytest

from residuum.distributed.landmark import solve_landmarks
from residuum.distributed.left_out import PartitionedEnds
from residuum.distributed.matrix import PartitionedMatrix, PartitionedWindow
from residuum.nulls import Configuration
from residuum.residual import ResidualMatrix
from residuum.residual.left_out_ends import LocalEnds
from residuum.solvers import Landmark, Workspace
from residuum.walks import WindowProbabilities, neighbor_degree


@pytest.mark.filterwarnings("ignore:the graph has")
@pytest.mark.parametrize("weighting", [0.0, 0.5])
def test_quotients_and_degree_of_neighbors_are_those_of_one_machine(build, graph, weighting):
    partitioned, solver = build(graph), Landmark(n_landmarks=120)
    nulls = Configuration().fit(graph, 3), Configuration().fit(partitioned, 3)
    local = ResidualMatrix(WindowProbabilities(graph, 3), nulls[0], -2.0, weighting)
    matrix = PartitionedMatrix(PartitionedWindow(partitioned, 3), nulls[1], -2.0, weighting)
    factors = solver.solve(local, 5, Workspace(1 << 30, np.random.default_rng(3))).factors
    ends = PartitionedEnds(matrix, solve_landmarks(matrix, 5, solver, np.random.default_rng(3), None))
    np.testing.assert_allclose(ends.quotients(), LocalEnds(local, factors).quotients(), atol=1e-3)
    assert neighbor_degree(partitioned) == pytest.approx(neighbor_degree(graph))
