"""Why a null model by year does not remove the year from directed citations: teleports and negative associations.

    python benchmarks/quality/directed_years.py [--graph acl-cite]

Walkers in a directed graph teleport, so that even pairs without a directed path have a positive probability. R² of the
paper's regression of the cosine similarity of source vectors on years (K = 64, window 10), for the dense matrix R̃, and
for R̃ with association 0 for pairs that only teleports connect ("silent"), each with floor −3 and floor 0.
"""

import sys
from functools import lru_cache
from pathlib import Path

import numpy as np
from sklearn.utils.extmath import randomized_svd

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import main
from residuum.evaluation import similarity_dependence
from residuum.nulls import Configuration, DegreeCorrectedSBM
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.citations import load_citations
from residuum.reproduction.tables import measures_table
from residuum.reproduction.target import chosen
from residuum.residual import ResidualMatrix
from residuum.walks import WindowProbabilities, resolve_teleport

DIMENSIONS, WINDOW, FLOOR, TILE = 64, np.full(10, 0.1), -3.0, 512
GRAPHS = {"acl-cite": "acl-cite, directed", "journals": "journals 0.02, directed"}
NULLS = {"configuration": Configuration(), "by year": DegreeCorrectedSBM("year")}
MEASURES = (
    "joined by arcs",
    "variance by years",
    "R2 year, floor -3",
    "R2 year, floor 0",
    "R2 year, silent, floor -3",
    "R2 year, silent, floor 0",
)


def cases(settings: Settings) -> list[Case]:
    graphs, nulls = chosen("graphs", GRAPHS, settings.graphs), chosen("methods", NULLS, settings.methods)
    return [Case(graph, null) for graph in graphs for null in nulls]


@lru_cache(maxsize=1)
def joined_by_edges(name: str, folder: Path) -> np.ndarray:
    """Return a boolean array of shape (N, N): whether a directed path of at most T arcs connects the pair."""
    graph = load_citations(GRAPHS[name], folder).graph
    step = (graph.adjacency > 0).astype(np.float32)
    joined = np.zeros((graph.n_nodes, graph.n_nodes), dtype=bool)
    for begin in range(0, graph.n_nodes, TILE):
        columns = np.arange(begin, min(begin + TILE, graph.n_nodes))
        ends = np.zeros((graph.n_nodes, len(columns)), dtype=np.float32)
        ends[columns, np.arange(len(columns))] = 1.0
        for _ in WINDOW:
            ends = (step @ ends > 0).astype(np.float32)
            joined[:, columns] |= ends > 0
    return joined


def dependence(matrix: np.ndarray, year: np.ndarray) -> float:
    left, values, _ = randomized_svd(matrix, DIMENSIONS, n_iter=3, random_state=0)
    return similarity_dependence((left * np.sqrt(values)).astype(np.float32), year, random_state=0)


def share_of_years(matrix: np.ndarray, year: np.ndarray) -> float:
    """Return the share of the variance of R̃ explained by the years of the two nodes."""
    _, group, size = np.unique(year, return_inverse=True, return_counts=True)
    members = np.eye(len(size), dtype=np.float32)[group]
    weights = np.outer(size, size).astype(np.float64)
    means = (members.T @ matrix @ members) / weights
    explained = (weights * (means - matrix.mean(dtype=np.float64)) ** 2).sum() / weights.sum()
    return float(explained / matrix.var(dtype=np.float64))


def measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    citations = load_citations(GRAPHS[case.graph], settings.folder)
    graph, teleport = citations.graph, resolve_teleport(citations.graph, None)
    joined = joined_by_edges(case.graph, settings.folder)
    null = NULLS[case.method].fit(graph, WINDOW, teleport)
    residual = ResidualMatrix(WindowProbabilities(graph, WINDOW, teleport), null, FLOOR)
    tiles = [
        residual.columns(np.arange(begin, min(begin + TILE, graph.n_nodes))) for begin in range(0, graph.n_nodes, TILE)
    ]
    matrix = np.concatenate(tiles, axis=1)
    silent = np.where(joined, matrix, np.float32(0.0))
    values = (
        float(joined.mean()),
        share_of_years(matrix, citations.year),
        dependence(matrix, citations.year),
        dependence(np.maximum(matrix, 0.0), citations.year),
        dependence(silent, citations.year),
        dependence(np.maximum(silent, 0.0), citations.year),
    )
    return dict(zip(MEASURES, values, strict=True))


def table(rows: list[Row], settings: Settings) -> str:
    return measures_table(rows, MEASURES)


TARGET = Target(
    "directed_years", "Year in the vectors of directed citations", MEASURES, cases, measure, table, repeats=False
)

if __name__ == "__main__":
    main(TARGET, __file__)
