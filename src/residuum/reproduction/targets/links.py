"""Link prediction with the score of the paper and against degree-matched negatives."""

import time
from typing import Any

from residuum.evaluation import recommend
from residuum.reproduction.figures import dot_panels
from residuum.reproduction.graphs import graphs_of, split
from residuum.reproduction.methods import fit, methods_of
from residuum.reproduction.tables import comparison_table, interval_of, mean_table, names_of
from residuum.reproduction.target import Case, Row, Settings, Target

__all__ = ["MATCHED", "MEASURES", "METHOD", "TARGET", "UNIFORM", "measure_links"]

_PAPER, UNIFORM, MATCHED = "AUC, paper", "AUC, uniform", "AUC, degree-matched"
MEASURES = (
    _PAPER,
    UNIFORM,
    MATCHED,
    "AUC, two steps apart",
    "average precision",
    "precision at 10",
    "recall at 10",
    "hits at 10",
    "seconds",
)
_HIDDEN = 0.5
# Number of nodes with recommendation lists.
_RECOMMENDED_TO = 500
METHOD = "residual2vec"


def _cases(settings: Settings) -> list[Case]:
    return [Case(graph, method) for graph in graphs_of(settings) for method in methods_of(settings)]


def measure_links(case: Case, run: int, settings: Settings, fraction: float, n_components: int) -> dict[str, float]:
    """Hold out edges, embed the rest, and measure how well a method predicts them.

    Parameters
    ----------
    case : Case
        Graph and method.
    run : int
        Seed of the split and the method.
    settings : Settings
        Quick or full training.
    fraction : float
        Share of the edges to hold out.
    n_components : int
        Number of dimensions.

    Returns
    -------
    dict of str to float
        Value of each of :data:`MEASURES`.
    """
    task = split(case.graph, fraction, run)
    began = time.perf_counter()
    fitted = fit(case.method, task.train, settings, run, n_components)
    seconds = time.perf_counter() - began
    scores = fitted.scores
    # The residual score of the degree is constant.
    residual = scores["full"] if case.method == "degree" else scores["residual"]
    lists = recommend(task.train, task.positive, scores["ranking"], 10, n_nodes=_RECOMMENDED_TO, random_state=run)
    values = (
        task.auc(scores["paper"], "uniform"),
        task.auc(scores["full"], "uniform"),
        task.auc(residual, "degree-matched"),
        task.auc(scores["full"], "distance 2"),
        task.average_precision(scores["full"], "uniform"),
        float(lists.precision.mean()),
        float(lists.recall.mean()),
        float(lists.hits.mean()),
        seconds,
    )
    return dict(zip(MEASURES, values, strict=True))


def _measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    return measure_links(case, run, settings, _HIDDEN, settings.n_components)


def _table(rows: list[Row], settings: Settings) -> str:
    del settings
    note = (
        f'Half of the edges held out. "{_PAPER}": the score of the paper, u·u + z, against uniform negatives, with z '
        f'for residual2vec, GloVe and the degree only. "{UNIFORM}": the association u·v plus the offsets of the null '
        f'model (log degrees for methods without offsets), for every method. "{MATCHED}": the association alone, '
        "against negatives with the degrees of edges. "
        "Means over runs with 90 % t-intervals."
    )
    parts = [
        note,
        *(mean_table(rows, measure, lowest=measure == "seconds") for measure in MEASURES),
        comparison_table(rows, _PAPER, METHOD),
    ]
    return "\n\n".join(parts)


def _draw(rows: list[Row], settings: Settings) -> Any:
    del settings
    methods = names_of(rows, lambda row: row.method)
    panels = {
        graph: {m: interval for m in methods if (interval := interval_of(rows, _PAPER, graph, m))}
        for graph in names_of(rows, lambda row: row.graph)
    }
    return dot_panels(panels, "AUC-ROC, score of the paper")


TARGET = Target(
    "link-prediction",
    "Figure 3, A to F: link prediction",
    MEASURES,
    _cases,
    _measure,
    _table,
    _draw,
)
