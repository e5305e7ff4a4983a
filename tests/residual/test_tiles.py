import numpy as np
import pytest

from residuum.residual import TiledMatrix

LIMITS = {"everything kept": 1 << 30, "some kept": 3 << 20, "nothing kept": 2_200_000, "one column": 4 * 700 * 3}


def tiled(matrix, limit, progress=None):
    return TiledMatrix(
        matrix.columns,
        matrix.n_nodes,
        symmetric=matrix.symmetric,
        width=matrix.probabilities.tile_width,
        memory_limit=limit,
        progress=progress,
    )


@pytest.mark.parametrize("limit", LIMITS.values(), ids=LIMITS)
def test_products_match_the_dense_matrix_at_any_memory_limit(matrix, dense_matrix, limit):
    tiles = tiled(matrix, limit)
    X = np.random.default_rng(0).standard_normal((700, 3)).astype(np.float32)
    np.testing.assert_allclose(tiles.matmat(X), dense_matrix @ X, rtol=1e-4, atol=2e-3)
    np.testing.assert_allclose(tiles.rmatmat(X), dense_matrix.T @ X, rtol=1e-4, atol=2e-3)
    both = tiles.gram(X)
    np.testing.assert_allclose(both[:, :3], dense_matrix.T @ X, rtol=1e-4, atol=2e-3)
    np.testing.assert_allclose(both[:, 3:], dense_matrix @ (dense_matrix.T @ X), rtol=1e-3, atol=0.5)
    np.testing.assert_allclose(tiles.dense(), dense_matrix, atol=1e-5)


def test_products_keep_float32(symmetric_matrix):
    assert tiled(symmetric_matrix, 1 << 30).matmat(np.ones((700, 2))).dtype == np.float32


def test_the_memory_limit_determines_the_share_of_kept_tiles(symmetric_matrix):
    assert tiled(symmetric_matrix, LIMITS["everything kept"]).kept_share == 1.0
    assert 0 < tiled(symmetric_matrix, LIMITS["some kept"]).kept_share < 1
    assert tiled(symmetric_matrix, LIMITS["nothing kept"]).kept_share == 0.0


def test_kept_tiles_fit_the_memory_limit(symmetric_matrix):
    tiles = tiled(symmetric_matrix, LIMITS["some kept"])
    tiles.matmat(np.ones((700, 2)))
    assert 0 < sum(tile.nbytes for tile in tiles._kept.values()) <= LIMITS["some kept"]


def test_progress_counts_the_tiles(symmetric_matrix):
    events = []
    tiled(symmetric_matrix, 1 << 30, events.append).matmat(np.ones((700, 1)))
    assert [(event.done, event.total) for event in events] == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert events[0].stage == "residual matrix, pass 1"
