from types import SimpleNamespace

import numpy as np
import pytest

from residuum.evaluation import auc_roc, average_precision, link_task, recommend
from residuum.reproduction import degree_corrected, links
from residuum.reproduction.graphs import load_graph
from residuum.reproduction.methods import fit
from residuum.reproduction.target import Case, Row, Settings

RUN, COMPONENTS = 3, 8


@pytest.fixture
def settings(tmp_path):
    return Settings(tmp_path, quick=True)


@pytest.fixture
def clock(monkeypatch):
    """Let a fit take two and a half seconds."""
    monkeypatch.setattr(links, "time", SimpleNamespace(perf_counter=iter([10.0, 12.5]).__next__))


def measured_directly(method, fraction, settings):
    """Return the values of each column, in order, from a split and a fit made here."""
    task = link_task(load_graph("planted"), fraction, np.random.default_rng(RUN), distances=[2])
    scores = fit(method, task.train, settings, RUN, COMPONENTS).scores

    def told(score, pairs):
        return scores[score](pairs[:, 0], pairs[:, 1])

    def auc(score, negatives):
        return auc_roc(told(score, task.positive), told(score, task.negatives[negatives]))

    first = recommend(task.train, task.positive, scores["full"], 10, n_nodes=500, random_state=RUN)
    return {
        "AUC, paper": auc("paper", "uniform"),
        "AUC, uniform": auc("full", "uniform"),
        "AUC, degree-matched": auc("full" if method == "degree" else "residual", "degree-matched"),
        "AUC, two steps apart": auc("full", "distance 2"),
        "average precision": average_precision(told("full", task.positive), told("full", task.negatives["uniform"])),
        "precision at 10": (first.found / 10).mean(),
        "recall at 10": (first.found / first.hidden).mean(),
        "hits at 10": (first.found > 0).mean(),
        "seconds": 2.5,
    }


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("fraction", [0.5, 0.25])
def test_each_column_is_what_its_name_says(settings, fraction):
    found = links.measure_links(Case("planted", "NetMF"), RUN, settings, fraction, COMPONENTS)
    expected = measured_directly("NetMF", fraction, settings)
    assert tuple(found) == links.MEASURES == tuple(expected)
    assert found == pytest.approx(expected, rel=1e-6)
    # No two columns are the same here, so that none could stand for another.
    assert np.diff(np.sort(list(found.values()))).min() > 1e-4


@pytest.mark.usefixtures("clock")
def test_a_degree_is_asked_against_negatives_of_the_same_degree_all_the_same(settings):
    found = links.measure_links(Case("planted", "degree"), RUN, settings, 0.5, COMPONENTS)
    assert found == pytest.approx(measured_directly("degree", 0.5, settings))
    assert found["AUC, degree-matched"] != 0.5


@pytest.mark.parametrize(
    ("module", "fraction", "components", "quick_components"), [(links, 0.5, 64, 16), (degree_corrected, 0.25, 128, 16)]
)
def test_how_much_is_hidden_and_how_many_components(
    tmp_path, monkeypatch, module, fraction, components, quick_components
):
    case, asked = Case("planted", "NetMF"), []
    monkeypatch.setattr(module, "measure_links", lambda *given: asked.append(given))
    for quick, expected in ((False, components), (True, quick_components)):
        settings = Settings(tmp_path, quick=quick)
        module.TARGET.measure(case, RUN, settings)
        assert asked.pop() == (case, RUN, settings, fraction, expected)


def some_rows():
    return [Row("planted", "r2v-config", run, dict.fromkeys(links.MEASURES, 0.5 + run / 10)) for run in range(2)]


def test_the_figure_names_the_score_it_shows(settings):
    pytest.importorskip("matplotlib")
    rows = [Row(row.graph, row.method, row.run, row.values | {"AUC, paper": 0.9}) for row in some_rows()]
    [axis] = links.TARGET.draw(rows, settings).axes
    assert axis.get_xlabel() == "AUC-ROC, score of the paper"
    assert axis.lines[-1].get_xdata() == [0.9]


@pytest.mark.parametrize(("quick", "components"), [(False, 128), (True, 16)])
def test_the_degree_corrected_table_tells_its_components(tmp_path, quick, components):
    table = degree_corrected.TARGET.table(some_rows(), Settings(tmp_path, quick=quick))
    assert table.startswith(f"A quarter of the edges hidden, K = {components}.")
