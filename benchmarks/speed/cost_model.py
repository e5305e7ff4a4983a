"""Cost model of the solvers: measures graphs of many sizes and fits the coefficients of ``auto`` and ``plan``.

    python benchmarks/speed/cost_model.py

The time is linear in the operations counted by ``Solver.features``; non-negative coefficients minimize the relative
errors. Copy the printed coefficients to ``coefficients`` of each solver. Run it on an idle machine, on two threads.
"""

import sys
import time
import warnings
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from scipy.optimize import nnls

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import main
from residuum import Residual2Vec, datasets
from residuum._memory import resolve_memory_limit
from residuum.errors import ResiduumWarning
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.tables import measures_table
from residuum.solvers import Landmark, Problem, resolve_solver

SIZES = [(1500, 10), (1500, 100), (6000, 10), (6000, 60), (25_000, 8), (25_000, 80), (25_000, 400), (100_000, 20)]
DIMENSIONS, WINDOW, REPEATS = (32, 128), 10, 2
SOLVERS = ("exact", "landmark", "block")
MOST_EXACT = 4e10
MEASURES = ("entries", "landmarks", "seconds")


def cases(settings: Settings) -> list[Case]:
    return [
        Case(f"{n_nodes} nodes, degree {degree}", f"{solver}, K = {width}")
        for n_nodes, degree in SIZES
        for width in DIMENSIONS
        for solver in SOLVERS
        if solver != "exact" or WINDOW * float(n_nodes * degree) * n_nodes <= MOST_EXACT
    ]


@lru_cache(maxsize=1)
def load(name: str):
    n_nodes, degree = (int(word) for word in name.replace(",", "").split()[::3])
    return datasets.planted_groups(n_nodes, 20, average_degree=degree, random_state=0)


def measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    warnings.simplefilter("ignore", ResiduumWarning)
    name, width = case.method.split(", K = ")
    solver = type(resolve_solver(name)).candidate()
    Residual2Vec(8, solver=solver, random_state=0).fit(datasets.planted_groups(1200, 3, random_state=0))
    graph, seconds = load(case.graph), np.inf
    for _ in range(REPEATS):
        began = time.perf_counter()
        model = Residual2Vec(int(width), window=WINDOW, solver=solver, random_state=0).fit(graph)
        seconds = min(seconds, time.perf_counter() - began)
    landmarks = model.solver_details_.get("n_landmarks", 0)
    return dict(zip(MEASURES, (float(graph.adjacency.nnz), float(landmarks), seconds), strict=True))


def work_of(row: Row) -> np.ndarray:
    name, width = row.method.split(", K = ")
    solver = resolve_solver(name)
    if isinstance(solver, Landmark):
        # The final number, which the solver determines while it runs.
        solver = replace(solver, n_landmarks=int(row.values["landmarks"]))
    n_nodes = int(row.graph.split()[0])
    limit = resolve_memory_limit(None)
    return solver.features(
        Problem(n_nodes, int(row.values["entries"]), int(width), WINDOW, symmetric=True, memory_limit=limit)
    )


def table(rows: list[Row], settings: Settings) -> str:
    """Fit non-negative coefficients by least squares of the relative errors."""
    lines, predicted = [], {}
    for solver in SOLVERS:
        fitted = [row for row in rows if row.method.startswith(solver)]
        if not fitted:
            continue
        work, seconds = np.array([work_of(row) for row in fitted]), np.array([row.values["seconds"] for row in fitted])
        scale = np.maximum(work.max(axis=0), 1e-300)
        coefficients = nnls(work / scale / seconds[:, None], np.ones(len(fitted)))[0] / scale
        lines.append(f"- {solver}: ({', '.join(f'{value:.2g}' for value in coefficients)})")
        predicted |= {(row.graph, row.method): value for row, value in zip(fitted, work @ coefficients, strict=True)}
    shown = [replace(row, values=row.values | {"fitted": predicted[row.graph, row.method]}) for row in rows]
    return "\n".join(lines) + "\n\n" + measures_table(shown, [*MEASURES, "fitted"])


TARGET = Target("cost_model", "Cost of the solvers", MEASURES, cases, measure, table, repeats=False)

if __name__ == "__main__":
    main(TARGET, __file__)
