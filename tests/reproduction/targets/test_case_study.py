import csv
from types import SimpleNamespace

import numpy as np
import pytest

from residuum import Graph
from residuum.evaluation import predict_classes, predict_numbers, similarity_dependence
from residuum.reproduction import reproduce
from residuum.reproduction.citations import Citations
from residuum.reproduction.target import Case, Settings
from residuum.reproduction.targets import case_study

RUN = 2

pytest.importorskip("matplotlib")


def test_erasing_the_year_lowers_its_dependence(tmp_path):
    methods = ["residual2vec, dcSBM, year erased", "residual2vec"]
    graphs = ["journals 0.002"]
    files = reproduce("case-study", tmp_path, runs=1, quick=True, graphs=graphs, methods=methods)
    with files[0].open(encoding="utf-8", newline="") as stream:
        rows = {row["method"]: row for row in csv.DictReader(stream)}
    year = {name: float(row["R², year"]) for name, row in rows.items()}
    assert year["residual2vec, dcSBM, year erased"] < year["residual2vec"]
    assert "| residual2vec |" in files[1].read_text(encoding="utf-8")
    # Projections are stored for the figure.
    stored = sorted(file.name for file in tmp_path.glob("*.npz"))
    assert stored == [
        "case-study.quick-journals-0-002-residual2vec-dcsbm-year-erased.npz",
        "case-study.quick-journals-0-002-residual2vec.npz",
    ]


@pytest.fixture
def journals(monkeypatch):
    """Return ten journals in twelve years, with vectors that encode the journal and the degree, not the year."""
    rng = np.random.default_rng(0)
    unit, year = np.repeat(np.arange(10), 12), np.tile(np.arange(12.0), 10)
    graph = Graph(rng.random((120, 120)) < rng.uniform(0.05, 0.6, size=(120, 1)), directed=True)
    vectors = rng.standard_normal((10, 6))[unit] + 0.02 * rng.standard_normal((120, 6))
    vectors[:, 0] += graph.out_strength / 10
    citations = Citations(graph, year, rng.standard_normal(10)[unit], np.array(list("abcde"))[unit % 5], unit)
    monkeypatch.setattr(case_study, "load_citations", lambda name, folder: citations)
    monkeypatch.setattr(case_study, "fit", lambda *_: SimpleNamespace(vectors=vectors))
    return citations, vectors


def measured(tmp_path):
    return case_study.TARGET.measure(Case("journals 0.02, directed", "residual2vec"), RUN, Settings(tmp_path))


def test_dependence_is_measured_on_out_degree_and_year(tmp_path, journals):
    citations, vectors = journals
    degree, in_degree, year = (
        similarity_dependence(vectors, x, random_state=RUN)
        for x in (citations.graph.out_strength, citations.graph.in_strength, citations.year)
    )
    values = measured(tmp_path)
    assert values["R², degree"] == pytest.approx(degree)
    assert values["R², year"] == pytest.approx(year)
    assert degree > 0.1 > max(in_degree, year)


@pytest.mark.parametrize("k", [5, 10, 20, 50])
def test_no_journal_is_in_both_training_and_test_set(tmp_path, journals, k):
    citations, vectors = journals
    common = {"n_neighbors": k, "groups": citations.unit, "random_state": RUN}
    values = measured(tmp_path)
    field = predict_classes(vectors, citations.field, **common).micro_f1.mean()
    impact = predict_numbers(vectors, citations.impact, **common).mean()
    assert values[f"field, micro-F1, k = {k}"] == pytest.approx(field)
    assert values[f"impact, R², k = {k}"] == pytest.approx(impact)
    # With a journal in both sets, its other years reveal the impact.
    if k == 5:
        assert predict_numbers(vectors, citations.impact, n_neighbors=k, random_state=RUN).mean() > 0.8 > impact


def test_the_note_names_the_degree_and_the_vectors(tmp_path):
    note = case_study.TARGET.table([], Settings(tmp_path)).splitlines()[0]
    assert "in directed graphs the degree is the out-degree (number of references)" in note
    assert "the vectors are source vectors" in note
