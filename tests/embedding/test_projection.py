import sys
from types import SimpleNamespace

import numpy as np
import pytest

from residuum.embedding import projection
from residuum.embedding.nearest import nearest_rows
from residuum.embedding.projection import project
from residuum.errors import InvalidParameterError

RNG = np.random.default_rng(0)
GROUP = np.repeat([0, 1, 2], 40)
VECTORS = np.eye(3)[GROUP] @ RNG.normal(size=(3, 8)) + 0.3 * RNG.normal(size=(120, 8))


def separation(points):
    """Return the mean distance between group centers over the mean distance to the own center."""
    centers = np.stack([points[g == GROUP].mean(axis=0) for g in range(3)])
    within = np.linalg.norm(points - centers[GROUP], axis=1).mean()
    return np.linalg.norm(centers[:, None] - centers, axis=2).sum() / 6 / within


@pytest.mark.parametrize("method", ["neighbors", "pca"])
def test_groups_of_vectors_are_groups_of_points(method):
    points = project(VECTORS, method)
    assert points.shape == (120, 2)
    assert points.dtype == np.float32
    assert np.abs(points).max() == pytest.approx(1.0)
    assert separation(points) > 2.0


def test_the_layout_keeps_neighbors_better_than_principal_components():
    vectors = np.random.default_rng(1).normal(size=(300, 6))
    near = nearest_rows(vectors, 5)[1]

    def kept(points):
        found = np.argsort(np.linalg.norm(points[:, None] - points, axis=2), axis=1)[:, 1:11]
        return np.mean([len(set(a) & set(b)) for a, b in zip(near.tolist(), found.tolist(), strict=True)])

    assert kept(project(vectors, "neighbors")) > 1.5 * kept(project(vectors, "pca"))


def test_the_same_seed_gives_the_same_points():
    np.testing.assert_array_equal(project(VECTORS, "neighbors"), project(VECTORS, "neighbors"))
    assert not np.array_equal(project(VECTORS, "neighbors"), project(VECTORS, "neighbors", random_state=1))


def test_given_neighbors_are_used():
    near = nearest_rows(VECTORS, projection.NEIGHBORS)[1]
    np.testing.assert_array_equal(project(VECTORS, "neighbors", nearest=near), project(VECTORS, "neighbors"))
    assert not np.array_equal(project(VECTORS, "neighbors", nearest=near[:, :3]), project(VECTORS, "neighbors"))


def test_a_zero_vector_has_no_point_and_the_others_do():
    vectors = np.vstack([VECTORS, np.zeros((1, 8))])[::-1]
    points = project(vectors, "neighbors")
    assert np.isnan(points[0]).all()
    assert np.isfinite(points[1:]).all()


@pytest.mark.parametrize("vectors", [np.zeros((4, 3)), np.eye(2), np.ones((5, 1)), np.ones((5, 3))])
def test_degenerate_vectors_have_finite_points_where_they_have_a_direction(vectors):
    points = project(vectors, "neighbors")
    assert (np.isfinite(points).all(axis=1) == vectors.any(axis=1)).all()


def test_umap_is_used_where_it_is_installed(monkeypatch):
    calls = []

    class Umap:
        def __init__(self, **parameters):
            calls.append(parameters)

        def fit_transform(self, vectors):
            return np.arange(2 * len(vectors), dtype=float).reshape(-1, 2)

    monkeypatch.setitem(sys.modules, "umap", SimpleNamespace(UMAP=Umap))
    monkeypatch.setattr(projection.importlib.util, "find_spec", lambda name: name)
    points = project(VECTORS)
    assert calls == [{"n_neighbors": 10, "metric": "cosine", "random_state": 0}]
    assert (np.diff(points[:, 0]) > 0).all()


def test_umap_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "umap", None)
    with pytest.raises(InvalidParameterError, match="pip install umap-learn"):
        project(VECTORS, "umap")


def test_an_unknown_method_is_refused():
    with pytest.raises(InvalidParameterError, match="method must be"):
        project(VECTORS, "tsne")
