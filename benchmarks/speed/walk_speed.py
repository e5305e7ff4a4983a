"""Steps a second of random walks beside PecanPy, in turns. Run it alone on the machine.

python benchmarks/speed/walk_speed.py [--graph ca-astroph] [--rounds 3] [--threads 2] [--walks 10]
"""

import argparse
import sys
import tempfile
from pathlib import Path

from scipy import sparse

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import markdown, run_json, write_rows
from residuum import datasets

RESULTS = Path(__file__).parent / "results"
BASE = {"walk_length": 80, "repeats": 2}
SETTINGS = {
    "p = q = 1": ({"p": 1.0, "q": 1.0}, ["FirstOrderUnweighted"]),
    "q = 0.5": ({"p": 1.0, "q": 0.5}, ["SparseOTF", "PreComp"]),
    "q = 2": ({"p": 1.0, "q": 2.0}, ["SparseOTF"]),
}


def measure(file: Path, name: str, rounds: int, threads: int, n_walks: int) -> list[dict]:
    rows = []
    for setting, (factors, modes) in SETTINGS.items():
        runs = {"residuum": ("residuum", "walks_residuum.py", {})}
        runs |= {f"PecanPy {mode}": ("walks", "walks_pecanpy.py", {"mode": mode}) for mode in modes}
        best: dict[str, dict] = {}
        for _ in range(rounds):
            for method, (software, script, extra) in runs.items():
                found = run_json(software, script, file, BASE | {"n_walks": n_walks} | factors | extra, threads)
                if method not in best or found["seconds"] < best[method]["seconds"]:
                    best[method] = found
        for method, found in best.items():
            speed, whole = (found["steps"] / found.get(key, found["seconds"]) for key in ("seconds", "api_seconds"))
            row = {"graph": name, "threads": threads, "setting": setting, "method": method}
            row |= {"steps": found["steps"], "steps a second": round(speed), "through its interface": round(whole)}
            rows.append(row | {"preparation": round(found.get("preparation", 0.0), 2)})
            print(*rows[-1].values(), sep="\t", flush=True)
    return rows


def table(rows: list[dict]) -> str:
    body = []
    for row in rows:
        ours = next(r["steps a second"] for r in rows if r["setting"] == row["setting"] and r["method"] == "residuum")
        body.append(
            [
                row["setting"],
                row["method"],
                f"{row['steps a second'] / 1e6:.2f}",
                f"{row['through its interface'] / 1e6:.2f}",
                f"{row['preparation']:.1f}",
                f"{ours / row['steps a second']:.1f}",
            ]
        )
    header = ["walks", "method", "million steps a second, kernel", "through its interface", "seconds of preparation"]
    return markdown([*header, "residuum is faster by"], body)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", default="ca-astroph")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--walks", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "graph.npz")
        sparse.save_npz(file, sparse.csr_matrix(datasets.load(options.graph).adjacency))
        rows = measure(file, options.graph, options.rounds, options.threads, options.walks)
    write_rows(RESULTS / "walk_speed.csv", rows)
    text = f"{options.graph}, {options.walks} walks of 80 steps a node, {options.threads} threads\n\n{table(rows)}\n"
    (RESULTS / "walk_speed.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
