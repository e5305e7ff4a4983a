"""Figure 4: what the vectors of citation graphs say of degree, time, field and impact."""

import time
from pathlib import Path
from typing import Any

import numpy as np

from residuum.evaluation import Interval, predict_classes, predict_numbers, similarity_dependence
from residuum.models import FairWalk, Residual2Vec
from residuum.nulls import DegreeCorrectedSBM
from residuum.reproduction.citations import Citations, citation_graphs, load_citations
from residuum.reproduction.figures import draw_dots, new_figure, style_of
from residuum.reproduction.methods import AS_PUBLISHED, METHODS, Maker, fit, kind_of, methods_of
from residuum.reproduction.projections import draw_projection, project, read_projection
from residuum.reproduction.tables import interval_of, mean_table, names_of
from residuum.reproduction.target import Case, Row, Settings, Target

__all__ = ["TARGET"]

_YEAR = DegreeCorrectedSBM("year")
# The paper leaves out node2vec with q other than 1, NetMF and GAT, for want of memory.
_METHODS: dict[str, Maker | None] = {
    "r2v-dcSBM": lambda graph, common, walks, nets: Residual2Vec(**common, null_model=_YEAR),
    "r2v-dcSBM, year erased": lambda graph, common, walks, nets: Residual2Vec(**common, null_model=_YEAR, erase="null"),
    "r2v-dcSBM, as published": lambda graph, common, walks, nets: Residual2Vec(
        **common, **AS_PUBLISHED, null_model=_YEAR
    ),
    **{name: METHODS[name] for name in ("r2v-config", "node2vec, q = 1", "DeepWalk")},
    "FairWalk": lambda graph, common, walks, nets: FairWalk(**common, **walks, groups="year"),
    **{name: METHODS[name] for name in ("GloVe", "Laplacian eigenmap", "GCN", "GraphSAGE")},
}
_NEIGHBORS = (5, 10, 20, 50)
_SHOWN = 10
_PROJECTED = ("node2vec, q = 1", "GloVe", "r2v-config", "r2v-dcSBM, year erased")
# Nodes whose neighbours are asked.
_GRADED = 20_000
_DEPENDENCE = ("R², degree", "R², year")
_FIELD, _IMPACT = "field, micro-F1, k = ", "impact, R², k = "
_LOWER_IS_BETTER = {*_DEPENDENCE, "seconds"}
_MEASURES = (
    *_DEPENDENCE,
    *(f"{_FIELD}{k}" for k in _NEIGHBORS),
    *(f"{_IMPACT}{k}" for k in _NEIGHBORS),
    "seconds",
)


def _cases(settings: Settings) -> list[Case]:
    methods = methods_of(settings, _METHODS)
    return [Case(graph, method) for graph in citation_graphs(settings) for method in methods]


def _components(settings: Settings) -> int:
    return 16 if settings.quick else 128


def _projections(settings: Settings) -> Path:
    return settings.folder / f"case-study{'.quick' if settings.quick else ''}"


def _measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    known = load_citations(case.graph, settings.folder)
    began = time.perf_counter()
    vectors = fit(case.method, known.graph, settings, run, _components(settings), _METHODS).vectors
    seconds = time.perf_counter() - began
    first, kind = citation_graphs(settings)[0], kind_of(case.method)
    if run == 0 and case.graph == first and kind in _PROJECTED and known.field is not None:
        project(_projections(settings), case.graph, kind, vectors, known.field, known.year)
    values = [similarity_dependence(vectors, x, random_state=run) for x in (known.graph.out_strength, known.year)]
    values += _predictions(vectors, known, run)
    return dict(zip(_MEASURES, [*values, seconds], strict=True))


def _predictions(vectors: Any, known: Citations, seed: int) -> list[float]:
    graded = np.sort(np.random.default_rng(seed).permutation(len(vectors))[:_GRADED])
    common: dict[str, Any] = {"groups": None if known.unit is None else known.unit[graded], "random_state": seed}
    values = []
    for k in _NEIGHBORS:
        if known.field is None:
            values.append(np.nan)
            continue
        found = predict_classes(vectors[graded], known.field[graded], n_neighbors=k, **common)
        values.append(float(found.micro_f1.mean()))
    for k in _NEIGHBORS:
        told = predict_numbers(vectors[graded], known.impact[graded], n_neighbors=k, **common)
        values.append(float(told.mean()))
    return values


def _table(rows: list[Row], settings: Settings) -> str:
    note = (
        "A drawn citation graph of (journal, year) stands in for the paper's, which is not public: fields and impacts "
        "are planted. Papers of acl-cite and cit-hepth have real years; the field of a paper is its venue (the first "
        f"letter of its ACL id), its impact the citations it received per year. K = {_components(settings)}. R² of the "
        "cosine of 50,000 pairs on the degree and on the year of the two nodes (lower is less biased); in directed "
        "graphs the degree is the out-degree (the references made), and vectors are those of sources. Micro-F1 of the "
        "field and R² of the log of the impact by k nearest neighbours, five folds in which no journal is on both "
        "sides."
    )
    return "\n\n".join(
        [note, *(mean_table(rows, measure, lowest=measure in _LOWER_IS_BETTER) for measure in _MEASURES)]
    )


def _draw(rows: list[Row], settings: Settings) -> Any:
    """Projections above; below a row for each graph with what the vectors say of degree, year, field and impact."""
    graphs, methods = (names_of(rows, key) for key in (lambda row: row.graph, lambda row: row.method))
    shown = {
        "R² of cosine on degree": _DEPENDENCE[0],
        "R² of cosine on year": _DEPENDENCE[1],
        f"field: micro-F1, k = {_SHOWN}": f"{_FIELD}{_SHOWN}",
        f"impact: R², k = {_SHOWN}": f"{_IMPACT}{_SHOWN}",
    }
    kept = {m: found for m in _PROJECTED if (found := read_projection(_projections(settings), graphs[0], m))}
    above = 1 if kept else 0
    figure, axes = new_figure(above + len(graphs), len(shown), height=1.0 + 0.22 * len(methods))
    if kept:
        for axis in list(axes[0])[len(kept) :]:
            axis.set_visible(False)
        for axis, (method, projection) in zip(axes[0], kept.items(), strict=False):
            drawn = draw_projection(axis, projection, f"{method}\n{graphs[0]}: LDA by field")
        figure.colorbar(drawn, ax=list(axes[0]), label="year", pad=0.01)
    styles = style_of(methods)
    for line, graph in zip(axes[above:], graphs, strict=True):
        for axis, (label, measure) in zip(line, shown.items(), strict=True):
            scores = {m: one for m in methods if (one := interval_of(rows, measure, graph, m))}
            _dots(axis, scores, styles, graph, label)
    return figure


def _dots(axis: Any, found: dict[str, Interval], styles: dict[str, Any], graph: str, label: str) -> None:
    if not found:
        axis.text(0.5, 0.5, f"{graph}\nhas no fields", ha="center", va="center", transform=axis.transAxes)
        axis.set_axis_off()
        return
    draw_dots(axis, found, styles)
    axis.set_title(graph)
    axis.set_xlabel(label)


TARGET = Target(
    "case-study", "Figure 4: degree, time, field and impact in citations", _MEASURES, _cases, _measure, _table, _draw
)
