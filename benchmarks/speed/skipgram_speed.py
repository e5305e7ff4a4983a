"""Pairs a second of skip-gram (K = 64, 5 negatives, window 10) beside gensim, in turns. Run it alone on the machine.

python benchmarks/speed/skipgram_speed.py [--graph ca-astroph] [--rounds 2] [--walks 1]
"""

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy import sparse

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import markdown, run_json, write_rows
from residuum import datasets
from residuum.walks import RandomWalks

RESULTS = Path(__file__).parent / "results"
BASE = {"n_components": 64, "window": 10, "repeats": 1}


def measure(name: str, rounds: int, n_walks: int) -> list[dict]:
    graph = datasets.load(name)
    walks = RandomWalks(graph, n_walks=n_walks, random_state=0)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        matrix, corpus = Path(folder, "graph.npz"), Path(folder, "walks.npy")
        sparse.save_npz(matrix, sparse.csr_matrix(graph.adjacency))
        np.save(corpus, np.concatenate(list(walks.chunks())))
        runs = {
            "residuum": ("residuum", "skipgram_residuum.py", matrix),
            "gensim": ("walks", "skipgram_gensim.py", corpus),
        }
        for threads in (1, 2):
            parameters = BASE | {"n_walks": n_walks, "walk_length": 80, "threads": threads}
            best: dict[str, dict] = {}
            for _ in range(rounds):
                for method, (software, script, file) in runs.items():
                    found = run_json(software, script, file, parameters, threads)
                    if method not in best or found["seconds"] < best[method]["seconds"]:
                        best[method] = found
            for method, found in best.items():
                row = {"graph": name, "threads": threads, "method": method, "pairs": found["pairs"]}
                rows.append(row | {"pairs a second": round(found["pairs"] / found["seconds"])})
                print(*rows[-1].values(), sep="\t", flush=True)
    return rows


def table(rows: list[dict]) -> str:
    body = []
    for row in rows:
        rival = next(r for r in rows if r["threads"] == row["threads"] and r["method"] == "gensim")["pairs a second"]
        speed = row["pairs a second"]
        body.append([str(row["threads"]), row["method"], f"{speed / 1e6:.2f}", f"{speed / rival:.1f}"])
    return markdown(["threads", "method", "million pairs a second", "times gensim"], body)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", default="ca-astroph")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--walks", type=int, default=1)
    options = parser.parse_args()
    rows = measure(options.graph, options.rounds, options.walks)
    write_rows(RESULTS / "skipgram_speed.csv", rows)
    text = f"{options.graph}, K = 64, 5 negatives, window 10; residuum's time includes the walks\n\n{table(rows)}\n"
    (RESULTS / "skipgram_speed.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
