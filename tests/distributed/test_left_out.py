"""Left-out edges on a cluster are scored as on one machine."""

import numpy as np
import pytest

from residuum.distributed.landmark import solve_landmarks
from residuum.distributed.left_out import PartitionedEnds
from residuum.distributed.matrix import PartitionedMatrix, PartitionedWindow
from residuum.nulls import Configuration, ErdosRenyi
from residuum.residual import ResidualMatrix, build_erasure, leave_out
from residuum.residual.left_out import left_out_pairs
from residuum.residual.left_out_ends import sample_edges
from residuum.solvers import Landmark, Workspace
from residuum.walks import WindowProbabilities

CASES = {
    "symmetric": ("graph", Configuration(), None),
    "general": ("graph", ErdosRenyi(), None),
    "directed": ("directed_graph", Configuration(), None),
    "erased": ("graph", Configuration(), "degree"),
}


@pytest.mark.filterwarnings("ignore:the graph has")
@pytest.mark.parametrize("case", CASES)
def test_scores_of_left_out_edges_are_those_of_one_machine(build, request, case, monkeypatch):
    monkeypatch.setattr("residuum.residual.left_out._MOST_EDGES", 60)
    monkeypatch.setattr("residuum.residual.left_out._FEWEST_EDGES", 60)
    name, model, erase = CASES[case]
    graph = request.getfixturevalue(name)
    graph = graph.subgraph((graph.in_strength > 0) | (graph.out_strength > 0))
    partitioned, solver = build(graph), Landmark(n_landmarks=120)
    nulls = model.fit(graph, 3), model.fit(partitioned, 3)
    erasures = (build_erasure(side, erase, null) for side, null in zip((graph, partitioned), nulls, strict=True))
    local = ResidualMatrix(WindowProbabilities(graph, 3), nulls[0], -2.0, 0.5, next(erasures))
    matrix = PartitionedMatrix(PartitionedWindow(partitioned, 3), nulls[1], -2.0, 0.5, next(erasures))
    factors = solver.solve(local, 5, Workspace(1 << 30, np.random.default_rng(3))).factors
    expected = leave_out(local, factors)
    found = left_out_pairs(PartitionedEnds(matrix, solve_landmarks(matrix, 5, solver, np.random.default_rng(3), None)))
    for field in ("values", "edges", "matched", "uniform", "edges_null", "uniform_null", "leakage"):
        values = getattr(expected, field)
        np.testing.assert_allclose(getattr(found, field), values, atol=2e-3 * np.abs(values).max(), err_msg=field)


@pytest.mark.parametrize("kind", ["graph", "directed_graph"])
def test_the_same_edges_are_left_out(build, request, kind):
    graph = request.getfixturevalue(kind)
    graph = graph.subgraph((graph.in_strength > 0) | (graph.out_strength > 0))
    partitioned = build(graph)
    matrix = PartitionedMatrix(PartitionedWindow(partitioned, 3), Configuration().fit(partitioned, 3), -2.0)
    ends = PartitionedEnds.__new__(PartitionedEnds)
    ends._graph, ends._grid, ends._cluster = partitioned, matrix.part.grid, partitioned.cluster
    expected = sample_edges(graph, 40, np.random.default_rng(1))
    np.testing.assert_array_equal(ends.sample(40, np.random.default_rng(1)), expected)
    i, j = np.random.default_rng(2).integers(graph.n_nodes, size=(2, 300))
    i[:40], j[:40] = expected.T
    present = np.asarray(graph.adjacency[i, j]).ravel() != 0
    np.testing.assert_array_equal(ends.is_edge(i, j), present)
    assert present[:40].all()
