import numpy as np
import pytest

from residuum.distributed.grid import Grid
from residuum.distributed.stages import Stages
from residuum.distributed.trend import subtract_trend_of_parts
from residuum.distributed.vectors import VectorPart
from residuum.nulls import Configuration
from residuum.residual import build_erasure, subtract_trend


@pytest.mark.parametrize("strength", [1.0, 0.3])
def test_parts_lose_the_trend_that_the_vectors_of_one_machine_lose(cluster, directed_graph, tmp_path, strength):
    n, rng, stages = directed_graph.n_nodes, np.random.default_rng(0), Stages(tmp_path)
    grid = Grid(stages, stages, (0, 30, 31, n), directed=True)
    scale = (np.arange(n) >= 5).astype(np.float32)
    for name in ("row-scale", "column-scale"):
        stages.save(name, scale)
    for name in ("left", "right"):
        X = (rng.standard_normal((n, 4)) + np.arange(n)[:, None] / n).astype(np.float32)
        for part in range(3):
            stages.save(f"{name}-{part}", X[grid.nodes(part)])
    lengths = np.array([2, 1, 1, 0.5], dtype=np.float32), np.array([2, -1, 1, -0.5], dtype=np.float32)
    vectors = VectorPart(grid, ("left", "right"), lengths)
    years = dict(zip(directed_graph.node_ids.tolist(), 1990 + np.arange(n) // 50, strict=True))
    erasure = build_erasure(directed_graph, [years, "degree"], Configuration().fit(directed_graph, 3), strength)
    before, after = (
        [np.concatenate(side) for side in zip(*(some.read(part) for part in range(3)), strict=True)]
        for some in (vectors, subtract_trend_of_parts(cluster, vectors, erasure))
    )
    expected = subtract_trend(*before, None, erasure)
    for side in (0, 1):
        np.testing.assert_allclose(after[side], expected[side], atol=1e-5)
        np.testing.assert_allclose(
            erasure.columns().T @ after[side], (1 - strength) * erasure.columns().T @ before[side], atol=1e-3
        )
        assert not after[side][:5].any()
