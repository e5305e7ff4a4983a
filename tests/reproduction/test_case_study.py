import csv
from types import SimpleNamespace

import numpy as np
import pytest

from residuum import Graph
from residuum.evaluation import predict_classes, predict_numbers, similarity_dependence
from residuum.reproduction import case_study, reproduce
from residuum.reproduction.citations import Citations
from residuum.reproduction.target import Case, Settings

RUN = 2

pytest.importorskip("matplotlib")


def test_the_null_of_years_leaves_less_of_the_year(tmp_path):
    methods = ["r2v-dcSBM, year erased", "r2v-config"]
    graphs = ["journals 0.002"]
    files = reproduce("case-study", tmp_path, runs=1, quick=True, graphs=graphs, methods=methods)
    with files[0].open(encoding="utf-8", newline="") as stream:
        rows = {row["method"]: row for row in csv.DictReader(stream)}
    year = {name: float(row["R², year"]) for name, row in rows.items()}
    assert year["r2v-dcSBM, year erased"] < year["r2v-config"]
    assert "| r2v-config |" in files[1].read_text(encoding="utf-8")
    # The plane of the fields is kept for the figure.
    kept = sorted(file.name for file in tmp_path.glob("*.npz"))
    assert kept == [
        "case-study.quick-journals-0-002-r2v-config.npz",
        "case-study.quick-journals-0-002-r2v-dcsbm-year-erased.npz",
    ]


@pytest.fixture
def journals(monkeypatch):
    """Ten journals in twelve years whose vectors tell the journal, a little the degree and nothing of the year."""
    rng = np.random.default_rng(0)
    unit, year = np.repeat(np.arange(10), 12), np.tile(np.arange(12.0), 10)
    graph = Graph(rng.random((120, 120)) < rng.uniform(0.05, 0.6, size=(120, 1)), directed=True)
    vectors = rng.standard_normal((10, 6))[unit] + 0.02 * rng.standard_normal((120, 6))
    vectors[:, 0] += graph.out_strength / 10
    known = Citations(graph, year, rng.standard_normal(10)[unit], np.array(list("abcde"))[unit % 5], unit)
    monkeypatch.setattr(case_study, "load_citations", lambda name, folder: known)
    monkeypatch.setattr(case_study, "fit", lambda *given: SimpleNamespace(vectors=vectors))
    return known, vectors


def measured(tmp_path):
    return case_study.TARGET.measure(Case("journals 0.02, directed", "r2v-config"), RUN, Settings(tmp_path))


def test_similarity_is_told_by_the_out_degree_and_by_the_year(tmp_path, journals):
    known, vectors = journals
    degree, in_degree, year = (
        similarity_dependence(vectors, x, random_state=RUN)
        for x in (known.graph.out_strength, known.graph.in_strength, known.year)
    )
    found = measured(tmp_path)
    assert found["R², degree"] == pytest.approx(degree)
    assert found["R², year"] == pytest.approx(year)
    assert degree > 0.1 > max(in_degree, year)


@pytest.mark.parametrize("k", [5, 10, 20, 50])
def test_no_journal_is_on_both_sides_of_a_prediction(tmp_path, journals, k):
    known, vectors = journals
    common = {"n_neighbors": k, "groups": known.unit, "random_state": RUN}
    found = measured(tmp_path)
    field = predict_classes(vectors, known.field, **common).micro_f1.mean()
    impact = predict_numbers(vectors, known.impact, **common).mean()
    assert found[f"field, micro-F1, k = {k}"] == pytest.approx(field)
    assert found[f"impact, R², k = {k}"] == pytest.approx(impact)
    # With the journal on both sides, its other years give the answer.
    if k == 5:
        assert predict_numbers(vectors, known.impact, n_neighbors=k, random_state=RUN).mean() > 0.8 > impact


def test_the_note_says_which_degree_and_which_vectors(tmp_path):
    note = case_study.TARGET.table([], Settings(tmp_path)).splitlines()[0]
    assert "in directed graphs the degree is the out-degree (the references made)" in note
    assert "vectors are those of sources" in note
