import sys

import numpy as np
import pytest

from residuum.baselines import leace
from residuum.errors import MissingExtraError


@pytest.mark.parametrize("n_labels", [2, 3])
def test_labels_have_the_same_mean_after_erasure_and_directions_without_label_are_kept(n_labels):
    pytest.importorskip("concept_erasure")
    rng = np.random.default_rng(0)
    labels = np.arange(300) % n_labels
    vectors = rng.standard_normal((300, 6))
    for label in range(n_labels):
        vectors[labels == label, 0] += 3.0 * label
    vectors[:, 5] = rng.permuted(np.tile(np.arange(300 // n_labels), (n_labels, 1)), axis=1).T.ravel()
    erased = leace(vectors, labels.astype(str))
    means = np.array([erased[labels == label].mean(axis=0) for label in range(n_labels)])
    np.testing.assert_allclose(means, np.broadcast_to(means[0], means.shape), atol=1e-4)
    assert erased.dtype == np.float32
    assert np.corrcoef(erased[:, 5], vectors[:, 5])[0, 1] > 0.999


def test_a_missing_package_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "concept_erasure", None)
    with pytest.raises(MissingExtraError, match=r"concept_erasure.*residuum\[benchmarks\]"):
        leace(np.eye(4), [0, 0, 1, 1])
