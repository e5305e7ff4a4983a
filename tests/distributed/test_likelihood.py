import itertools

import numpy as np
import pytest

from residuum.distributed.likelihood import prepare_likelihood
from residuum.distributed.matrix import PartitionedMatrix, PartitionedWindow
from residuum.distributed.pieces import Piece
from residuum.nulls import Configuration
from residuum.residual import Likelihood, ResidualMatrix
from residuum.residual.newton import NewtonStep
from residuum.walks import WindowProbabilities

WINDOW = np.array([0.4, 0.3, 0.2, 0.1])


@pytest.fixture(params=["graph", "directed_graph"])
def likelihoods(build, request):
    """Return the local likelihood, and the one on a cluster with one piece that straddles no chunk."""
    graph = request.getfixturevalue(request.param)
    graph = graph.subgraph((graph.in_strength > 0) | (graph.out_strength > 0))
    partitioned = build(graph)
    local = ResidualMatrix(WindowProbabilities(graph, WINDOW), Configuration().fit(graph, WINDOW), -2.0)
    matrix = PartitionedMatrix(PartitionedWindow(partitioned, WINDOW), Configuration().fit(partitioned, WINDOW), -2.0)
    grid = matrix.part.grid
    middle = (grid.bounds[1] + grid.bounds[2]) // 2
    bounds = sorted([*grid.bounds, middle])
    parts = [0, 1, 1, 2]
    pieces = tuple(Piece(part, *span) for part, span in zip(parts, itertools.pairwise(bounds), strict=True))
    return Likelihood(local, 30, 60), prepare_likelihood(matrix, 30, pieces), partitioned.cluster


@pytest.mark.filterwarnings("ignore:the graph has")
@pytest.mark.parametrize("side", ["centers", "contexts"])
def test_vectors_move_as_on_one_machine(likelihoods, side):
    local, part, cluster = likelihoods
    grid, rng = part.walks.grid, np.random.default_rng(0)
    X, Y = (rng.standard_normal((grid.n_nodes, 3)).astype(np.float32) for _ in "xy")
    for name, matrix in (("x", X), ("y", Y)):
        for number in range(3):
            grid.stages.save(f"{name}-{number}", matrix[grid.nodes(number)])
    cluster.compute("walks", [batch.tasks for batch in part.batches(side, "pairs", 9)])
    names, step = ("x", "y", "pairs"), NewtonStep.of(1000 * np.eye(3), 1.0, 0.75)
    moved = np.concatenate([part.moved(side, piece, names, 9, step, 0.0) for piece in part.pieces])
    local.columns = part.columns
    draws = local.draws(side, 9)
    gradient = np.concatenate([local.gradient(side, rows, X, Y, draws) for rows in local.chunks()])
    np.testing.assert_allclose(moved, X + 0.75e-3 * gradient, rtol=1e-6, atol=1e-6)


@pytest.mark.filterwarnings("ignore:the graph has")
def test_the_curvature_is_that_of_one_machine(likelihoods):
    local, part, _ = likelihoods
    grid = part.walks.grid
    Y = np.random.default_rng(0).standard_normal((grid.n_nodes, 3)).astype(np.float32)
    for number in range(3):
        grid.stages.save(f"y-{number}", Y[grid.nodes(number)])
    for side, weights in (("centers", "marginal"), ("contexts", "shares")):
        moments = sum(part.moments(number, "y", weights) for number in range(3))
        np.testing.assert_allclose(moments[:-1], local.curvature(side, Y), rtol=1e-4, atol=1e-6)
        assert moments[-1, 0] == pytest.approx(np.sum(Y.astype(float) ** 2))
