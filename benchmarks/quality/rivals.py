"""Link prediction compared with residual2vec 0.0.12, ProNE, and PecanPy with gensim; half of the edges held out.

    python benchmarks/quality/rivals.py [--runs 3] [--graph airport] [--method ProNE]

K = 64. Walk-based methods have 5 walks of 40 steps per node and 2 epochs; with "paper's walks" 10 walks of 80 steps and
5 epochs.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import MATCHED, UNIFORM, embed_apart, half_hidden, link_aucs, main
from residuum import datasets
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.graphs import PAPER_GRAPHS
from residuum.reproduction.tables import mean_table
from residuum.reproduction.target import chosen

BASE = {"n_components": 64, "window": 10}
SHORT = BASE | {"n_walks": 5, "walk_length": 40, "epochs": 2}
PAPER = BASE | {"n_walks": 10, "walk_length": 80, "epochs": 5}
UNWEIGHTED = BASE | {"solver": "exact", "weighting": 0.0}
METHODS = {
    "residual2vec 0.0.12": ("r2v2023", BASE),
    "ProNE": ("prone", BASE),
    "exact": ("residuum", BASE | {"solver": "exact"}),
    "exact, floor 0": ("residuum", UNWEIGHTED | {"floor": 0.0}),
    "exact, floor -1": ("residuum", UNWEIGHTED | {"floor": -1.0}),
    "exact, floor -3": ("residuum", UNWEIGHTED | {"floor": -3.0}),
    "landmark": ("residuum", BASE | {"solver": "landmark"}),
    "block": ("residuum", BASE | {"solver": "block"}),
    "block, floor -1": ("residuum", BASE | {"solver": "block", "weighting": 0.0, "floor": -1.0}),
    "DeepWalk": ("residuum", SHORT | {"method": "deepwalk"}),
    "gensim, uniform negatives": ("gensim", SHORT | {"exponent": 0.0}),
    "Node2Vec, q = 0.5": ("residuum", SHORT | {"method": "node2vec", "q": 0.5}),
    "PecanPy q = 0.5, gensim": ("gensim", SHORT | {"exponent": 0.75, "q": 0.5}),
    "GloVe": ("residuum", SHORT | {"method": "glove"}),
    "DeepWalk, paper's walks": ("residuum", PAPER | {"method": "deepwalk"}),
    "gensim, uniform negatives, paper's walks": ("gensim", PAPER | {"exponent": 0.0}),
    "Node2Vec, q = 0.5, paper's walks": ("residuum", PAPER | {"method": "node2vec", "q": 0.5}),
    "PecanPy q = 0.5, gensim, paper's walks": ("gensim", PAPER | {"exponent": 0.75, "q": 0.5}),
    "NetMF": ("residuum", BASE | {"method": "netmf"}),
    "LaplacianEigenmap": ("residuum", {"n_components": 64, "method": "laplacian"}),
    "ModularitySpectral": ("residuum", {"n_components": 64, "method": "modularity"}),
    **{
        f"{name}{label}": ("residuum", {"n_components": 64, "method": name.lower()} | extra)
        for name in ("GCN", "GAT", "GraphSAGE")
        for label, extra in (("", {}), (", residual", {"null_model": "configuration"}))
    },
}
LONG = [name for name in METHODS if name.endswith("paper's walks")]


def cases(settings: Settings) -> list[Case]:
    graphs = chosen("graphs", datasets.names(), settings.graphs or PAPER_GRAPHS)
    wanted = settings.methods or tuple(name for name in METHODS if name not in LONG)
    return [Case(graph, method) for graph in graphs for method in chosen("methods", METHODS, wanted)]


def measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    software, parameters = METHODS[case.method]
    task = half_hidden(case.graph, run)
    result = embed_apart(software, task, parameters)
    return link_aucs(task, result) | {"seconds": result.seconds}


def table(rows: list[Row], settings: Settings) -> str:
    return "\n\n".join(mean_table(rows, name, lowest=name == "seconds") for name in (MATCHED, UNIFORM, "seconds"))


TARGET = Target(
    "rivals", "Link prediction compared with other software", (MATCHED, UNIFORM, "seconds"), cases, measure, table
)

if __name__ == "__main__":
    main(TARGET, __file__, runs=3)
