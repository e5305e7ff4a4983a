import sys

import numpy as np
import pytest

from residuum.embedding.clustering import cluster_vectors
from residuum.errors import InvalidParameterError, MissingExtraError, ResiduumWarning

RNG = np.random.default_rng(0)
# Four groups of directions of different sizes; lengths vary and must not matter.
PLANTED = np.repeat(np.arange(4), [40, 30, 20, 15])
VECTORS = (np.eye(6)[PLANTED] + 0.1 * RNG.normal(size=(105, 6))) * RNG.uniform(0.1, 10, size=(105, 1))


@pytest.mark.parametrize(("method", "criterion"), [("kmeans", "silhouette"), ("leiden", "modularity")])
def test_planted_clusters_and_their_number_are_found(method: str, criterion: str) -> None:
    result = cluster_vectors(VECTORS, method=method, n_neighbors=10)
    np.testing.assert_array_equal(result.labels, PLANTED)
    assert (result.criterion, result.sizes) == (criterion, [40, 30, 20, 15])
    assert len(result.scores) > 3


def test_a_given_number_or_resolution_is_used() -> None:
    two = cluster_vectors(VECTORS, number=2)
    assert (len(two.sizes), two.criterion, two.scores) == (2, "given", {})
    many = cluster_vectors(VECTORS, method="leiden", resolution=20.0)
    assert (len(many.sizes) > 4, many.criterion) == (True, "given")


def test_zero_vectors_are_in_no_cluster() -> None:
    result = cluster_vectors(np.vstack([np.zeros(6), VECTORS]), number=4)
    np.testing.assert_array_equal(result.labels, [-1, *PLANTED])


def test_a_number_at_the_end_of_the_range_is_a_warning() -> None:
    # 60 distinct directions, three nodes each.
    vectors = np.repeat(np.random.default_rng(0).normal(size=(60, 40)), 3, axis=0)
    vectors += 1e-3 * np.random.default_rng(1).normal(size=vectors.shape)
    with pytest.warns(ResiduumWarning, match="the silhouette is highest at 50 clusters, the largest number"):
        cluster_vectors(vectors)


@pytest.mark.filterwarnings("ignore:the silhouette is highest")
@pytest.mark.parametrize("method", ["kmeans", "leiden"])
def test_the_seed_gives_the_same_clusters(method: str) -> None:
    noise = np.random.default_rng(1).normal(size=(80, 5))
    first, second = (cluster_vectors(noise, method=method, random_state=3).labels for _ in range(2))
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"method": "luck"}, "method must be one of 'kmeans', 'leiden'; got 'luck'"),
        ({"number": 0}, "number must be at least 1; got 0"),
        ({"number": 500}, "number must be at most 105, the number of distinct vectors; got 500"),
        ({"resolution": 1.0}, "resolution is for method='leiden'"),
        ({"method": "leiden", "number": 3}, "number is for method='kmeans'"),
        ({"method": "leiden", "resolution": 0.0}, "resolution must be above 0"),
    ],
)
def test_invalid_parameters_are_named(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        cluster_vectors(VECTORS, **parameters)  # type: ignore[arg-type]


def test_too_few_vectors_are_an_error() -> None:
    with pytest.raises(InvalidParameterError, match="at least 3 nodes with a nonzero vector; got 1"):
        cluster_vectors(np.array([[0.0], [1.0], [0.0]]))


def test_a_missing_igraph_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "igraph", None)
    with pytest.raises(MissingExtraError, match=r"residuum\[graphs\]"):
        cluster_vectors(VECTORS, method="leiden")
