"""What null models and erasure leave of an attribute, on real graphs, and what they cost in link prediction.

    python benchmarks/quality/debiasing.py [--tasks polblogs:party,airport:tz_region]

Rows of other tasks that are in the results stay there.

Half of the edges are hidden; the rest is embedded (K = 64, window 10), graded for the attribute and asked for the
hidden edges.
"""

import argparse
import sys
import warnings
from pathlib import Path

import numpy as np
from sklearn.cluster import KMeans

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import markdown, read_rows, write_rows
from residuum import Residual2Vec, datasets
from residuum.errors import ResiduumWarning
from residuum.evaluation import label_predictability, link_task, similarity_dependence
from residuum.graph import Graph
from residuum.nulls import DegreeCorrectedSBM, Spatial, Temporal

RESULTS = Path(__file__).parent / "results"
TASKS = [
    "polblogs:party",
    "lastfm-asia:country",
    "airport:tz_region",
    "fb-johnshopkins:gender",
    "fb-johnshopkins:dorm",
    "fb-johnshopkins:year",
    "acl-cite:year",
    "cit-hepth:year",
]
DIRECTED = {"acl-cite", "cit-hepth"}
N_BLOCKS = 20
# The spectrum of the citation graphs is long, and landmarks would be doubled for minutes.
LANDMARKS = 1024
FLOORS = (0.0, -1.0)


def load(name: str, column: str) -> tuple[Graph, np.ndarray]:
    """Return the graph and the attribute as labels, 'unknown' where it is missing."""
    graph = datasets.load(name, directed=name in DIRECTED)
    values = graph.node_attributes[column]
    labels = np.array(["unknown" if value is None or value != value else str(value) for value in values.tolist()])
    return graph, labels


def null_models(name: str, column: str, labels: np.ndarray) -> dict:
    fitting = {
        "airport": ("spatial", Spatial(("lat", "lon"), metric="great-circle")),
        "acl-cite": ("temporal", Temporal("year")),
        "cit-hepth": ("temporal", Temporal("year")),
    }.get(name, ("dcsbm", DegreeCorrectedSBM(labels)))
    return {"erdos-renyi": "erdos-renyi", "configuration": "configuration", fitting[0]: fitting[1]}


def blocks_of(train: Graph) -> np.ndarray:
    """Communities of the training graph: k-means of its configuration vectors."""
    vectors = Residual2Vec(32, random_state=0).fit_transform(train)
    norms = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return KMeans(N_BLOCKS, n_init=1, random_state=0).fit_predict(vectors / norms)


def attribute_for_regression(name: str, column: str, graph: Graph, labels: np.ndarray) -> np.ndarray:
    """Years are numbers in the paper's regression; everything else is a label."""
    return graph.node_attributes[column].astype(float) if name in DIRECTED else labels


def classes_for_prediction(name: str, labels: np.ndarray) -> np.ndarray:
    """Years in eight bins with about as many papers each; of labels the eight most frequent, the others as one."""
    if name not in DIRECTED:
        found, counts = np.unique(labels, return_counts=True)
        frequent = found[np.argsort(-counts)[:8]]
        return np.where(np.isin(labels, frequent), labels, "other")
    years = labels.astype(float)
    return np.searchsorted(np.unique(np.quantile(years, np.linspace(0, 1, 9)[1:-1])), years, side="right")


def measure(task_name: str) -> list[dict]:
    name, column = task_name.split(":")
    graph, labels = load(name, column)
    task = link_task(graph, 0.5, np.random.default_rng(0))
    numbers, classes = attribute_for_regression(name, column, graph, labels), classes_for_prediction(name, labels)
    rows = []
    models = null_models(name, column, labels)
    if "dcsbm" in models:
        # Beyond linear: chance also knows the communities, so that less of the label's neighbourhood is left.
        blocks = blocks_of(task.train)
        models["dcsbm x blocks"] = models["dcsbm"] * DegreeCorrectedSBM(blocks)
    for null_name, null_model in models.items():
        for floor in FLOORS:
            for erase in (None, {column: labels}):
                if erase and null_name == "dcsbm x blocks":
                    erase = {column: labels, "blocks": blocks}
                model = Residual2Vec(
                    64,
                    null_model=null_model,
                    floor=floor,
                    erase=erase,
                    n_landmarks=LANDMARKS if name in DIRECTED else None,
                    random_state=0,
                ).fit(task.train)
                found = label_predictability(model.embedding_, classes, n_nodes=1200)

                def score(i, j, model=model):
                    return model.score_pairs(model.node_ids_[i], model.node_ids_[j])

                row = {
                    "task": task_name,
                    "null": null_name,
                    "floor": floor,
                    "erased": "yes" if erase else "no",
                    "R2": round(similarity_dependence(model.embedding_, numbers), 4),
                    "chance": round(found["linear"].chance, 3),
                }
                for key, value in found.items():
                    row[key] = round(value.accuracy, 3)
                row["linear margin"] = round(found["linear"].margin, 3)
                row["linear above chance"] = "yes" if found["linear"].above_chance else "no"
                row["AUC"] = round(task.auc(score, "degree-matched"), 4)
                rows.append(row)
                print(*row.values(), sep="\t", flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", default=",".join(TASKS))
    options = parser.parse_args()
    warnings.simplefilter("ignore", ResiduumWarning)
    tasks = options.tasks.split(",")
    kept = RESULTS / "debiasing.csv"
    rows = [row for row in read_rows(kept) if row["task"] not in tasks] if kept.exists() else []
    for task in tasks:
        rows += measure(task)
        write_rows(RESULTS / "debiasing.csv", rows)
        text = markdown(list(rows[0]), [[str(value) for value in row.values()] for row in rows])
        (RESULTS / "debiasing.md").write_text(text + "\n")


if __name__ == "__main__":
    main()
