from types import SimpleNamespace

import numpy as np
import pytest

from residuum.evaluation import auc_roc, average_precision, link_task, recommend
from residuum.reproduction.graphs import load_graph
from residuum.reproduction.methods import fit
from residuum.reproduction.target import Case, Row, Settings
from residuum.reproduction.targets import links

RUN, N_COMPONENTS = 3, 8


@pytest.fixture
def settings(tmp_path):
    return Settings(tmp_path, quick=True)


@pytest.fixture
def clock(monkeypatch):
    """Make every fit last 2.5 seconds."""
    monkeypatch.setattr(links, "time", SimpleNamespace(perf_counter=iter([10.0, 12.5]).__next__))


def measured_directly(method, fraction, settings):
    """Return the value of each column from an independent split and fit."""
    task = link_task(load_graph("planted"), fraction, np.random.default_rng(RUN), distances=[2])
    scores = fit(method, task.train, settings, RUN, N_COMPONENTS).scores

    def score_of(score, pairs):
        return scores[score](pairs[:, 0], pairs[:, 1])

    def auc(score, negatives):
        return auc_roc(score_of(score, task.positive), score_of(score, task.negatives[negatives]))

    lists = recommend(task.train, task.positive, scores["full"], 10, n_nodes=500, random_state=RUN)
    return {
        "AUC, paper": auc("paper", "uniform"),
        "AUC, uniform": auc("full", "uniform"),
        "AUC, degree-matched": auc("full" if method == "degree" else "residual", "degree-matched"),
        "AUC, two steps apart": auc("full", "distance 2"),
        "average precision": average_precision(
            score_of("full", task.positive), score_of("full", task.negatives["uniform"])
        ),
        "precision at 10": (lists.n_hits / 10).mean(),
        "recall at 10": (lists.n_hits / lists.hidden).mean(),
        "hits at 10": (lists.n_hits > 0).mean(),
        "seconds": 2.5,
    }


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("fraction", [0.5, 0.25])
def test_each_column_has_its_measure(settings, fraction):
    values = links.measure_links(Case("planted", "NetMF"), RUN, settings, fraction, N_COMPONENTS)
    expected = measured_directly("NetMF", fraction, settings)
    assert tuple(values) == links.MEASURES == tuple(expected)
    assert values == pytest.approx(expected, rel=1e-6)
    # All columns differ, so that a swap is detected.
    assert np.diff(np.sort(list(values.values()))).min() > 1e-4


@pytest.mark.usefixtures("clock")
def test_the_degree_is_scored_against_degree_matched_negatives(settings):
    values = links.measure_links(Case("planted", "degree"), RUN, settings, 0.5, N_COMPONENTS)
    assert values == pytest.approx(measured_directly("degree", 0.5, settings))
    assert values["AUC, degree-matched"] != 0.5


@pytest.mark.parametrize(("quick", "n_components"), [(False, 64), (True, 16)])
def test_half_of_the_edges_are_held_out(tmp_path, monkeypatch, quick, n_components):
    case, settings, calls = Case("planted", "NetMF"), Settings(tmp_path, quick=quick), []
    monkeypatch.setattr(links, "measure_links", lambda *arguments: calls.append(arguments))
    links.TARGET.measure(case, RUN, settings)
    assert calls == [(case, RUN, settings, 0.5, n_components)]


def some_rows():
    return [Row("planted", "residual2vec", run, dict.fromkeys(links.MEASURES, 0.5 + run / 10)) for run in range(2)]


def test_the_figure_names_its_score(settings):
    pytest.importorskip("matplotlib")
    rows = [Row(row.graph, row.method, row.run, row.values | {"AUC, paper": 0.9}) for row in some_rows()]
    [axis] = links.TARGET.draw(rows, settings).axes
    assert axis.get_xlabel() == "AUC-ROC, score of the paper"
    assert axis.lines[-1].get_xdata() == [0.9]
