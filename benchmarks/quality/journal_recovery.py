"""Recovery of planted fields and leakage of planted years in the journal graph.

    python benchmarks/quality/journal_recovery.py [--graph "journals 0.1"] [--method year]

K = 128, window 10. Fields are predicted from the ten nearest neighbors by cosine similarity, in five folds; no journal
is in both training and test set. R² is that of the paper's regression of the cosine similarity on the years.
"""

import sys
import time
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import main
from residuum import Node2Vec, Residual2Vec
from residuum.errors import ResiduumWarning
from residuum.evaluation import predict_classes, similarity_dependence
from residuum.nulls import Temporal
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.citations import CITATIONS, load_citations
from residuum.reproduction.tables import measures_table
from residuum.reproduction.target import chosen

COMMON = {"n_components": 128, "window": 10, "random_state": 0}
GRADED = 8000
YEAR = Temporal("year")
METHODS = {
    "configuration": lambda: Residual2Vec(**COMMON),
    "configuration, floor 0": lambda: Residual2Vec(**COMMON, floor=0.0),
    "year": lambda: Residual2Vec(**COMMON, null_model=YEAR),
    "year, floor 0": lambda: Residual2Vec(**COMMON, null_model=YEAR, floor=0.0),
    "year, erased": lambda: Residual2Vec(**COMMON, null_model=YEAR, erase="null"),
    # Two walks per node and one epoch; the paper's ten walks and five epochs would take an hour.
    "node2vec": lambda: Node2Vec(**COMMON, n_walks=2, epochs=1),
}
MEASURES = ("field, micro-F1", "R2 year", "R2 degree", "seconds")


def cases(settings: Settings) -> list[Case]:
    graphs = chosen("graphs", CITATIONS, settings.graphs or ("journals 0.1",))
    return [Case(graph, method) for graph in graphs for method in chosen("methods", METHODS, settings.methods)]


def measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    warnings.simplefilter("ignore", ResiduumWarning)
    citations = load_citations(case.graph, settings.folder)
    began = time.perf_counter()
    vectors = METHODS[case.method]().fit(citations.graph).embedding_
    seconds = time.perf_counter() - began
    graded = np.random.default_rng(0).permutation(len(vectors))[:GRADED]
    predicted = predict_classes(vectors[graded], citations.field[graded], groups=citations.unit[graded])
    values = (
        float(predicted.micro_f1.mean()),
        similarity_dependence(vectors, citations.year),
        similarity_dependence(vectors, np.log(citations.graph.out_strength)),
        seconds,
    )
    return dict(zip(MEASURES, values, strict=True))


def table(rows: list[Row], settings: Settings) -> str:
    return measures_table(rows, MEASURES)


TARGET = Target(
    "journal_recovery", "Planted fields and years of the journal graph", MEASURES, cases, measure, table, repeats=False
)

if __name__ == "__main__":
    main(TARGET, __file__)
