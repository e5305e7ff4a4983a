import numpy as np
import pytest
from scipy import sparse

from kernel_ranges import uneven_ranges
from residuum._kernels.paths import count_paths


@pytest.mark.parametrize("density", [0.0, 0.2, 1.0])
def test_paths_are_counted_as_by_powers_of_the_matrix(density):
    rng = np.random.default_rng(0)
    A = (rng.random((15, 15)) < density).astype(float)
    matrix, transposed = sparse.csr_array(A), sparse.csr_array(A.T)
    degrees = rng.uniform(0.5, 3.0, 15)
    D = np.diag(1 / degrees)
    expected = np.stack([A @ A, A @ D @ A, A @ A @ A, A @ D @ A @ D @ A], axis=2)
    sources, targets = (ends.ravel() for ends in np.meshgrid(np.arange(15), np.arange(15)))
    rows, reverse = ((part.indptr, part.indices) for part in (matrix, transposed))

    counts = np.full((225, 4), np.nan)
    for begin, end in uneven_ranges(225, 4):
        count_paths(rows, reverse, degrees, sources, targets, np.full(15, -1), counts, begin, end)
    np.testing.assert_allclose(counts, expected[sources, targets], rtol=1e-12)
