import numpy as np
import pytest
from scipy import sparse

from kernel_ranges import over_ranges
from residuum._kernels.clusters import add_corrections, cluster_profile, to_cluster_residual

N, B, FLOOR = 24, 4, np.float32(-1.0)


def matrix_of(seed=0, density=0.3):
    rng = np.random.default_rng(seed)
    return sparse.csr_array((rng.random((N, N)) < density) * rng.random((N, N)).astype(np.float32))


def labels_of(seed=1):
    return np.random.default_rng(seed).integers(B, size=N).astype(np.int32)


def profile(matrix, scale, labels, begin, end, first, last, n_ranges=1):
    out = np.full((end - begin, last - first), np.nan, dtype=np.float32)
    arrays = matrix.indptr, matrix.indices, matrix.data, scale, labels, begin, first, out
    over_ranges(cluster_profile, *arrays, length=len(out), n_ranges=n_ranges)
    return out


@pytest.mark.parametrize("density", [0.0, 0.3])
@pytest.mark.parametrize(
    ("rows", "clusters"), [((0, N), (0, B)), ((5, 11), (1, 3)), ((7, 7), (0, B)), ((0, N), (2, 2))]
)
def test_the_profile_equals_a_product_with_the_membership_matrix(rows, clusters, density):
    matrix, labels = matrix_of(density=density), labels_of()
    scale = np.random.default_rng(2).random(N).astype(np.float32)
    expected = scale[:, None] * (matrix.toarray().astype(float) @ np.eye(B)[labels])
    np.testing.assert_allclose(
        profile(matrix, scale, labels, *rows, *clusters), expected[slice(*rows), slice(*clusters)], rtol=1e-5
    )


def levels(h, low, high):
    """Return the level of clusters: h above ``floor − low``, the floor below ``floor − high``, linear in between."""
    result = np.maximum(h, FLOOR).astype(float)
    for place in np.ndindex(*h.shape):
        b = place[-1]
        if low[b] < 0 < high[b]:
            ends = [FLOOR - high[b], FLOOR - low[b]]
            result[place] = max(h[place], np.interp(h[place], ends, [FLOOR, FLOOR - low[b]]))
    return result


def test_cluster_residuals_are_the_levels():
    rng = np.random.default_rng(3)
    H = rng.normal(scale=2.0, size=(50, 2)).astype(np.float32)
    H[0] = -np.inf
    low, high = np.array([-9, 0, -0.5, -9], dtype=np.float32), np.array([9, 0, 0.7, 9], dtype=np.float32)
    expected = levels(H, low[1:3], high[1:3])
    to_cluster_residual(H, 1, low, high, FLOOR, 0, 50)
    np.testing.assert_allclose(H, expected, rtol=1e-5, atol=1e-6)
    assert (H >= FLOOR).all()


class Corrections:
    """Random arguments of ``add_corrections``, and the expected corrections of all pairs as a dense matrix."""

    def __init__(self, seed=4, deviations=True):
        rng = np.random.default_rng(seed)
        self.matrix, self.labels = matrix_of(seed), labels_of(seed)
        self.scale = (rng.random(N) * 0.2).astype(np.float32)
        self.Q = (rng.random((N, B)) * (rng.random((N, B)) < 0.8)).astype(np.float32)
        delta = rng.normal(scale=0.5, size=N) * deviations
        low, high = np.zeros((2, B))
        np.minimum.at(low, self.labels, delta)
        np.maximum.at(high, self.labels, delta)
        share, theta, s, t = rng.random((4, N)) * 0.5
        s[3] = t[5] = 0.0
        self.nodes = np.stack([share, theta, delta, s, t], axis=1).astype(np.float32)
        self.groups = np.stack([self.labels, self.labels % 3], axis=1).astype(np.int32)
        self.null_weights = rng.random((3, 3)).astype(np.float32)
        self.null_weights[2] = 0.0
        theta_sum = np.bincount(self.labels, theta, minlength=B)
        self.clusters = np.stack([theta_sum, low, high], axis=1).astype(np.float32)

    def add(self, C, matrix, backward, part, first, last, n_ranges=1):
        over_ranges(
            add_corrections, matrix.indptr, matrix.indices, matrix.data, self.scale, backward, np.float32(part),
            np.ascontiguousarray(self.Q[:, first:last]), first, self.nodes, self.groups, self.null_weights,
            self.clusters, FLOOR, C, length=N, n_ranges=n_ranges,
        )  # fmt: skip

    def expected(self):
        """Return ``s_i t_j (R̃_ij − cluster value)`` of all pairs, shape (N, N)."""
        share, theta, delta, s, t = self.nodes.astype(float).T
        b, (theta_sum, low, high) = self.labels, self.clusters.astype(float).T
        mixing, Q = self.null_weights.astype(float)[self.groups[:, 1]], self.Q.astype(float)
        first_step = self.scale.astype(float)[:, None] * self.matrix.toarray()
        observed = first_step + share * Q[:, b]
        null = theta * mixing[:, self.groups[:, 1]]
        cluster_null = theta_sum * mixing[:, np.arange(B) % 3]
        with np.errstate(divide="ignore", invalid="ignore"):
            residual = np.where((observed > 0) & (null > 0), np.log(observed / null), -np.inf)
            h = np.where(cluster_null > 0, np.log(Q / cluster_null), -np.inf)
        level = levels(h, low, high)[:, b]
        spread = np.where(low < 0, -low, 1.0)[b]
        level = level + np.where(low[b] < 0, np.clip((level - FLOOR) / spread, 0, 1) * delta, 0.0)
        return np.outer(s, t) * (np.maximum(residual, FLOOR) - level)


@pytest.mark.parametrize("deviations", [False, True])
@pytest.mark.parametrize("seed", [4, 5, 6])
def test_corrections_equal_the_dense_difference_on_the_edges(seed, deviations):
    case = Corrections(seed, deviations)
    expected = case.expected()
    for matrix, backward in ((case.matrix, False), (sparse.csr_array(case.matrix.T), True)):
        C = np.zeros(matrix.nnz, dtype=np.float32)
        for first, last in ((0, 1), (1, 3), (3, B)):
            case.add(C, matrix, backward, 0.5, first, last)
        rows, columns = matrix.nonzero()
        i, j = (columns, rows) if backward else (rows, columns)
        np.testing.assert_allclose(C, 0.5 * expected[i, j], rtol=1e-4, atol=1e-5)


def test_corrections_are_added_only_to_the_clusters_of_the_tile():
    case = Corrections()
    C = np.full(case.matrix.nnz, 7.0, dtype=np.float32)
    case.add(C, case.matrix, False, 1.0, 1, 3)
    rows, columns = case.matrix.nonzero()
    inside = (case.labels[columns] == 1) | (case.labels[columns] == 2)
    assert (C[~inside] == 7.0).all()
    np.testing.assert_allclose(C[inside] - 7.0, case.expected()[rows, columns][inside], rtol=1e-4, atol=1e-5)


def test_nodes_with_a_scale_of_zero_have_no_corrections():
    case = Corrections()
    C = np.zeros(case.matrix.nnz, dtype=np.float32)
    case.add(C, case.matrix, False, 1.0, 0, B)
    rows, columns = case.matrix.nonzero()
    left_out = (rows == 3) | (columns == 5)
    assert not C[left_out].any()
    assert C[~left_out].any()


def test_the_result_does_not_depend_on_the_ranges():
    case, results = Corrections(), []
    H = np.random.default_rng(0).normal(size=(500, B)).astype(np.float32)
    for n_ranges in (1, 5):
        C, residual = np.zeros(case.matrix.nnz, dtype=np.float32), H.copy()
        case.add(C, case.matrix, False, 1.0, 0, B, n_ranges)
        levels = residual, 0, *case.clusters.T[1:].copy(), FLOOR
        over_ranges(to_cluster_residual, *levels, length=500, n_ranges=n_ranges)
        results.append((C, residual, profile(case.matrix, case.scale, case.labels, 0, N, 0, B, n_ranges)))
    for once, parts in zip(*results, strict=True):
        np.testing.assert_array_equal(once, parts)
