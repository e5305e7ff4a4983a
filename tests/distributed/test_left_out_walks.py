import numpy as np
import pytest

from residuum.distributed.left_out_walks import WalksWithout, rows_in_blocks
from residuum.distributed.matrix import PartitionedWindow
from residuum.residual.left_out_ends import sample_edges
from residuum.walks import WindowProbabilities
from residuum.walks.left_out import _Change, _window_sum

WINDOW = np.array([0.5, 0.3, 0.2])


@pytest.mark.parametrize("side", ["rows", "columns"])
@pytest.mark.parametrize("kind", ["graph", "directed_graph"])
def test_walks_without_an_edge_are_those_of_one_machine(build, request, kind, side):
    graph = request.getfixturevalue(kind)
    graph = graph.subgraph((graph.in_strength > 0) | (graph.out_strength > 0))
    local = WindowProbabilities(graph, WINDOW)
    window = PartitionedWindow(build(graph), WINDOW)
    edges = sample_edges(graph, 12, np.random.default_rng(0))
    arcs = (edges,) if graph.directed else (edges, edges[:, ::-1])
    removed = tuple(np.asarray(graph.adjacency[arc[:, 0], arc[:, 1]]).ravel() for arc in arcs)
    strength = tuple(graph.out_strength[arc[:, 0]] for arc in arcs)
    walks = WalksWithout(window.walks, arcs, removed, strength, side == "rows", "without")
    changes = [_Change.of(local, arc) for arc in arcs]
    tile = np.zeros((graph.n_nodes, 12), dtype=np.float32)
    tile[edges[:, 0], np.arange(12)] = 1.0
    for nodes, start in ((edges[:, 0], tile), (None, np.ones_like(tile))):
        name = walks.run(window.graph.cluster, nodes)
        total = np.concatenate([window.graph.grid.stages.load(f"{name}-{part}")[1] for part in range(3)])
        np.testing.assert_allclose(total, _window_sum(local, changes, start.copy(), side), rtol=1e-3, atol=1e-6)


def test_rows_of_nodes_are_read_from_the_blocks(build, graph):
    grid = build(graph).grid
    nodes = np.array([399, 0, 150, 0])
    for part in range(3):
        rows, columns, weights = rows_in_blocks(grid, nodes, part)
        found = np.zeros((4, grid.size(part)))
        found[rows, columns] = weights
        np.testing.assert_allclose(found, graph.adjacency[nodes][:, grid.nodes(part)].toarray(), rtol=1e-6)
