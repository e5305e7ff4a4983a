import numpy as np
import pytest

from residuum.distributed import block_walk as module
from residuum.distributed.block_walk import ArrivalTiles, PartitionedBlockWalk
from residuum.distributed.matrix import PartitionedWindow
from residuum.solvers.block_walk import BlockWalk
from residuum.walks import WindowProbabilities


@pytest.mark.parametrize("exact_steps", [1, 2, 4])
@pytest.mark.parametrize("kind", ["graph", "directed_graph"])
def test_tiles_are_the_columns_of_one_machine(build, request, kind, exact_steps, monkeypatch):
    monkeypatch.setattr(module, "_TILE_WIDTH", 5)
    graph = request.getfixturevalue(kind)
    graph = graph.subgraph((graph.in_strength > 0) | (graph.out_strength > 0))
    labels = (np.arange(graph.n_nodes) % 7).astype(np.int32)
    local = BlockWalk(WindowProbabilities(graph, 4), labels, exact_steps)
    window = PartitionedWindow(build(graph), 4)
    walk = PartitionedBlockWalk(window, labels, exact_steps)
    tiles = ArrivalTiles(window.walks, exact_steps, 7, walk.core is not None)
    tiles.write(window.graph.cluster, walk)
    for number, bounds in enumerate(tiles.bounds):
        tile = np.concatenate([window.graph.grid.stages.load(f"arrivals-{number}-{part}") for part in range(3)])
        np.testing.assert_allclose(tile, local.columns(*bounds), rtol=1e-3, atol=1e-6)
