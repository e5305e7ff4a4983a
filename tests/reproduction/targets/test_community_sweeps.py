from types import SimpleNamespace

import numpy as np
import pytest

from residuum import datasets
from residuum.evaluation import community_auc, community_recovery, partition_recovery
from residuum.reproduction.target import Case, Settings
from residuum.reproduction.targets import community_sweeps

RUN = 2
GROUPS = datasets.planted_groups(90, 3, mixing=0.1, random_state=0)


@pytest.fixture
def requests(monkeypatch):
    """Replace the LFR generator by a fixed graph, and record its arguments."""
    calls = []

    def lfr(mixing, **rest):
        calls.append({"mixing": mixing} | rest)
        return SimpleNamespace(node_attributes={"community": GROUPS.node_attributes["group"]})

    monkeypatch.setattr(datasets, "lfr", lfr)
    community_sweeps._graph.cache_clear()
    yield calls
    community_sweeps._graph.cache_clear()


@pytest.mark.parametrize(("quick", "n_nodes"), [(True, 300), (False, 1000)])
@pytest.mark.parametrize("exponent", [3, 6])
def test_exponent_and_mixing_are_arguments_of_the_generator(tmp_path, monkeypatch, requests, exponent, quick, n_nodes):
    vectors = np.random.default_rng(0).standard_normal((90, 4))
    monkeypatch.setattr(community_sweeps, "fit", lambda *_: SimpleNamespace(vectors=vectors))
    case = Case(f"LFR, τ = {exponent}, μ = 0.3", "NetMF")
    community_sweeps.TARGET.measure(case, RUN, Settings(tmp_path, quick=quick))
    assert requests == [{"mixing": 0.3, "n_nodes": n_nodes, "degree_exponent": float(exponent), "random_state": RUN}]


@pytest.mark.usefixtures("requests")
def test_each_column_has_its_measure(tmp_path, monkeypatch):
    rng, communities = np.random.default_rng(0), GROUPS.node_attributes["group"]
    vectors = np.eye(3)[communities] + 0.6 * rng.standard_normal((90, 3))
    monkeypatch.setattr(community_sweeps, "fit", lambda *_: SimpleNamespace(vectors=vectors))
    monkeypatch.setattr(community_sweeps, "time", SimpleNamespace(perf_counter=iter([10.0, 12.5]).__next__))
    values = community_sweeps.TARGET.measure(Case("LFR, τ = 3, μ = 0.1", "NetMF"), RUN, Settings(tmp_path))
    recovery = community_recovery(vectors, communities, random_state=RUN)
    assert values == pytest.approx(
        {
            "AUC": community_auc(vectors, communities, random_state=RUN),
            "mutual information": recovery.mutual_information,
            "element-centric similarity": recovery.element_centric,
            "adjusted element-centric similarity": recovery.adjusted_element_centric,
            "seconds": 2.5,
        }
    )
    assert np.diff(np.sort(list(values.values()))).min() > 0.01


@pytest.mark.usefixtures("requests")
def test_a_partition_is_graded_by_its_clusters(tmp_path, monkeypatch):
    clusters = np.where(GROUPS.node_attributes["group"] == 2, 1, 0)
    monkeypatch.setitem(community_sweeps.PARTITIONS, "Leiden", lambda graph, seed: clusters)
    values = community_sweeps.TARGET.measure(Case("LFR, τ = 3, μ = 0.1", "Leiden"), RUN, Settings(tmp_path))
    recovery = partition_recovery(clusters, GROUPS.node_attributes["group"])
    assert values["adjusted element-centric similarity"] == recovery.adjusted_element_centric
    # All pairs within a group are in one cluster, as are half of the others.
    assert values["AUC"] == pytest.approx(0.5 + (1 - 1 / 3) / 2, abs=0.02)


def test_partitions_are_methods_of_the_target(tmp_path, monkeypatch):
    monkeypatch.setattr(community_sweeps, "installed", lambda methods: methods)
    cases = community_sweeps.TARGET.cases(Settings(tmp_path, methods=("residual2vec", "Infomap", "Leiden")))
    assert {case.method for case in cases} == {"residual2vec", "Infomap", "Leiden"}
