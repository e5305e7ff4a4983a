from dataclasses import replace

import numpy as np
import pytest

from residuum.distributed.equalizing import equalize_parts
from residuum.distributed.grid import Grid
from residuum.distributed.stages import Stages
from residuum.distributed.vectors import VectorPart
from residuum.residual.affine_maps import AffineMaps


def moved_to_permuted(X, cells, strength):
    """Return vectors with the covariances of permuted cells, and the means of their own, on one machine."""
    active = X.any(axis=1)
    vectors, codes = X[active].astype(np.float64), cells[active]
    owner = np.random.default_rng(1).permutation(codes)
    first = AffineMaps.to_barycenter(vectors, codes)
    maps = first.then(AffineMaps.to_places(first.apply(vectors, codes), codes, owner))
    final = replace(maps, centers=maps.means).apply(vectors, codes)
    result = X.copy()
    result[active] = vectors + strength * (final - vectors)
    return result


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("strength", [1.0, 0.3])
def test_parts_move_as_the_vectors_of_one_machine(cluster, tmp_path, symmetric, strength):
    rng = np.random.default_rng(0)
    cells = rng.integers(3, size=90)
    scale = np.ones(90, dtype=np.float32)
    scale[:5] = 0.0
    left = (rng.standard_normal((90, 4)) * (1 + cells)[:, None]).astype(np.float32)
    right = left if symmetric else rng.standard_normal((90, 4)).astype(np.float32)
    lengths = np.array([2, 1, 1, 0.5], dtype=np.float32), np.array([2, -1, 1, -0.5], dtype=np.float32)
    stages = Stages(tmp_path)
    grid = Grid(stages, stages, (0, 30, 31, 90), directed=False)
    for name in ("row-scale", "column-scale"):
        stages.save(name, scale)
    names = ("left", "left") if symmetric else ("left", "right")
    for part in range(3):
        stages.save(f"left-{part}", left[grid.nodes(part)])
        stages.save(f"right-{part}", right[grid.nodes(part)])
    vectors = VectorPart(grid, names, lengths)
    moved = equalize_parts(cluster, vectors, cells, strength, np.random.default_rng(1))
    parts = [moved.read(part) for part in range(3)]
    u, v = (np.concatenate([vectors.read(part)[side] for part in range(3)]) for side in (0, 1))
    for side in (0, 1):
        expected = moved_to_permuted(u if symmetric else (u, v)[side], cells, strength)
        if symmetric and side:
            expected = expected * np.sign(lengths[0] * lengths[1])
        np.testing.assert_allclose(np.concatenate([part[side] for part in parts]), expected, atol=1e-5)
    assert len(moved.maps) == (1 if symmetric else 2)
