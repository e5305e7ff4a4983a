import numpy as np
import pytest
from sklearn.cluster import KMeans

from residuum.embedding import kmeans
from residuum.embedding.kmeans import KMeansClusters


def groups(n_groups, size=25, noise=0.1, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(n_groups), size)
    centers = rng.normal(size=(n_groups, 12))
    return centers[labels] + noise * rng.normal(size=(len(labels), 12)), labels


def inertia(vectors, labels):
    return sum(np.sum((vectors[labels == k] - vectors[labels == k].mean(axis=0)) ** 2) for k in np.unique(labels))


def same(labels, truth):
    pairs = np.unique(np.stack([labels, truth]), axis=1)
    return pairs.shape[1] == len(np.unique(labels)) == len(np.unique(truth))


def test_many_clear_clusters_are_found_where_random_starts_fail():
    vectors, truth = groups(60, noise=0.3)
    random_starts = KMeans(60, n_init=10, random_state=0).fit(vectors).labels_
    assert not same(random_starts, truth)
    assert same(KMeansClusters(vectors).labels(60), truth)


def test_the_hierarchy_of_a_sample_finds_the_clusters_of_all(monkeypatch):
    monkeypatch.setattr(kmeans, "_SAMPLED_VECTORS", 300)
    vectors, truth = groups(40)
    assert same(KMeansClusters(vectors).labels(40), truth)


@pytest.mark.parametrize("n_clusters", [1, 2, 7, 30])
def test_the_sum_of_squares_is_at_most_that_of_random_starts(n_clusters):
    noise = np.random.default_rng(0).normal(size=(300, 5))
    expected = KMeans(n_clusters, n_init=3, random_state=4).fit(noise).inertia_
    labels = KMeansClusters(noise, random_state=4).labels(n_clusters, n_starts=3)
    assert len(np.unique(labels)) == n_clusters
    assert inertia(noise, labels) <= expected * (1 + 1e-9)


def test_random_starts_count_if_they_are_better(monkeypatch):
    vectors, truth = groups(4)
    monkeypatch.setattr(KMeansClusters, "_centers", lambda self, n: np.repeat(vectors[:1], n, axis=0) + np.eye(n, 12))
    assert same(KMeansClusters(vectors).labels(4, n_starts=5), truth)


@pytest.mark.filterwarnings("error")
def test_equal_vectors_and_as_many_clusters_as_vectors():
    vectors = np.repeat(np.eye(3), 5, axis=0)
    assert same(KMeansClusters(vectors).labels(3), np.repeat(np.arange(3), 5))
    assert len(np.unique(KMeansClusters(np.eye(4)).labels(4))) == 4
    assert KMeansClusters(np.eye(4)[:1]).labels(1).tolist() == [0]
    almost_equal = np.repeat(np.eye(2), 5, axis=0)
    almost_equal[0] += 1e-16 * np.array([0.0, 1.0])
    assert set(KMeansClusters(almost_equal).labels(3)) <= {0, 1, 2}


def test_a_sample_with_fewer_vectors_than_clusters_is_not_used(monkeypatch):
    monkeypatch.setattr(kmeans, "_SAMPLED_VECTORS", 8)
    vectors, _ = groups(12)
    assert len(np.unique(KMeansClusters(vectors).labels(12))) == 12
