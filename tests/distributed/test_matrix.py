import numpy as np
import pytest

from residuum.distributed.matrix import PartitionedMatrix, PartitionedWindow
from residuum.nulls import Configuration, DegreeCorrectedSBM, ErdosRenyi
from residuum.residual import ResidualMatrix
from residuum.walks import WindowProbabilities


def tile_of(matrix, part, tile, nodes, side):
    return tile


NULLS = {
    "configuration": Configuration(),
    "erdos-renyi": ErdosRenyi(),
    "dcsbm": lambda graph: DegreeCorrectedSBM(
        dict(zip(graph.node_ids.tolist(), np.arange(graph.n_nodes) % 3, strict=True))
    ),
}


@pytest.mark.parametrize("kind", NULLS)
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("side", ["columns", "rows"])
def test_tiles_are_those_of_the_local_matrix(build, cluster, graph, directed_graph, kind, directed, side):
    original = directed_graph if directed else graph
    original = original.subgraph((original.in_strength > 0) | (original.out_strength > 0))
    null = NULLS[kind](original) if callable(NULLS[kind]) else NULLS[kind]
    window = np.array([0.5, 0.3, 0.2])
    local = ResidualMatrix(WindowProbabilities(original, window), null.fit(original, window), -2.0, 0.5)
    partitioned = build(original)
    matrix = PartitionedMatrix(
        PartitionedWindow(partitioned, window), null.fit(partitioned, window), floor=-2.0, weighting=0.5
    )
    nodes = np.array([3, 200, 77])
    parts = cluster.compute("tile", [lambda: matrix.part.tile(nodes, side, tile_of)])[0]
    expected = local.columns(nodes) if side == "columns" else local.rows(nodes).T
    np.testing.assert_allclose(np.concatenate(parts), expected, atol=2e-5)
    assert matrix.symmetric == local.symmetric
    assert matrix.resolution == pytest.approx(local.resolution)
