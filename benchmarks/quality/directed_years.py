"""Year in the vectors of directed citations, and prediction of held-out arcs, by null model.

    python benchmarks/quality/directed_years.py [--graph acl-cite]

R² of the paper's regression of the cosine similarity of source vectors on years, for one default fit (K = 64) with the
configuration model and with a null model by year, without erasure; and the AUC of arcs with half of them hidden: the
residual score against degree-matched, the full score against uniform negatives.
"""

import sys
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import MATCHED, UNIFORM, main
from residuum import Residual2Vec
from residuum.errors import ResiduumWarning
from residuum.evaluation import link_task, similarity_dependence
from residuum.nulls import Configuration, Temporal
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.citations import load_citations
from residuum.reproduction.tables import measures_table
from residuum.reproduction.target import chosen

GRAPHS = {"acl-cite": "acl-cite, directed", "cit-hepth": "cit-hepth, directed"}
NULLS = {"configuration": Configuration(), "by year": Temporal("year")}
MEASURES = ("R2 year, sources", "R2 year, targets", MATCHED, UNIFORM)


def cases(settings: Settings) -> list[Case]:
    graphs, nulls = chosen("graphs", GRAPHS, settings.graphs), chosen("methods", NULLS, settings.methods)
    return [Case(graph, null) for graph in graphs for null in nulls]


def fit(graph, name: str, seed: int) -> Residual2Vec:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResiduumWarning)  # dangling nodes are expected
        return Residual2Vec(64, null_model=NULLS[name], random_state=seed).fit(graph)


def measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    citations = load_citations(GRAPHS[case.graph], settings.folder)
    model = fit(citations.graph, case.method, run)
    values = [
        similarity_dependence(vectors, citations.year, random_state=run)
        for vectors in (model.embedding_, model.context_embedding_)
    ]
    task = link_task(citations.graph, 0.5, np.random.default_rng(run))
    model = fit(task.train, case.method, run)
    for mode, negatives in (("residual", "degree-matched"), ("full", "uniform")):
        values.append(task.auc(lambda i, j, mode=mode: model.score_pairs(i, j, mode=mode), negatives))
    return dict(zip(MEASURES, values, strict=True))


def table(rows: list[Row], settings: Settings) -> str:
    return measures_table(rows, MEASURES)


TARGET = Target(
    "directed_years", "Year in the vectors of directed citations", MEASURES, cases, measure, table, repeats=False
)

if __name__ == "__main__":
    main(TARGET, __file__)
