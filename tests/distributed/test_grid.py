import numpy as np
import pytest
from scipy import sparse

from residuum import Graph
from residuum.distributed.grid import Grid, check_graph, slice_rows, sum_blocks
from residuum.distributed.stages import Stages
from residuum.errors import GraphFileError
from residuum.graph import write_graph


def dense(grid, *, reverse=False):
    rows = []
    for row in range(grid.n_parts):
        blocks = []
        for column in range(grid.n_parts):
            indptr, indices, weights = grid.block(row, column, reverse=reverse)
            blocks.append(sparse.csr_array((weights, indices, indptr), (grid.size(row), grid.size(column))).toarray())
        rows.append(np.concatenate(blocks, axis=1))
    return np.concatenate(rows)


@pytest.mark.parametrize("n_parts", [1, 2, 5])
def test_the_blocks_of_an_undirected_graph_are_its_adjacency(build, graph, n_parts):
    grid = build(graph, n_parts).grid
    assert grid.n_parts == n_parts
    np.testing.assert_allclose(dense(grid), graph.adjacency.toarray(), rtol=1e-7)
    assert grid.block(0, 0)[0].dtype == grid.block(0, 0)[1].dtype == np.int32


def test_the_blocks_of_a_directed_graph_have_a_transpose(build, directed_graph):
    kept = (directed_graph.in_strength > 0) | (directed_graph.out_strength > 0)
    adjacency = directed_graph.subgraph(kept).adjacency.toarray()
    grid = build(directed_graph).grid
    np.testing.assert_array_equal(dense(grid), adjacency)
    np.testing.assert_array_equal(dense(grid, reverse=True), adjacency.T)


@pytest.mark.parametrize("directed", [False, True])
def test_the_rows_of_a_graph_on_disk_are_cut_into_blocks(directed_graph, graph, tmp_path, directed):
    original = directed_graph if directed else graph
    folder = tmp_path / "graph.r2g"
    write_graph(original, folder)
    assert check_graph(str(folder))["n_nodes"] == 400
    stages = Stages(tmp_path)
    grid = Grid(stages, stages, (0, 100, 250, 400), directed)
    for part in range(3):
        for reverse in (False, True)[: 1 + directed]:
            slice_rows(grid, str(folder), part, reverse)
            sum_blocks(grid, part, reverse)
    np.testing.assert_array_equal(dense(grid), original.adjacency.toarray())
    strength = np.concatenate([stages.load(f"out-strength-{part}") for part in range(3)])
    np.testing.assert_allclose(strength, original.out_strength)
    with pytest.raises(GraphFileError, match="was changed while it was read"):
        slice_rows(Grid(stages, stages, (0, 10), directed), str(folder), 0, False)


def test_weights_that_float32_cannot_hold_stay_exact(build):
    weights = np.array([[0, 0.1, 1], [0.1, 0, 0], [1, 0, 0]])
    grid = build(Graph(weights), 1).grid
    np.testing.assert_array_equal(dense(grid), weights)
