import numpy as np
import pytest

from residuum._checkpoint import Store
from residuum.distributed import sketch as module
from residuum.distributed.matrix import PartitionedMatrix, PartitionedWindow
from residuum.distributed.sketch import PartitionedSketch, common_level, even_tiles, tile_width, tiles_in_flight
from residuum.nulls import Configuration, ErdosRenyi
from residuum.residual import ResidualMatrix
from residuum.solvers import Workspace
from residuum.solvers import sketch as local_module
from residuum.walks import WindowProbabilities


@pytest.fixture(params=[Configuration(), ErdosRenyi()], ids=["symmetric", "general"])
def matrices(request, build, graph):
    null, partitioned = request.param, build(graph)
    local = ResidualMatrix(WindowProbabilities(graph, 3), null.fit(graph, 3), -2.0, 0.5)
    return local, PartitionedMatrix(PartitionedWindow(partitioned, 3), null.fit(partitioned, 3), -2.0, 0.5)


def test_the_level_is_that_of_the_local_solver(matrices):
    local, partitioned = matrices
    assert common_level(partitioned) == pytest.approx(local_module.common_level(local), rel=1e-5)


@pytest.mark.parametrize("side", ["columns", "rows"])
def test_gram_rows_and_combinations_are_those_of_the_local_sketch(matrices, side):
    local, partitioned = matrices
    work = Workspace(1 << 30, np.random.default_rng(0), Store())
    expected = local_module.Sketch(local, side, -0.5, work, 1 << 30, 16)
    sketch = PartitionedSketch(partitioned, side, -0.5, np.random.default_rng(0), 16)
    for size in (20, 50):
        expected.grow(size, None)
        sketch.grow(size, None)
    np.testing.assert_array_equal(sketch.nodes, expected.nodes)
    np.testing.assert_allclose(sketch.gram, expected.gram, rtol=1e-4, atol=1e-3)
    nodes = np.array([3, 399, 7, 180])
    np.testing.assert_allclose(sketch.at(nodes, 30), expected.at(nodes, 30), atol=2e-5)
    coefficients = np.random.default_rng(1).standard_normal((31, 4))
    combined = sketch.combine(coefficients, "test")
    parts = [partitioned.part.grid.stages.load(f"test-{part}") for part in range(3)]
    np.testing.assert_allclose(np.concatenate(parts), expected.combine(coefficients), atol=1e-3)
    assert combined.width == 4


def test_tiles_on_storage_are_not_computed_again(matrices, monkeypatch):
    _, partitioned = matrices
    first = PartitionedSketch(partitioned, "columns", 0.0, np.random.default_rng(0), 16)
    first.grow(40, None)
    monkeypatch.setattr(PartitionedSketch, "_tasks", None)
    monkeypatch.setattr(module, "gram_part", None)
    again = PartitionedSketch(partitioned, "columns", 0.0, np.random.default_rng(0), 16)
    again.grow(40, None)
    np.testing.assert_array_equal(again.gram, first.gram)


def test_tiles_are_narrow_if_workers_have_little_memory(cluster):
    assert tile_width(cluster, 1_000, 2) == 128
    assert tile_width(cluster, 10**10, 2) == 16


def test_few_parts_have_many_tiles_in_flight(cluster):
    assert [tiles_in_flight(cluster, n_parts) for n_parts in (1, 2, 50)] == [4, 2, 2]


@pytest.mark.parametrize(
    ("n_columns", "width", "at_once"), [(576, 128, 2), (64, 128, 4), (40, 16, 2), (5, 128, 64), (1, 1, 3)]
)
def test_tiles_are_even_and_as_many_for_each_thread(n_columns, width, at_once):
    tiles = even_tiles(7, 7 + n_columns, width, at_once)
    widths = [end - begin for begin, end in tiles]
    assert [tiles[0][0], *(end for _, end in tiles)] == [*(begin for begin, _ in tiles), 7 + n_columns]
    assert max(widths) <= width
    assert max(widths) - min(widths) <= 1
    assert len(tiles) % at_once == 0 or min(widths) == n_columns or max(widths) <= 2 * 16
    assert even_tiles(7, 7, width, at_once) == []
