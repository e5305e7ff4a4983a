import numpy as np
import pytest

from residual_matrices import build
from residuum import Graph
from residuum.nulls import Configuration
from residuum.solvers import Workspace, landmark_fit
from residuum.solvers.landmark_fit import LandmarkFit, first_landmarks, fit_landmarks
from residuum.solvers.sketch import Sketch, common_level

K = 10


def sketches_of(matrix, size=0):
    work = Workspace(1 << 30, np.random.default_rng(0))
    sides = ["columns"] if matrix.symmetric else ["columns", "rows"]
    sketches = [Sketch(matrix, side, common_level(matrix), work, 1 << 30, 64) for side in sides]
    for sketch in sketches:
        sketch.grow(size, None)
    return sketches


def test_the_maps_give_orthonormal_vectors(matrix):
    sketches = sketches_of(matrix, 300)
    fit = LandmarkFit(sketches, 250, K, matrix.resolution)
    left = sketches[0].combine(fit.left_map).astype(np.float64)
    np.testing.assert_allclose(left.T @ left, np.eye(K), atol=1e-3)
    bases = sketches[0].combine(fit.left_basis).astype(np.float64)
    np.testing.assert_allclose(bases.T @ bases, np.eye(bases.shape[1]), atol=1e-3)


def test_the_values_are_close_to_the_singular_values(matrix, dense_matrix):
    fit = LandmarkFit(sketches_of(matrix, 500), 450, K, matrix.resolution)
    np.testing.assert_allclose(fit.values[:3], np.linalg.svd(dense_matrix, compute_uv=False)[:3], rtol=0.05)


def test_left_and_right_vectors_of_arcs_are_those_of_the_dense_matrix():
    # Arcs lead from each group to the next: left and right vectors differ, and M is far from symmetric.
    rng = np.random.default_rng(0)
    group = rng.integers(5, size=600)
    arcs = rng.random((600, 600)) < np.where((group[:, None] + 1) % 5 == group, 0.3, 0.01)
    matrix = build(Graph(arcs.astype(float), directed=True), Configuration(), window=1)
    sketches = sketches_of(matrix, 400)
    fit = LandmarkFit(sketches, 350, 5, matrix.resolution)
    left, right = sketches[0].combine(fit.left_map), sketches[1].combine(fit.right_map)
    u, s, v = np.linalg.svd(matrix.columns(np.arange(600)).astype(float), full_matrices=False)
    best = (u[:, :5] * s[:5]) @ v[:5]
    assert np.linalg.norm((left * fit.values) @ right.T - best) < 0.1 * np.linalg.norm(best)


def test_a_fixed_number_is_fitted_once_and_more_are_held_out(symmetric_matrix):
    sketches = sketches_of(symmetric_matrix)
    fit = fit_landmarks(sketches, K, 100, 0.0, 4096, symmetric_matrix.resolution)
    assert fit is not None
    assert fit.size == 100
    assert sketches[0].size == 125


def test_there_is_no_fit_if_no_column_can_be_held_out(symmetric_matrix):
    assert fit_landmarks(sketches_of(symmetric_matrix), K, 690, 0.0, 4096, symmetric_matrix.resolution) is None


@pytest.mark.parametrize(("n_nodes", "dimensions", "expected"), [(100, 8, 512), (100, 200, 1200), (10**6, 8, 1200)])
def test_the_first_number_grows_with_dimensions_and_nodes(n_nodes, dimensions, expected):
    assert first_landmarks(n_nodes, dimensions) == expected


@pytest.mark.parametrize(
    ("tolerance", "most", "sizes"),
    [(1.0, 150, [105]), (0.0, 150, [105, 150]), (0.0, 50, [105])],
)
def test_landmarks_are_doubled_until_the_tolerance_or_the_limit(symmetric_matrix, monkeypatch, tolerance, most, sizes):
    # 4 √700 landmarks to begin with.
    monkeypatch.setattr(landmark_fit, "_FIRST_LANDMARKS", 64)
    stages = []
    fit = fit_landmarks(
        sketches_of(symmetric_matrix), K, None, tolerance, most, symmetric_matrix.resolution, stages.append
    )
    assert fit.size == sizes[-1]
    assert list(dict.fromkeys(stage.stage for stage in stages)) == [f"{size} landmark columns" for size in sizes]
