"""Measure the solvers on graphs of many sizes, and fit the coefficients by which ``auto`` chooses and ``plan`` tells.

    python benchmarks/speed/cost_model.py [--repeats 2]

Seconds are taken as linear in the operations that `residuum.residual.planning.features` counts; coefficients are not
negative and minimise the relative errors. What is printed at the end belongs in ``COEFFICIENTS``. Run it alone, on two
threads.
"""

import argparse
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.optimize import nnls

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import markdown, write_rows
from residuum import Residual2Vec, datasets
from residuum._memory import resolve_memory_limit
from residuum.errors import ResiduumWarning
from residuum.residual import Problem
from residuum.residual.planning import features

RESULTS = Path(__file__).parent / "results"
SIZES = [(1500, 10), (1500, 100), (6000, 10), (6000, 60), (25_000, 8), (25_000, 80), (25_000, 400), (100_000, 20)]
COMPONENTS = (32, 128)
SOLVERS = ("exact", "landmark", "block")
WINDOW = 10
MOST_EXACT = 4e10


def problem_of(graph, n_components: int, n_landmarks: int | None) -> Problem:
    return Problem(
        graph.n_nodes,
        int(graph.adjacency.nnz),
        n_components,
        WINDOW,
        symmetric=True,
        memory_limit=resolve_memory_limit(None),
        n_landmarks=n_landmarks,
    )


def measure(repeats: int) -> list[dict]:
    rows = []
    for n_nodes, degree in SIZES:
        graph = datasets.planted_groups(n_nodes, 20, average_degree=degree, random_state=0)
        for n_components in COMPONENTS:
            for solver in SOLVERS:
                if solver == "exact" and WINDOW * float(graph.adjacency.nnz) * n_nodes > MOST_EXACT:
                    continue
                seconds, model = np.inf, None
                for _ in range(repeats):
                    began = time.perf_counter()
                    model = Residual2Vec(n_components, window=WINDOW, solver=solver, random_state=0).fit(graph)
                    seconds = min(seconds, time.perf_counter() - began)
                # The number of landmarks that were taken in the end, which the solver decides on its way.
                problem = problem_of(graph, n_components, model.solver_details_.get("n_landmarks"))
                rows.append(
                    {
                        "solver": solver,
                        "nodes": n_nodes,
                        "entries": int(graph.adjacency.nnz),
                        "components": n_components,
                        "seconds": round(seconds, 3),
                        "features": " ".join(f"{value:.6g}" for value in features(solver, problem)),
                    }
                )
                print(*rows[-1].values(), sep="\t", flush=True)
    return rows


def fit(rows: list[dict]) -> dict[str, list[float]]:
    """Least relative squares with coefficients that are not negative."""
    found = {}
    for solver in SOLVERS:
        mine = [row for row in rows if row["solver"] == solver]
        work = np.array([[float(value) for value in row["features"].split()] for row in mine])
        seconds = np.array([row["seconds"] for row in mine])
        scale = work.max(axis=0)
        coefficients, _ = nnls(work / scale / seconds[:, None], np.ones(len(mine)))
        found[solver] = (coefficients / scale).tolist()
        for row, predicted in zip(mine, work @ (coefficients / scale), strict=True):
            row["predicted"] = round(float(predicted), 3)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=2)
    options = parser.parse_args()
    warnings.simplefilter("ignore", ResiduumWarning)
    small = datasets.planted_groups(1200, 3, random_state=0)
    for solver in SOLVERS:
        Residual2Vec(8, solver=solver, random_state=0).fit(small)
    rows = measure(options.repeats)
    found = fit(rows)
    write_rows(RESULTS / "cost_model.csv", rows)
    shown = ["solver", "nodes", "entries", "components", "seconds", "predicted"]
    text = markdown(shown, [[str(row[key]) for key in shown] for row in rows])
    (RESULTS / "cost_model.md").write_text(text + "\n")
    for solver, coefficients in found.items():
        print(f'    "{solver}": [{", ".join(f"{value:.2g}" for value in coefficients)}],')


if __name__ == "__main__":
    main()
