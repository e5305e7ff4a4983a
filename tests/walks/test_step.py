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


def test_mapped_edges_are_released_after_use_without_a_change_of_the_product(tmp_path, monkeypatch):
    A = sparse.random_array((3000, 3000), density=0.05, rng=np.random.default_rng(0), dtype=np.float32).tocsr()
    X, scale = np.ones((3000, 2), dtype=np.float32), np.ones(3000, dtype=np.float32)
    expected, out = np.empty_like(X), np.empty_like(X)
    Step(A, A.data, scale).multiply(X, expected)
    for name in ("data", "indices"):
        np.save(tmp_path / f"{name}.npy", getattr(A, name))
    data, indices = (np.load(tmp_path / f"{name}.npy", mmap_mode="r") for name in ("data", "indices"))
    mapped = sparse.csr_array((data, indices, A.indptr), shape=A.shape)
    released = []
    monkeypatch.setattr("residuum.walks.step._KEPT_BYTES", 0)
    monkeypatch.setattr("residuum.walks.step.release_pages", lambda array, begin, end: released.append(end - begin))
    Step(mapped, mapped.data, scale).multiply(X, out)
    np.testing.assert_array_equal(out, expected)
    assert sum(released) == 2 * A.nnz
