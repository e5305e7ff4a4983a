"""Why a null model by year does not take the year out of directed citations: jumps, and what is expected but not seen.

    python benchmarks/quality/directed_years.py [--graphs acl-cite,journals] [--folder DIR]

Walkers of a directed graph jump now and then, so that each pair has a probability, also those that only jumps join.
R² of the paper's regression of the cosine of sources on their years (K = 64, window 10), from the whole matrix R̃ as it
is, and with an association of 0 for pairs that only jumps join ("silent"), each with and without what is below 0.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
from sklearn.utils.extmath import randomized_svd

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import markdown, write_rows
from residuum.evaluation import similarity_dependence
from residuum.graph import Graph, resolve_teleport
from residuum.nulls import Configuration, DegreeCorrectedSBM
from residuum.reproduction.citations import load_citations
from residuum.residual import ResidualMatrix
from residuum.walks import WindowProbabilities

RESULTS = Path(__file__).parent / "results"
COMPONENTS, WINDOW, FLOOR, TILE = 64, np.full(10, 0.1), -3.0, 512
GRAPHS = {"acl-cite": "acl-cite, directed", "journals": "journals 0.02, directed"}
NULLS = {"configuration": Configuration(), "by year": DegreeCorrectedSBM("year")}


def joined_by_edges(graph: Graph) -> np.ndarray:
    """Return which pairs are joined by at most T arcs, without a jump: an array of shape (N, N)."""
    n_nodes = graph.n_nodes
    step = (graph.adjacency > 0).astype(np.float32)
    joined = np.zeros((n_nodes, n_nodes), dtype=bool)
    for begin in range(0, n_nodes, TILE):
        columns = np.arange(begin, min(begin + TILE, n_nodes))
        ends = np.zeros((n_nodes, len(columns)), dtype=np.float32)
        ends[columns, np.arange(len(columns))] = 1.0
        for _ in WINDOW:
            ends = (step @ ends > 0).astype(np.float32)
            joined[:, columns] |= ends > 0
    return joined


def dependence(matrix: np.ndarray, year: np.ndarray) -> float:
    left, values, _ = randomized_svd(matrix, COMPONENTS, n_iter=3, random_state=0)
    return round(similarity_dependence((left * np.sqrt(values)).astype(np.float32), year, random_state=0), 4)


def share_of_years(matrix: np.ndarray, year: np.ndarray) -> float:
    """Return the share of the variance of R̃ that the years of its two nodes explain."""
    _, group, size = np.unique(year, return_inverse=True, return_counts=True)
    members = np.eye(len(size), dtype=np.float32)[group]
    weights = np.outer(size, size).astype(np.float64)
    means = (members.T @ matrix @ members) / weights
    explained = (weights * (means - matrix.mean(dtype=np.float64)) ** 2).sum() / weights.sum()
    return round(float(explained / matrix.var(dtype=np.float64)), 4)


def measure(name: str, folder: Path) -> list[dict]:
    known = load_citations(GRAPHS[name], folder)
    graph, teleport = known.graph, resolve_teleport(known.graph, None)
    joined = joined_by_edges(graph)
    rows = []
    for null, model in NULLS.items():
        probabilities = WindowProbabilities(graph, WINDOW, teleport)
        residual = ResidualMatrix(probabilities, model.fit(graph, WINDOW, teleport), FLOOR, 0.0)
        matrix = np.empty((graph.n_nodes, graph.n_nodes), dtype=np.float32)
        for begin in range(0, graph.n_nodes, TILE):
            columns = np.arange(begin, min(begin + TILE, graph.n_nodes))
            matrix[:, columns] = residual.columns(columns)
        row = {
            "graph": name,
            "null model": null,
            "joined by arcs": round(float(joined.mean()), 4),
            "variance by years": share_of_years(matrix, known.year),
            f"R2 year, floor {FLOOR:g}": dependence(matrix, known.year),
            "R2 year, floor 0": dependence(np.maximum(matrix, 0.0), known.year),
        }
        matrix[~joined] = 0.0
        row |= {
            f"R2 year, silent, floor {FLOOR:g}": dependence(matrix, known.year),
            "R2 year, silent, floor 0": dependence(np.maximum(matrix, 0.0), known.year),
        }
        rows.append(row)
        print(*row.values(), sep="\t", flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", default=",".join(GRAPHS), help="with commas between; all by default")
    parser.add_argument("--folder", type=Path, help="where drawn graphs are kept; a temporary one by default")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        rows = [row for name in options.graphs.split(",") for row in measure(name, folder)]
    write_rows(RESULTS / "directed_years.csv", rows)
    text = markdown(list(rows[0]), [[str(value) for value in row.values()] for row in rows])
    (RESULTS / "directed_years.md").write_text(text + "\n")


if __name__ == "__main__":
    main()
