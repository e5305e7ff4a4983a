import numpy as np
import pytest

from residuum import datasets
from residuum.distributed import clusters as module
from residuum.distributed.clusters import find_clusters
from residuum.distributed.matrix import PartitionedMatrix, PartitionedWindow
from residuum.nulls import Configuration, DegreeCorrectedSBM
from residuum.solvers import clusters as local
from residuum.walks import WindowProbabilities

# The graph of the fixture, with its groups.
PLANTED = datasets.planted_groups(400, 4, random_state=0)


def fitted(build, graph, model):
    partitioned = build(graph)
    return PartitionedMatrix(PartitionedWindow(partitioned, 3), model.fit(partitioned, 3), -2.0)


@pytest.mark.parametrize("kind", ["configuration", "exponent", "dcsbm"])
def test_clusters_are_those_of_one_machine(build, graph, kind):
    labels = {node: k % 3 for k, node in enumerate(graph.node_ids.tolist())}
    model = {"configuration": Configuration(), "exponent": Configuration(0.5), "dcsbm": DegreeCorrectedSBM(labels)}[
        kind
    ]
    found = find_clusters(fitted(build, graph, model), 20, np.random.default_rng(2))
    probabilities = WindowProbabilities(graph, 3)
    expected = local.find_clusters(probabilities, model.fit(graph, 3), 20, np.random.default_rng(2))
    assert np.mean(found == expected) > 0.99


def test_k_means_on_a_sample_finds_planted_groups(build, graph, monkeypatch):
    monkeypatch.setattr(module, "_SAMPLE", 100)
    found = find_clusters(fitted(build, graph, Configuration()), 12, np.random.default_rng(0))
    assert set(found.tolist()) == set(range(found.max() + 1))
    groups = np.unique(PLANTED.node_attributes["group"], return_inverse=True)[1]
    matches = [np.bincount(groups[found == cluster]).max() for cluster in range(found.max() + 1)]
    # Random clusters of this size would match a third.
    assert sum(matches) > 0.6 * graph.n_nodes
