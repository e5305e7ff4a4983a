import numpy as np
import pytest

from residuum.errors import MemoryLimitError
from residuum.residual import ExactResidual

LIMITS = {"everything kept": 1 << 30, "some kept": 3 << 20, "nothing kept": 2_200_000, "one column": 4 * 700 * 3}


@pytest.mark.parametrize("limit", LIMITS.values(), ids=LIMITS)
def test_products_equal_the_dense_ones_whatever_the_memory_limit(matrix, dense_matrix, limit):
    operator = ExactResidual(matrix, limit)
    X = np.random.default_rng(0).standard_normal((700, 3)).astype(np.float32)
    np.testing.assert_allclose(operator @ X, dense_matrix @ X, rtol=1e-4, atol=2e-3)
    np.testing.assert_allclose(operator.T @ X, dense_matrix.T @ X, rtol=1e-4, atol=2e-3)
    np.testing.assert_allclose(operator @ X[:, 0], dense_matrix @ X[:, 0], rtol=1e-4, atol=2e-3)
    both = operator.gram(X)
    np.testing.assert_allclose(both[:, :3], dense_matrix.T @ X, rtol=1e-4, atol=2e-3)
    np.testing.assert_allclose(both[:, 3:], dense_matrix @ (dense_matrix.T @ X), rtol=1e-3, atol=0.5)


def test_products_keep_float32(symmetric_matrix):
    operator = ExactResidual(symmetric_matrix, 1 << 30)
    assert (operator @ np.ones((700, 2), dtype=np.float32)).dtype == np.float32
    assert operator.dtype == np.float32


def test_the_limit_decides_how_much_is_kept(symmetric_matrix):
    assert ExactResidual(symmetric_matrix, LIMITS["everything kept"]).kept_share == 1.0
    assert 0 < ExactResidual(symmetric_matrix, LIMITS["some kept"]).kept_share < 1
    assert ExactResidual(symmetric_matrix, LIMITS["nothing kept"]).kept_share == 0.0


def test_kept_tiles_stay_within_the_limit(symmetric_matrix):
    operator = ExactResidual(symmetric_matrix, LIMITS["some kept"])
    operator @ np.ones((700, 2), dtype=np.float32)
    assert 0 < sum(tile.nbytes for tile in operator._kept.values()) <= LIMITS["some kept"]


def test_too_small_a_limit_is_an_error_with_the_estimate_and_the_way_out(symmetric_matrix):
    with pytest.raises(MemoryLimitError, match=r"at least 8\.2 KiB .*leaves 1000 bytes.*solver='landmark'"):
        ExactResidual(symmetric_matrix, 1000)


def test_progress_counts_the_tiles(symmetric_matrix):
    events = []
    operator = ExactResidual(symmetric_matrix, 1 << 30, events.append)
    operator @ np.ones((700, 1), dtype=np.float32)
    assert [(event.done, event.total) for event in events] == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert events[0].stage == "residual matrix, pass 1"
