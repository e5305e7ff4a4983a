from types import SimpleNamespace

import numpy as np
import pytest

from residuum import datasets
from residuum.reproduction.target import Case, Row, Settings
from residuum.reproduction.targets import large_communities
from residuum.reproduction.targets.community_sweeps import MEASURES


def test_degree_and_mixing_are_arguments_of_the_generator(tmp_path, monkeypatch):
    calls = []

    def lfr(mixing, **rest):
        calls.append((mixing, rest["n_nodes"], rest["average_degree"], rest["max_degree"], rest["random_state"]))
        return SimpleNamespace(node_attributes={"community": np.zeros(60)})

    monkeypatch.setattr(datasets, "lfr", lfr)
    monkeypatch.setattr(large_communities, "measure_communities", lambda graph, *rest: dict.fromkeys(MEASURES, 0.0))
    large_communities._graph.cache_clear()
    large_communities.TARGET.measure(Case("degree 50, μ = 0.3", "NetMF"), 2, Settings(tmp_path))
    large_communities._graph.cache_clear()
    assert calls == [(0.3, 10_000, 50, 150, 2)]


def test_the_cases_have_three_mean_degrees(tmp_path):
    cases = large_communities.TARGET.cases(Settings(tmp_path, methods=("residual2vec",)))
    assert {case.graph.partition(",")[0] for case in cases} == {"degree 5", "degree 10", "degree 50"}


def test_the_table_has_a_section_per_degree_in_order(tmp_path):
    rows = [
        Row(graph, "NetMF", 0, dict.fromkeys(MEASURES, 0.5))
        for graph in ("degree 10, μ = 0.5", "degree 10, μ = 0.1", "degree 5, μ = 0.1")
    ]
    table = large_communities.TARGET.table(rows, Settings(tmp_path))
    assert table.index("## Mean degree 5") < table.index("## Mean degree 10")
    assert "| AUC | μ = 0.1 | μ = 0.5 |" in table


def test_a_quick_run_generates_and_grades_a_graph(tmp_path):
    pytest.importorskip("networkit")
    values = large_communities.TARGET.measure(
        Case("degree 10, μ = 0.1", "residual2vec"), 0, Settings(tmp_path, quick=True)
    )
    assert values["AUC"] > 0.9
