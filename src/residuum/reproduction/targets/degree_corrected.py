"""Link prediction against degree-matched negatives (Aiyappa et al., ICML 2025), beyond the paper."""

from typing import Any

from residuum.reproduction.figures import auc_scales, new_figure, style_of
from residuum.reproduction.graphs import graphs_of
from residuum.reproduction.methods import methods_of
from residuum.reproduction.published import HALVES, PUBLISHED
from residuum.reproduction.tables import comparison_table, interval_of, markdown, mean_table, names_of
from residuum.reproduction.target import Case, Row, Settings, Target
from residuum.reproduction.targets.links import MATCHED, MEASURES, METHOD, UNIFORM, measure_links

__all__ = ["TARGET"]

_HIDDEN, _N_COMPONENTS = 0.25, 128
_OURS = (METHOD, "residual2vec, tuned", "residual2vec, pair head")
_DEGREE = "degree"
_BEST = "best of 32 published (per measure)"


def _cases(settings: Settings) -> list[Case]:
    graphs = graphs_of(settings, tuple(PUBLISHED))
    return [Case(graph, method) for graph in graphs for method in methods_of(settings)]


def _n_components(settings: Settings) -> int:
    return 16 if settings.quick else _N_COMPONENTS


def _measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    return measure_links(case, run, settings, _HIDDEN, _n_components(settings))


def _table(rows: list[Row], settings: Settings) -> str:
    note = (
        f"A quarter of the edges held out, K = {_n_components(settings)}. Degree alone separates edges from uniform "
        "negatives, but not from degree-matched negatives (Aiyappa et al., ICML 2025). Means over runs with 90 % "
        "t-intervals."
    )
    parts = [note, _wins_table(rows)]
    parts += [mean_table(rows, measure) for measure in (MATCHED, UNIFORM)]
    parts += [_published_table(rows, method) for method in _OURS]
    return "\n\n".join([*parts, comparison_table(rows, MATCHED, METHOD)])


def _differences(rows: list[Row], method: str, graphs: tuple[str, ...], place: int) -> list[tuple[float, float]]:
    """Return the mean AUC of a method and the best published AUC, for each graph with results."""
    measure = (MATCHED, UNIFORM)[place]
    pairs = ((interval_of(rows, measure, graph, method), PUBLISHED[graph][place]) for graph in graphs)
    return [(interval.mean, best) for interval, best in pairs if interval is not None]


def _wins_table(rows: list[Row]) -> str:
    """Return the number of graphs on which a method is above the best of 32 published models, and the means."""
    body = []
    for method in _OURS:
        for half, graphs in HALVES.items():
            for place, measure in enumerate((MATCHED, UNIFORM)):
                pairs = _differences(rows, method, graphs, place)
                if pairs:
                    wins = sum(ours > best for ours, best in pairs)
                    means = [f"{sum(column) / len(pairs):.3f}" for column in zip(*pairs, strict=True)]
                    body.append([f"{method}, {half}: {measure}", f"{wins} of {len(pairs)}", *means])
    return markdown(["above the best of 32", "graphs", "mean AUC", "mean of the best per graph"], body)


def _published_table(rows: list[Row], method: str) -> str:
    """Return a comparison of a method with the best published models."""
    body = []
    for graph in names_of(rows, lambda row: row.graph):
        for measure, place in ((MATCHED, 0), (UNIFORM, 1)):
            interval = interval_of(rows, measure, graph, method)
            if interval is None or graph not in PUBLISHED:
                continue
            best = PUBLISHED[graph][place]
            node2vec = f"{PUBLISHED[graph][2]:.3f}" if measure == MATCHED else ""
            mean = interval.mean
            body.append([f"{graph}: {measure}", f"{mean:.3f}", f"{best:.3f}", f"{mean - best:+.3f}", node2vec])
    return markdown(["published", method, "best of 32", "difference", "their node2vec"], body)


def _draw(rows: list[Row], settings: Settings) -> Any:
    """Draw each method by its AUC against uniform and degree-matched negatives, with the degree as text."""
    del settings
    graphs = names_of(rows, lambda row: row.graph)
    methods = [name for name in names_of(rows, lambda row: row.method) if name != _DEGREE]
    columns = min(3, len(graphs))
    figure, axes = new_figure(-(-len(graphs) // columns), columns, width=3.8, height=3.6)
    styles = style_of(methods)
    handles: dict[str, Any] = {}
    for axis, graph in zip(axes.flat, graphs, strict=False):
        for method in methods:
            x, y = (interval_of(rows, measure, graph, method) for measure in (UNIFORM, MATCHED))
            if x is None or y is None:
                continue
            style = {key: value for key, value in styles[method].items() if key != "linestyle"}
            (handles[method],) = axis.plot([x.mean], [y.mean], **style, linestyle="none")
            axis.plot([x.mean, x.mean], [y.low, y.high], color=style["color"], linewidth=1.2)
            axis.plot([x.low, x.high], [y.mean, y.mean], color=style["color"], linewidth=1.2)
        if graph in PUBLISHED:
            best = PUBLISHED[graph][1::-1]
            (handles[_BEST],) = axis.plot(*best, marker="*", markersize=11, color="0.4", linestyle="none")
        degree = [interval_of(rows, measure, graph, _DEGREE) for measure in (UNIFORM, MATCHED)]
        if all(degree):
            alone = ", ".join(f"{interval.mean:.3f}" for interval in degree if interval is not None)
            axis.text(0.98, 0.02, f"degree alone: {alone}", transform=axis.transAxes, ha="right", fontsize=8)
        axis.margins(0.12)
        auc_scales(axis)
        axis.set_title(graph)
        axis.set_xlabel("AUC-ROC, uniform negatives")
        axis.set_ylabel("AUC-ROC, degree-matched negatives")
        axis.grid(alpha=0.3)
    for axis in list(axes.flat)[len(graphs) :]:
        axis.set_visible(False)
    # A legend entry is about half a panel wide and 0.2 inch high.
    ncols = columns + 1
    figure.set_figheight(figure.get_figheight() + 0.2 * -(-len(handles) // ncols))
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=ncols, fontsize=8, frameon=False)
    return figure


TARGET = Target(
    "degree-corrected",
    "Link prediction against degree-matched negatives",
    MEASURES,
    _cases,
    _measure,
    _table,
    _draw,
)
