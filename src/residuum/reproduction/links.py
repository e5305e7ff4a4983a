"""Link prediction, as in the paper and against negatives of the same degree."""

import time
from typing import Any

from residuum.evaluation import recommend
from residuum.reproduction.figures import dot_panels, new_figure, style_of
from residuum.reproduction.graphs import graphs_of, split
from residuum.reproduction.methods import fit, methods_of
from residuum.reproduction.tables import comparison_table, interval_of, mean_table, names_of
from residuum.reproduction.target import Case, Row, Settings, Target

__all__ = ["DEGREE_CORRECTED", "LINK_PREDICTION"]

_PAPER, _UNIFORM, _MATCHED = "AUC, paper", "AUC, uniform", "AUC, degree-matched"
_MEASURES = (
    _PAPER,
    _UNIFORM,
    _MATCHED,
    "AUC, two steps apart",
    "average precision",
    "precision at 10",
    "recall at 10",
    "hits at 10",
    "seconds",
)
_HIDDEN, _HIDDEN_DEGREE_CORRECTED = 0.5, 0.25
# Nodes whose lists of recommendations are looked at.
_RECOMMENDED_TO = 500
_METHOD = "r2v-config"


def _cases(settings: Settings) -> list[Case]:
    return [Case(graph, method) for graph in graphs_of(settings) for method in methods_of(settings)]


def _measure(case: Case, run: int, settings: Settings, fraction: float, n_components: int) -> dict[str, float]:
    task = split(case.graph, fraction, run)
    began = time.perf_counter()
    fitted = fit(case.method, task.train, settings, run, n_components)
    seconds = time.perf_counter() - began
    scores = fitted.scores
    # A degree has nothing beyond itself to say; it is asked all the same.
    beyond = scores["full"] if case.method == "degree" else scores["residual"]
    first = recommend(task.train, task.positive, scores["full"], 10, n_nodes=_RECOMMENDED_TO, random_state=run)
    values = (
        task.auc(scores["paper"], "uniform"),
        task.auc(scores["full"], "uniform"),
        task.auc(beyond, "degree-matched"),
        task.auc(scores["full"], "distance 2"),
        task.average_precision(scores["full"], "uniform"),
        float(first.precision.mean()),
        float(first.recall.mean()),
        float(first.hits.mean()),
        seconds,
    )
    return dict(zip(_MEASURES, values, strict=True))


def _measure_as_paper(case: Case, run: int, settings: Settings) -> dict[str, float]:
    return _measure(case, run, settings, _HIDDEN, settings.n_components)


def _measure_degree_corrected(case: Case, run: int, settings: Settings) -> dict[str, float]:
    return _measure(case, run, settings, _HIDDEN_DEGREE_CORRECTED, 16 if settings.quick else 128)


def _table_as_paper(rows: list[Row], settings: Settings) -> str:
    del settings
    note = (
        f'Half of the edges hidden. "{_PAPER}": the score of the paper, u·u + z, against uniform negatives, with z for '
        f'residual2vec, GloVe and the degree only. "{_UNIFORM}": the association u·v with what the null explains, for '
        f'every method. "{_MATCHED}": the association alone, against negatives with the degrees of edges. '
        "Means over runs with 90 % intervals (bootstrap, 10⁴ resamples)."
    )
    parts = [
        note,
        *(mean_table(rows, measure, lowest=measure == "seconds") for measure in _MEASURES),
        comparison_table(rows, _PAPER, _METHOD),
    ]
    return "\n\n".join(parts)


def _table_degree_corrected(rows: list[Row], settings: Settings) -> str:
    del settings
    note = (
        "A quarter of the edges hidden, K = 128. Uniform negatives are told from edges by degree alone; degree-matched "
        "ones are not (Aiyappa et al., ICML 2025). Means over runs with 90 % intervals (bootstrap, 10⁴ resamples)."
    )
    tables = (mean_table(rows, measure) for measure in (_MATCHED, _UNIFORM))
    return "\n\n".join([note, *tables, comparison_table(rows, _MATCHED, _METHOD)])


def _draw_as_paper(rows: list[Row], settings: Settings) -> Any:
    del settings
    methods = names_of(rows, lambda row: row.method)
    panels = {
        graph: {m: found for m in methods if (found := interval_of(rows, _PAPER, graph, m))}
        for graph in names_of(rows, lambda row: row.graph)
    }
    return dot_panels(panels, "AUC-ROC, uniform negatives")


def _draw_degree_corrected(rows: list[Row], settings: Settings) -> Any:
    """Each method by its AUC against uniform negatives and against those of the same degree."""
    del settings
    graphs, methods = names_of(rows, lambda row: row.graph), names_of(rows, lambda row: row.method)
    columns = min(3, len(graphs))
    figure, axes = new_figure(-(-len(graphs) // columns), columns, width=3.8, height=3.6)
    styles = style_of(methods)
    for axis, graph in zip(axes.flat, graphs, strict=False):
        for method in methods:
            x, y = (interval_of(rows, measure, graph, method) for measure in (_UNIFORM, _MATCHED))
            if x is None or y is None:
                continue
            style = {key: value for key, value in styles[method].items() if key != "linestyle"}
            axis.plot([x.mean], [y.mean], **style, linestyle="none", label=method)
            axis.plot([x.mean, x.mean], [y.low, y.high], color=style["color"], linewidth=1.2)
            axis.plot([x.low, x.high], [y.mean, y.mean], color=style["color"], linewidth=1.2)
        axis.axhline(0.5, color="black", linestyle=":", linewidth=1.0)
        axis.set_title(graph)
        axis.set_xlabel("AUC-ROC, uniform negatives")
        axis.set_ylabel("AUC-ROC, degree-matched negatives")
        axis.grid(alpha=0.3)
    for axis in list(axes.flat)[len(graphs) :]:
        axis.set_visible(False)
    handles, texts = axes.flat[0].get_legend_handles_labels()
    figure.legend(handles, texts, loc="outside lower center", ncols=3, fontsize=8, frameon=False)
    return figure


LINK_PREDICTION = Target(
    "link-prediction",
    "Figure 3, A to F: link prediction",
    _MEASURES,
    _cases,
    _measure_as_paper,
    _table_as_paper,
    _draw_as_paper,
)
DEGREE_CORRECTED = Target(
    "degree-corrected",
    "Link prediction against degree-matched negatives",
    _MEASURES,
    _cases,
    _measure_degree_corrected,
    _table_degree_corrected,
    _draw_degree_corrected,
)
