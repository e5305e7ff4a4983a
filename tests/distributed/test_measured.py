import numpy as np
import pytest

from residuum.distributed.likelihood import prepare_likelihood
from residuum.distributed.matrix import PartitionedMatrix, PartitionedWindow
from residuum.distributed.measured import Measured
from residuum.distributed.pieces import pieces_of
from residuum.nulls import DegreeCorrectedSBM
from residuum.residual import Likelihood, ResidualMatrix
from residuum.walks import WindowProbabilities


def test_the_loss_is_that_of_one_machine(build, graph):
    labels = {node: k % 3 for k, node in enumerate(graph.node_ids.tolist())}
    partitioned = build(graph)
    nulls = (DegreeCorrectedSBM(labels).fit(graph, 4), DegreeCorrectedSBM(labels).fit(partitioned, 4))
    local = Likelihood(ResidualMatrix(WindowProbabilities(graph, 4), nulls[0], -2.0), 30)
    matrix = PartitionedMatrix(PartitionedWindow(partitioned, 4), nulls[1], -2.0)
    grid, cluster = matrix.part.grid, partitioned.cluster
    measured = Measured.of(cluster, prepare_likelihood(matrix, 30, pieces_of(cluster, grid)))
    u, v = np.random.default_rng(0).standard_normal((2, graph.n_nodes, 3)).astype(np.float32)
    for name, vectors in (("u", u), ("v", v)):
        for part in range(3):
            grid.stages.save(f"{name}-{part}", vectors[grid.nodes(part)])
    assert measured.loss("u", "v") == pytest.approx(local.loss(u, v), rel=1e-5)
