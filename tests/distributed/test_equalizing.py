import numpy as np
import pytest

from residuum.distributed.equalizing import equalize_parts
from residuum.distributed.grid import Grid
from residuum.distributed.stages import Stages
from residuum.distributed.vectors import VectorPart
from residuum.residual import Cells, equalize


def case(folder, symmetric):
    """Return vectors of 90 nodes in three parts, five of them zero, and their cells."""
    rng = np.random.default_rng(0)
    codes = rng.integers(3, size=90)
    scale = np.ones(90, dtype=np.float32)
    scale[:5] = 0.0
    left = (rng.standard_normal((90, 4)) * (1 + codes)[:, None]).astype(np.float32)
    right = left if symmetric else rng.standard_normal((90, 4)).astype(np.float32)
    lengths = np.array([2, 1, 1, 0.5], dtype=np.float32), np.array([2, -1, 1, -0.5], dtype=np.float32)
    stages = Stages(folder)
    grid = Grid(stages, stages, (0, 30, 31, 90), directed=False)
    for name in ("row-scale", "column-scale"):
        stages.save(name, scale)
    for part in range(3):
        stages.save(f"left-{part}", left[grid.nodes(part)])
        stages.save(f"right-{part}", right[grid.nodes(part)])
    vectors = VectorPart(grid, ("left", "left") if symmetric else ("left", "right"), lengths)
    # The first cell is a merged one, whose marginals stay.
    return vectors, Cells(None, 2, {(0,): 0, (1,): 0, (2,): 1, (3,): 2}, 0, codes)


@pytest.mark.parametrize("keep_means", [True, False])
@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("strength", [1.0, 0.3])
def test_parts_move_as_the_vectors_of_one_machine(cluster, tmp_path, symmetric, strength, keep_means, monkeypatch):
    monkeypatch.setattr("residuum.residual.flow.MOST_ROUNDS", 3)
    monkeypatch.setattr("residuum.distributed.flow.MOST_ROUNDS", 3)
    vectors, cells = case(tmp_path, symmetric)
    rng = np.random.default_rng(1)
    moved = equalize_parts(cluster, vectors, cells, strength, rng, keep_means=keep_means)
    parts = [moved.read(part) for part in range(3)]
    u, v = (np.concatenate([vectors.read(part)[side] for part in range(3)]) for side in (0, 1))
    expected = equalize(u, v, cells, strength, np.random.default_rng(1), keep_means=keep_means)
    for side in (0, 1):
        np.testing.assert_allclose(np.concatenate([part[side] for part in parts]), expected[side], atol=1e-5)
    assert not list(tmp_path.glob("moved-*"))
