import numpy as np
import pytest

from residuum.distributed.products import Walks, tile_tasks, window_total
from residuum.walks import WindowProbabilities


def part_of(part, tile):
    return tile


@pytest.mark.parametrize("n_parts", [1, 3])
@pytest.mark.parametrize("window", [1, 4])
@pytest.mark.parametrize("unit", [1.0, 2.0**-3])
def test_the_rounds_give_window_probabilities_of_some_columns(build, cluster, graph, n_parts, window, unit):
    local = WindowProbabilities(graph, window)
    grid = build(graph, n_parts).grid
    grid.stages.save("leaving", local.leaving * np.float32(unit))
    walks = Walks(grid, tuple(local.window.tolist()), unit)
    nodes = np.array([5, 399, 17, 0])
    parts = cluster.compute("tile", [lambda: tile_tasks(walks, nodes, False, part_of)])[0]
    np.testing.assert_allclose(np.concatenate(parts), local.columns(nodes), rtol=1e-5, atol=1e-9)


def test_backward_walks_give_rows_and_walks_that_end_are_counted(build, cluster, directed_graph):
    kept = directed_graph.subgraph((directed_graph.in_strength > 0) | (directed_graph.out_strength > 0))
    local = WindowProbabilities(kept, 3)
    grid = build(directed_graph).grid
    grid.stages.save("leaving", local.leaving)
    walks = Walks(grid, tuple(local.window.tolist()), 1.0)
    nodes = np.array([20, 300])
    parts = cluster.compute("tile", [lambda: tile_tasks(walks, nodes, True, part_of)])[0]
    rows = np.concatenate(parts) / local.completed[nodes]
    np.testing.assert_allclose(rows.T, local.rows(nodes), rtol=1e-4, atol=1e-8)
    np.testing.assert_allclose(window_total(cluster, walks), local.completed, atol=1e-6)


def test_starts_in_one_part_skip_the_other_blocks_in_the_first_round(build, graph):
    grid = build(graph, 3).grid
    grid.stages.save("leaving", WindowProbabilities(graph, 2).leaving)
    tasks = tile_tasks(Walks(grid, (0.5, 0.5), 1.0), np.array([1, 2]), False, part_of)
    steps = {key for task in tasks for key in task.dask if key[0].startswith("walk-step")}
    assert sum(key[1] == 0 for key in steps) == 3
    assert sum(key[1] == 1 for key in steps) == 9
