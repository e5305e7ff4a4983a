"""Half of the edges hidden: AUC of three scores against two kinds of negatives, beside residual2vec of 2023.

python benchmarks/quality/link_prediction.py [--seeds 3] [--graphs airport,ppi]
"""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import PAPER_GRAPHS, make_task, markdown, run, scores, write_rows

RESULTS = Path(__file__).parent / "results"
BASE = {"n_components": 64, "window": 10}
METHODS = {
    "residual2vec 0.0.12": ("r2v2023", BASE),
    "ProNE": ("prone", BASE),
    "exact, floor 0": ("residuum", BASE | {"solver": "exact", "floor": 0.0, "weighting": 0.0}),
    "exact, floor -1": ("residuum", BASE | {"solver": "exact", "floor": -1.0, "weighting": 0.0}),
    "exact, floor -3": ("residuum", BASE | {"solver": "exact", "floor": -3.0, "weighting": 0.0}),
    "exact, default": ("residuum", BASE | {"solver": "exact"}),
    "landmark, default": ("residuum", BASE | {"solver": "landmark"}),
}
COLUMNS = {"residual degree-matched": "residual / degree-matched", "full uniform": "full / uniform"}


def measure(graphs: list[str], seeds: int) -> list[dict]:
    rows = []
    for name in graphs:
        for seed in range(seeds):
            task = make_task(name, 0.5, seed)
            for method, (software, parameters) in METHODS.items():
                result = run(software, task, parameters)
                row = {"graph": name, "seed": seed, "method": method, "seconds": round(result.seconds, 3)}
                rows.append(row | {key: round(value, 5) for key, value in scores(task, result).items()})
                print(*rows[-1].values(), sep="\t", flush=True)
    return rows


def table(rows: list[dict], graphs: list[str], column: str) -> str:
    def mean(method, name):
        return np.mean([row[column] for row in rows if row["method"] == method and row["graph"] == name])

    body = []
    for method in METHODS:
        values = [mean(method, name) for name in graphs]
        body.append([method, *(f"{value:.3f}" for value in values), f"{np.mean(values):.3f}"])
    return markdown([COLUMNS[column], *graphs, "mean"], body)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--graphs", default=",".join(PAPER_GRAPHS))
    options = parser.parse_args()
    graphs = options.graphs.split(",")
    rows = measure(graphs, options.seeds)
    write_rows(RESULTS / "link_prediction.csv", rows)
    text = "\n\n".join(table(rows, graphs, column) for column in COLUMNS)
    (RESULTS / "link_prediction.md").write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
