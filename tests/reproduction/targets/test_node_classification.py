from types import SimpleNamespace

import numpy as np
import pytest

from residuum.evaluation import classify_nodes
from residuum.reproduction.graphs import load_graph
from residuum.reproduction.published import COGDL
from residuum.reproduction.target import Case, Row, Settings
from residuum.reproduction.targets import node_classification
from residuum.reproduction.targets.node_classification import TARGET

RUN = 1


def test_each_column_has_its_fraction(tmp_path, monkeypatch):
    labels = load_graph("planted").node_attributes["group"]
    vectors = np.eye(4)[labels] + np.random.default_rng(0).standard_normal((300, 4))
    monkeypatch.setattr(node_classification, "fit", lambda *_: SimpleNamespace(vectors=vectors))
    values = TARGET.measure(Case("planted", "NetMF"), RUN, Settings(tmp_path, quick=True))
    assert tuple(values) == TARGET.measures
    for fraction in (0.1, 0.5, 0.9):
        expected = classify_nodes(vectors, labels, train_fraction=fraction, n_splits=2, random_state=RUN)
        assert values[f"micro-F1, {fraction:.0%}"] == pytest.approx(expected.micro_f1.mean())
        assert values[f"macro-F1, {fraction:.0%}"] == pytest.approx(expected.macro_f1.mean())


def test_the_cases_are_the_three_graphs_of_the_leaderboard(tmp_path):
    cases = TARGET.cases(Settings(tmp_path, methods=("NetMF",)))
    assert [case.graph for case in cases] == list(COGDL["NetMF"])


def test_published_numbers_are_in_the_table_at_90_percent_only(tmp_path):
    rows = [Row("ppi", "NetMF", 0, dict.fromkeys(TARGET.measures, 0.241))]
    table = TARGET.table(rows, Settings(tmp_path))
    assert table.count("| ProNE, CogDL | **24.60** |") == 1
    assert table.index("micro-F1, 90%") < table.index("ProNE, CogDL") < table.index("macro-F1, 10%")
    assert "| NetMF | 24.10 |" in table
