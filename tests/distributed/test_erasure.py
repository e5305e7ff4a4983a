import numpy as np
import pytest

from residuum.distributed.erasure import PartitionedProjector
from residuum.distributed.matrix import PartitionedMatrix, PartitionedWindow
from residuum.distributed.tall import TallMatrix
from residuum.nulls import Configuration, ErdosRenyi
from residuum.residual import ResidualMatrix, build_erasure
from residuum.walks import WindowProbabilities


@pytest.mark.parametrize("strength", [1.0, 0.4])
@pytest.mark.parametrize("null", [Configuration(), ErdosRenyi()], ids=["symmetric", "general"])
def test_the_projection_is_that_of_the_local_matrix(build, cluster, graph, null, strength):
    partitioned = build(graph)
    labels = {node: "ab"[node % 2] for node in graph.node_ids.tolist()}
    erased = [
        build_erasure(some, {"side": labels, "degree": "degree"}, null.fit(some, 3), strength)
        for some in (graph, partitioned)
    ]
    local = ResidualMatrix(WindowProbabilities(graph, 3), null.fit(graph, 3), -2.0, 0.5, erased[0])
    matrix = PartitionedMatrix(PartitionedWindow(partitioned, 3), null.fit(partitioned, 3), -2.0, 0.5, erased[1])
    X = np.random.default_rng(0).standard_normal((graph.n_nodes, 3)).astype(np.float32)
    grid = matrix.part.grid
    for part in range(grid.n_parts):
        grid.stages.save(f"x-{part}", X[grid.nodes(part)])
    projector = PartitionedProjector(matrix)
    for side, expected in ((projector.left, local.projector.left), (projector.right, local.projector.right)):
        clean = side.erase(TallMatrix(cluster, grid, "x", 3))
        parts = [grid.stages.load(f"{clean.name}-{part}") for part in range(grid.n_parts)]
        np.testing.assert_allclose(np.concatenate(parts), expected.erase(X), atol=1e-5)
        if matrix.symmetric:
            assert projector.right is projector.left
            break
        grid.stages.forget("x-erased")
        for name in ("x-0-erased", "x-1-erased", "x-2-erased"):
            grid.stages.forget(name)
