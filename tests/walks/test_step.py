import numpy as np
from scipy import sparse

from residuum.walks.step import Step


def test_a_step_is_a_scaled_sparse_product_and_skips_rows_that_are_marked_empty():
    rng = np.random.default_rng(0)
    A = sparse.random_array((60, 60), density=0.2, rng=rng, dtype=np.float32).tocsr()
    scale, X = rng.random(60).astype(np.float32), rng.random((60, 5)).astype(np.float32)
    X[::3] = 0.0
    expected = scale[:, None] * (A.toarray() @ X)
    for nonempty in (np.empty(0, dtype=np.bool_), X.any(axis=1)):
        out = np.full_like(X, np.nan)
        Step(A, A.data, scale).multiply(X, out, nonempty)
        np.testing.assert_allclose(out, expected, rtol=1e-5, atol=1e-6)
