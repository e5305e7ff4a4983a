import importlib.util

import numpy as np
import pytest

from residuum import datasets
from residuum.errors import ResiduumWarning
from residuum.evaluation import element_centric_similarity
from residuum.reproduction.partitions import PARTITIONS, installed

GRAPH = datasets.planted_groups(200, 4, mixing=0.05, average_degree=15, random_state=0)


@pytest.mark.parametrize(("method", "package"), [("Infomap", "infomap"), ("Leiden", "leidenalg")])
def test_planted_groups_are_found(method, package):
    pytest.importorskip(package, reason=f"{package} is not installed: pip install 'residuum[benchmarks]'")
    clusters = PARTITIONS[method](GRAPH, 0)
    assert clusters.shape == (200,)
    assert element_centric_similarity(clusters, GRAPH.node_attributes["group"], adjusted=True) > 0.9
    np.testing.assert_array_equal(clusters, PARTITIONS[method](GRAPH, 0))


def test_methods_without_their_package_are_left_out_with_a_warning(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "infomap" else object())
    with pytest.warns(ResiduumWarning, match="Infomap are skipped"):
        assert installed(["NetMF", "Infomap", "Leiden"]) == ["NetMF", "Leiden"]
