import numpy as np

from residuum.reproduction.projections import project, read_projection


def test_the_projection_separates_fields_and_is_stored(tmp_path):
    rng = np.random.default_rng(0)
    field, year = np.repeat([0, 1, 2], 50), np.arange(150) % 40 + 1980
    vectors = rng.standard_normal((150, 8))
    vectors[:, 0] += 20 * field
    base = tmp_path / "study"
    assert read_projection(base, "journals 0.02", "r2v, q = 1") is None
    project(base, "journals 0.02", "r2v, q = 1", vectors, field, year)
    assert [file.name for file in tmp_path.iterdir()] == ["study-journals-0-02-r2v-q-1.npz"]
    projection = read_projection(base, "journals 0.02", "r2v, q = 1")
    # Every graph has a separate file.
    assert read_projection(base, "journals 0.005", "r2v, q = 1") is None
    assert projection.points.shape == (150, 2)
    np.testing.assert_array_equal(projection.year, year)
    centers = np.array([projection.points[field == label].mean(axis=0) for label in range(3)])
    spread = np.std(projection.points[field == 0], axis=0).max()
    gaps = np.linalg.norm(centers[:, None] - centers, axis=2)[np.triu_indices(3, 1)]
    assert gaps.min() > 5 * spread
