"""Figure 4: degree, time, field and impact in the vectors of citation graphs."""

import time
from pathlib import Path
from typing import Any

import numpy as np

from residuum.baselines import FairWalk
from residuum.evaluation import Interval, predict_classes, predict_numbers, similarity_dependence
from residuum.models import Residual2Vec
from residuum.nulls import DegreeCorrectedSBM
from residuum.reproduction.citations import Citations, citation_graphs, load_citations
from residuum.reproduction.figures import draw_dots, new_figure, style_of
from residuum.reproduction.methods import AS_PUBLISHED, METHODS, Maker, fit, kind_of, methods_of
from residuum.reproduction.projections import draw_projection, project, read_projection
from residuum.reproduction.tables import interval_of, mean_table, names_of
from residuum.reproduction.target import Case, Row, Settings, Target

__all__ = ["TARGET"]

_YEAR = DegreeCorrectedSBM("year")
# The paper omits node2vec with q ≠ 1, NetMF and GAT, for lack of memory.
_METHODS: dict[str, Maker | None] = {
    "residual2vec, dcSBM": lambda graph, common, walks, nets: Residual2Vec(**common, null_model=_YEAR),
    "residual2vec, dcSBM, year erased": lambda graph, common, walks, nets: Residual2Vec(
        **common, null_model=_YEAR, erase="null"
    ),
    "residual2vec, dcSBM, as published": lambda graph, common, walks, nets: Residual2Vec(
        **common, **AS_PUBLISHED, null_model=_YEAR
    ),
    **{name: METHODS[name] for name in ("residual2vec", "node2vec, q = 1", "DeepWalk")},
    "FairWalk": lambda graph, common, walks, nets: FairWalk(**common, **walks, groups="year"),
    **{name: METHODS[name] for name in ("GloVe", "Laplacian eigenmap", "GCN", "GraphSAGE")},
}
_NEIGHBORS = (5, 10, 20, 50)
_SHOWN = 10
_PROJECTED = ("node2vec, q = 1", "GloVe", "residual2vec", "residual2vec, dcSBM, year erased")
# Number of nodes in the predictions.
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


def _n_components(settings: Settings) -> int:
    return 16 if settings.quick else 128


def _projections(settings: Settings) -> Path:
    return settings.folder / f"case-study{'.quick' if settings.quick else ''}"


def _measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    citations = load_citations(case.graph, settings.folder)
    began = time.perf_counter()
    vectors = fit(case.method, citations.graph, settings, run, _n_components(settings), _METHODS).vectors
    seconds = time.perf_counter() - began
    first, kind = citation_graphs(settings)[0], kind_of(case.method)
    if run == 0 and case.graph == first and kind in _PROJECTED and citations.field is not None:
        project(_projections(settings), case.graph, kind, vectors, citations.field, citations.year)
    attributes = (citations.graph.out_strength, citations.year)
    values = [similarity_dependence(vectors, attribute, random_state=run) for attribute in attributes]
    values += _predictions(vectors, citations, run)
    return dict(zip(_MEASURES, [*values, seconds], strict=True))


def _predictions(vectors: Any, citations: Citations, seed: int) -> list[float]:
    graded = np.sort(np.random.default_rng(seed).permutation(len(vectors))[:_GRADED])
    groups = None if citations.unit is None else citations.unit[graded]
    common: dict[str, Any] = {"groups": groups, "random_state": seed}
    values = []
    for k in _NEIGHBORS:
        if citations.field is None:
            values.append(np.nan)
            continue
        prediction = predict_classes(vectors[graded], citations.field[graded], n_neighbors=k, **common)
        values.append(float(prediction.micro_f1.mean()))
    for k in _NEIGHBORS:
        r_squared = predict_numbers(vectors[graded], citations.impact[graded], n_neighbors=k, **common)
        values.append(float(r_squared.mean()))
    return values


def _table(rows: list[Row], settings: Settings) -> str:
    note = (
        "The paper's citation graph of (journal, year) is not public; a generated graph with planted fields and "
        "impacts replaces it. The papers of acl-cite and cit-hepth have real years; the field of a paper is its venue "
        "(the first letter of its ACL id), the impact its citations per year. "
        f"K = {_n_components(settings)}. R² of the cosine similarity of 50,000 pairs, regressed on the degrees and on "
        "the years of the two nodes (lower is less biased); in directed graphs the degree is the out-degree (number "
        "of references), and the vectors are source vectors. Micro-F1 of the field and R² of the log impact, "
        "predicted from k nearest neighbors in five folds; no journal is in both training and test set."
    )
    return "\n\n".join(
        [note, *(mean_table(rows, measure, lowest=measure in _LOWER_IS_BETTER) for measure in _MEASURES)]
    )


def _draw(rows: list[Row], settings: Settings) -> Any:
    """Draw the projections, and below them one row per graph: degree, year, field and impact."""
    graphs, methods = (names_of(rows, key) for key in (lambda row: row.graph, lambda row: row.method))
    shown = {
        "R² of cosine on degree": _DEPENDENCE[0],
        "R² of cosine on year": _DEPENDENCE[1],
        f"field: micro-F1, k = {_SHOWN}": f"{_FIELD}{_SHOWN}",
        f"impact: R², k = {_SHOWN}": f"{_IMPACT}{_SHOWN}",
    }
    base = _projections(settings)
    projections = {m: projection for m in _PROJECTED if (projection := read_projection(base, graphs[0], m))}
    above = 1 if projections else 0
    figure, axes = new_figure(above + len(graphs), len(shown), height=1.0 + 0.22 * len(methods))
    if projections:
        for axis in list(axes[0])[len(projections) :]:
            axis.set_visible(False)
        for axis, (method, projection) in zip(axes[0], projections.items(), strict=False):
            collection = draw_projection(axis, projection, f"{method}\n{graphs[0]}: LDA by field")
        figure.colorbar(collection, ax=list(axes[0]), label="year", pad=0.01)
    styles = style_of(methods)
    for line, graph in zip(axes[above:], graphs, strict=True):
        for axis, (label, measure) in zip(line, shown.items(), strict=True):
            intervals = {m: interval for m in methods if (interval := interval_of(rows, measure, graph, m))}
            _dots(axis, intervals, styles, graph, label)
    return figure


def _dots(axis: Any, intervals: dict[str, Interval], styles: dict[str, Any], graph: str, label: str) -> None:
    if not intervals:
        axis.text(0.5, 0.5, f"{graph}\nhas no fields", ha="center", va="center", transform=axis.transAxes)
        axis.set_axis_off()
        return
    draw_dots(axis, intervals, styles)
    axis.set_title(graph)
    axis.set_xlabel(label)


TARGET = Target(
    "case-study", "Figure 4: degree, time, field and impact in citations", _MEASURES, _cases, _measure, _table, _draw
)
