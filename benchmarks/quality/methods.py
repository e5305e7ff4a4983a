"""The family of methods on the splits of link_prediction.py; DeepWalk and node2vec beside PecanPy and gensim.

python benchmarks/quality/methods.py [--seeds 1] [--graphs airport,ppi] [--walks 10] [--length 80] [--epochs 5]
    [--methods "DeepWalk;NetMF"] [--name methods_paper]

Rows of earlier runs under the same name stay, unless they are measured again.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import PAPER_GRAPHS, make_task, markdown, merge_rows, read_rows, run, scores

RESULTS = Path(__file__).parent / "results"
BASE = {"n_components": 64}
NETWORKS = ("GCN", "GAT", "GraphSAGE")
COLUMNS = {"residual degree-matched": "residual / degree-matched", "full uniform": "full / uniform"}
RIVALS = {"DeepWalk": "gensim, uniform negatives", "Node2Vec, q = 0.5": "PecanPy q = 0.5, gensim"}


def methods(walks: int, length: int, epochs: int) -> dict[str, tuple[str, dict]]:
    """Return software and parameters of each method."""
    walking = BASE | {"n_walks": walks, "walk_length": length, "window": 10, "epochs": epochs}
    return {
        "DeepWalk": ("methods", walking | {"method": "deepwalk"}),
        RIVALS["DeepWalk"]: ("gensim", walking | {"exponent": 0.0}),
        "Node2Vec, q = 0.5": ("methods", walking | {"method": "node2vec", "q": 0.5}),
        RIVALS["Node2Vec, q = 0.5"]: ("gensim", walking | {"exponent": 0.75, "q": 0.5}),
        "GloVe": ("methods", walking | {"method": "glove"}),
        "NetMF": ("methods", BASE | {"method": "netmf"}),
        "LaplacianEigenmap": ("methods", BASE | {"method": "laplacian"}),
        "ModularitySpectral": ("methods", BASE | {"method": "modularity"}),
        **{name: ("methods", BASE | {"method": name.lower()}) for name in NETWORKS},
        **{
            f"{name}, residual": ("methods", BASE | {"method": name.lower(), "null_model": "configuration"})
            for name in NETWORKS
        },
        "Residual2Vec": ("methods", BASE | {"method": "residual2vec"}),
    }


def measure(graphs: list[str], seeds: int, chosen: dict[str, tuple[str, dict]], file: Path) -> None:
    for name in graphs:
        for seed in range(seeds):
            task = make_task(name, 0.5, seed)
            for method, (software, parameters) in chosen.items():
                result = run(software, task, parameters)
                row = {"graph": name, "seed": seed, "method": method, "seconds": round(result.seconds, 3)}
                row |= {key: round(value, 5) for key, value in scores(task, result).items()}
                print(*row.values(), sep="\t", flush=True)
                merge_rows(file, [row], "graph", "seed", "method")


def table(rows: list[dict], column: str) -> str:
    graphs, names = (list(dict.fromkeys(row[key] for row in rows)) for key in ("graph", "method"))

    def mean(method: str, name: str, column: str = column) -> float:
        found = [float(row[column]) for row in rows if row["method"] == method and row["graph"] == name]
        return np.mean(found) if found else np.nan

    degree = [mean(names[0], name, f"null {column.partition(' ')[2]}") for name in graphs]
    body = [["degree only", *(f"{value:.3f}" for value in degree), f"{np.mean(degree):.3f}"]]
    for method in names:
        values = [mean(method, name) for name in graphs]
        body.append([method, *("" if np.isnan(one) else f"{one:.3f}" for one in [*values, np.mean(values)])])
    for ours, theirs in RIVALS.items():
        if ours in names and theirs in names:
            gaps = [mean(ours, name) - mean(theirs, name) for name in graphs]
            body.append([f"{ours} − rival", *(f"{gap:+.3f}" for gap in gaps), f"{np.mean(gaps):+.3f}"])
    return markdown([COLUMNS[column], *graphs, "mean"], body)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--graphs", default=",".join(PAPER_GRAPHS))
    parser.add_argument("--walks", type=int, default=10)
    parser.add_argument("--length", type=int, default=80)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--methods", default=None)
    parser.add_argument("--name", default="methods", help="of the files of results")
    options = parser.parse_args()
    chosen = methods(options.walks, options.length, options.epochs)
    if options.methods is not None:
        chosen = {name: value for name, value in chosen.items() if name in options.methods.split(";")}
    file = RESULTS / f"{options.name}.csv"
    measure(options.graphs.split(","), options.seeds, chosen, file)
    head = (
        f"Half of the edges hidden, K = 64, window 10, {options.walks} walks of {options.length} steps a node, "
        f'{options.epochs} epochs, {options.seeds} seed(s). "full" adds the logarithm of degree for every method.\n\n'
    )
    text = head + "\n\n".join(table(read_rows(file), column) for column in COLUMNS)
    file.with_suffix(".md").write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
