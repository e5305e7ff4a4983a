import numpy as np
import pytest

from residuum.distributed.matrix import PartitionedWindow
from residuum.distributed.pieces import pieces_of
from residuum.distributed.undirected import undirected_step
from residuum.walks import WindowProbabilities


@pytest.mark.parametrize("kind", ["graph", "directed_graph"])
def test_a_step_is_that_of_one_machine(build, request, kind):
    graph = request.getfixturevalue(kind)
    graph = graph.subgraph((graph.in_strength > 0) | (graph.out_strength > 0))
    window = PartitionedWindow(build(graph), 3)
    grid = window.graph.grid
    X = np.random.default_rng(0).standard_normal((graph.n_nodes, 5)).astype(np.float32)
    for part in range(3):
        grid.stages.save(f"before-{part}", X[grid.nodes(part)])
    undirected_step(window, pieces_of(window.graph.cluster, grid), "before", "after")
    expected = np.empty_like(X)
    WindowProbabilities(graph, 3).undirected_step(X, expected)
    after = np.concatenate([grid.stages.load(f"after-{part}") for part in range(3)])
    np.testing.assert_allclose(after, expected, rtol=1e-4, atol=1e-6)
