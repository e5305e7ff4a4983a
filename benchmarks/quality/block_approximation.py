"""How close the block approximation is: its ln P_d beside the exact one on whole graphs, and its AUC with half hidden.

python benchmarks/quality/block_approximation.py [--seeds 1] [--graphs airport,ppi] [--blocks 1000]

The correlation is Pearson's, between ln P_d(j | i) of the block form and of the exact walk, over all j that both reach
from 500 random nodes i; the mean over i. "one exact step" is the paper's form, "automatic" what the solver takes. The
AUCs of the exact solver and of residual2vec 0.0.12 are those of link_prediction.csv, same splits.
"""

import argparse
import csv
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import PAPER_GRAPHS, make_task, markdown, run, scores, write_rows
from residuum import datasets
from residuum.reproduction.blocks import block_correlations

RESULTS = Path(__file__).parent / "results"
COLUMNS = {"residual degree-matched": "residual / degree-matched", "full uniform": "full / uniform"}
BASE = {"n_components": 64, "window": 10, "solver": "block"}
METHODS = {"block, floor -1": BASE | {"floor": -1.0, "weighting": 0.0}, "block, default": BASE}
EARLIER = ["residual2vec 0.0.12", "exact, floor -1", "exact, default"]


def measure(graphs: list[str], seeds: int, n_blocks: int) -> list[dict]:
    rows = []
    for name in graphs:
        for seed in range(seeds):
            close = block_correlations(datasets.load(name), n_blocks, seed)
            task = make_task(name, 0.5, seed)
            for method, parameters in METHODS.items():
                result = run("residuum", task, parameters | {"n_blocks": n_blocks}, 2)
                auc = scores(task, result)
                rows.append(
                    {"graph": name, "seed": seed, "method": method, "blocks": n_blocks}
                    | {"seconds": round(result.seconds, 2), "peak_mib": round(result.peak_mib)}
                    | {column: round(auc[column], 5) for column in COLUMNS}
                    | {f"correlation, {form}": round(value["correlation"], 4) for form, value in close.items()}
                    | {f"correlation, {form}, k": int(value["exact steps"]) for form, value in close.items()}
                )
                print(*rows[-1].values(), sep="\t", flush=True)
    return rows


def tables(rows: list[dict], graphs: list[str], seeds: int) -> str:
    with (RESULTS / "link_prediction.csv").open() as stream:
        earlier = [row for row in csv.DictReader(stream) if int(row["seed"]) < seeds and row["method"] in EARLIER]
    parts = []
    for column, title in COLUMNS.items():
        body = []
        for method in [*EARLIER, *METHODS]:
            values = [
                np.mean(
                    [float(row[column]) for row in [*earlier, *rows] if (row["method"], row["graph"]) == (method, g)]
                )
                for g in graphs
            ]
            body.append([method, *(f"{value:.3f}" for value in values), f"{np.mean(values):.3f}"])
        parts.append(markdown([title, *graphs, "mean"], body))
    body = []
    for label in ("correlation, one exact step", "correlation, automatic"):
        values = [np.mean([row[label] for row in rows if row["graph"] == g]) for g in graphs]
        body.append([label, *(f"{value:.3f}" for value in values), f"{np.mean(values):.3f}"])
    parts.append(markdown(["ln P_d, whole graph", *graphs, "mean"], body))
    return "\n\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--graphs", default=",".join(PAPER_GRAPHS))
    parser.add_argument("--blocks", type=int, default=1000)
    options = parser.parse_args()
    graphs = options.graphs.split(",")
    rows = measure(graphs, options.seeds, options.blocks)
    write_rows(RESULTS / "block_approximation.csv", rows)
    text = tables(rows, graphs, options.seeds)
    (RESULTS / "block_approximation.md").write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
