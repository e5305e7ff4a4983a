"""Seconds and peak memory of whole embeddings, as ratios to the rivals of the same run. Run it alone on the machine.

python benchmarks/speed/embedding_speed.py [--repeats 3] [--graphs ca-astroph,ego-twitter]
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import PAPER_GRAPHS, make_task, markdown, run, scores, write_rows

RESULTS = Path(__file__).parent / "results"
LARGE_GRAPHS = ["ego-twitter", "web-notredame"]


def methods(name: str) -> dict[str, tuple[str, dict, int]]:
    """Return software, parameters and a cap on the repeats for each method."""
    if name in LARGE_GRAPHS:
        return {
            f"{label}, K = {width}": (software, {"n_components": width, "window": 10} | extra, 3)
            for width in (64, 128)
            for label, software, extra in (
                ("ProNE", "prone", {}),
                ("landmark", "residuum", {"solver": "landmark"}),
                ("block", "residuum", {"solver": "block"}),
            )
        }
    base = {"n_components": 64, "window": 10}
    chosen = {
        "residual2vec 0.0.12": ("r2v2023", base, 2),
        "ProNE": ("prone", base, 9),
        "exact": ("residuum", base | {"solver": "exact"}, 3),
        "landmark": ("residuum", base | {"solver": "landmark"}, 9),
        "block": ("residuum", base | {"solver": "block"}, 3),
        "block, floor -1": ("residuum", base | {"solver": "block", "n_blocks": 1000, "floor": -1.0}, 3),
    }
    if name == "ca-astroph":
        chosen["exact, 1 GiB"] = ("residuum", base | {"solver": "exact", "memory_limit": "1GiB"}, 1)
    return chosen


def measure(graphs: list[str], repeats: int) -> list[dict]:
    rows = []
    for name in graphs:
        task = make_task(name, 0.5, 0)
        for method, (software, parameters, most) in methods(name).items():
            result = run(software, task, parameters, min(repeats, most))
            auc = scores(task, result)
            rows.append(
                {
                    "graph": name,
                    "method": method,
                    "seconds": round(result.seconds, 3),
                    "peak_mib": round(result.peak_mib),
                    "residual degree-matched": round(auc["residual degree-matched"], 4),
                    "full uniform": round(auc["full uniform"], 4),
                    "residual uniform": round(auc["residual uniform"], 4),
                }
            )
            print(*rows[-1].values(), sep="\t", flush=True)
    return rows


def table(rows: list[dict]) -> str:
    body = []
    for row in rows:
        rivals = {other["method"]: other["seconds"] for other in rows if other["graph"] == row["graph"]}
        width = row["method"].partition(", K = ")[2]
        prone = rivals.get(f"ProNE, K = {width}" if width else "ProNE")
        old = rivals.get("residual2vec 0.0.12")
        body.append(
            [
                row["graph"],
                row["method"],
                f"{row['seconds']:.2f}",
                f"{old / row['seconds']:.1f}" if old else "",
                f"{prone / row['seconds']:.1f}" if prone else "",
                str(row["peak_mib"]),
                f"{row['residual degree-matched']:.3f}",
                f"{row['full uniform']:.3f}",
            ]
        )
    header = ["graph", "method", "seconds", "times faster than 0.0.12", "than ProNE", "peak MiB"]
    return markdown([*header, "residual / degree-matched", "full / uniform"], body)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--graphs", default=",".join([*PAPER_GRAPHS, *LARGE_GRAPHS]))
    options = parser.parse_args()
    rows = measure(options.graphs.split(","), options.repeats)
    write_rows(RESULTS / "embedding_speed.csv", rows)
    (RESULTS / "embedding_speed.md").write_text(table(rows) + "\n")
    print(table(rows))


if __name__ == "__main__":
    main()
