"""What is planted in the journal graph, and what comes back: fields by nearest neighbours, and the trace of the year.

    python benchmarks/quality/journal_recovery.py [--scale 0.1] [--folder DIR] [--methods configuration,year,...]

K = 128, window 10. Fields are predicted by the nearest neighbours in cosine, five folds in which no journal is on both
sides; R² is that of the paper's regression of the cosine on the years of the two nodes.
"""

import argparse
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.model_selection import GroupKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import markdown, write_rows
from residuum import Residual2Vec, datasets
from residuum.errors import ResiduumWarning
from residuum.evaluation import similarity_dependence
from residuum.nulls import Temporal

RESULTS = Path(__file__).parent / "results"
COMPONENTS, WINDOW, GRADED = 128, 10, 8000


def methods(names: list[str]) -> dict:
    """Return the estimators by name."""
    year = Temporal("year")
    common = {"n_components": COMPONENTS, "window": WINDOW, "random_state": 0}
    known = {
        "configuration": lambda: Residual2Vec(**common),
        "configuration, floor 0": lambda: Residual2Vec(**common, floor=0.0),
        "year": lambda: Residual2Vec(**common, null_model=year),
        "year, floor 0": lambda: Residual2Vec(**common, null_model=year, floor=0.0),
        "year, erased": lambda: Residual2Vec(**common, null_model=year, erase="null"),
        "node2vec": node2vec,
    }
    return {name: known[name] for name in names or known}


def node2vec():
    """node2vec, with two walks a node and one epoch: the paper's ten and five would take an hour here."""
    from residuum import Node2Vec

    return Node2Vec(COMPONENTS, window=WINDOW, n_walks=2, epochs=1, random_state=0)


def grade(vectors: np.ndarray, journals, chosen: np.ndarray) -> dict:
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    accuracy = cross_val_score(
        KNeighborsClassifier(10),
        unit[chosen],
        journals.field[chosen],
        groups=journals.journal[chosen],
        cv=GroupKFold(5),
        scoring="f1_micro",
    )
    return {
        "field, micro-F1": round(float(accuracy.mean()), 4),
        "R2 year": round(similarity_dependence(vectors, journals.year.astype(float)), 4),
        "R2 degree": round(similarity_dependence(vectors, np.log(journals.graph.out_strength)), 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=0.1)
    parser.add_argument("--folder", type=Path, help="where the graph is kept; a temporary one by default")
    parser.add_argument("--methods", default="", help="names with semicolons between; all by default")
    options = parser.parse_args()
    warnings.simplefilter("ignore", ResiduumWarning)
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        journals = datasets.journal_citations(
            options.scale, (options.folder or Path(temporary)) / f"journal-{options.scale}.r2g"
        )
        chosen = np.random.default_rng(0).permutation(journals.graph.n_nodes)[:GRADED]
        for name, make in methods([name for name in options.methods.split(";") if name]).items():
            began = time.perf_counter()
            model = make().fit(journals.graph)
            seconds = time.perf_counter() - began
            rows.append(
                {
                    "scale": options.scale,
                    "method": name,
                    "solver": getattr(model, "solver_", ""),
                    "seconds": round(seconds, 1),
                    **grade(model.embedding_, journals, chosen),
                }
            )
            print(*rows[-1].values(), sep="\t", flush=True)
    write_rows(RESULTS / "journal_recovery.csv", rows)
    text = markdown(list(rows[0]), [[str(value) for value in row.values()] for row in rows])
    (RESULTS / "journal_recovery.md").write_text(text + "\n")


if __name__ == "__main__":
    main()
