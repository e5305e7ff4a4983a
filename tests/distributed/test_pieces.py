import numpy as np
import pytest

from residuum.distributed import pieces as module
from residuum.distributed.grid import Grid
from residuum.distributed.pieces import by_pieces, pieces_of
from residuum.distributed.stages import Stages


@pytest.fixture
def grid(tmp_path):
    return Grid(Stages(tmp_path), Stages(tmp_path), (0, 200, 201, 500), directed=False)


def rows_of(piece, factor):
    return factor * np.arange(piece.begin, piece.end, dtype=np.float32)[:, None]


def test_pieces_cover_all_parts_in_order_and_stay_the_same(cluster, grid, monkeypatch):
    monkeypatch.setattr(module, "_FEWEST_ROWS", 1)
    pieces = pieces_of(cluster, grid)
    assert max(piece.end - piece.begin for piece in pieces) <= 125
    covered = [node for piece in pieces for node in range(piece.begin, piece.end)]
    assert covered == list(range(500))
    assert all(grid.nodes(p.part).start <= p.begin < p.end <= grid.nodes(p.part).stop for p in pieces)
    monkeypatch.setattr(module, "_TASKS_PER_THREAD", 50)
    assert pieces_of(cluster, grid) == pieces


def test_the_memory_of_a_row_limits_the_pieces(cluster, grid, monkeypatch):
    monkeypatch.setattr(module, "_FEWEST_ROWS", 1)
    monkeypatch.setattr(type(cluster), "thread_bytes", 1000)
    assert max(piece.end - piece.begin for piece in pieces_of(cluster, grid, row_bytes=100)) <= 10


def test_a_matrix_that_is_computed_in_pieces_is_written_in_parts(cluster, grid, monkeypatch):
    monkeypatch.setattr(module, "_FEWEST_ROWS", 50)
    by_pieces(cluster, grid, pieces_of(cluster, grid), "rows", "matrix", rows_of, 2.0)
    parts = [grid.stages.load(f"matrix-{part}") for part in range(3)]
    assert [len(part) for part in parts] == [200, 1, 299]
    np.testing.assert_array_equal(np.concatenate(parts)[:, 0], 2.0 * np.arange(500))
    assert not list(grid.stages.folder.glob("piece-*"))
