"""Leakage of an attribute after null models and erasure on real graphs, and the cost in link prediction.

    python benchmarks/quality/debiasing.py [--graph polblogs:party] [--method "dcsbm, floor 0, erased"]

Half of the edges are held out and the rest is embedded (K = 64, window 10). The attribute and the held-out edges are
predicted from the vectors.
"""

import sys
import warnings
from functools import lru_cache
from pathlib import Path

import numpy as np
from sklearn.cluster import KMeans

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import MATCHED, main
from residuum import Residual2Vec, datasets
from residuum.errors import ResiduumWarning
from residuum.evaluation import LinkTask, label_predictability, link_task, similarity_dependence
from residuum.graph import Graph
from residuum.nulls import DegreeCorrectedSBM, Spatial, Temporal
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.tables import measures_table
from residuum.reproduction.target import chosen
from residuum.solvers import Landmark

TASKS = (
    "polblogs:party",
    "lastfm-asia:country",
    "airport:tz_region",
    "fb-johnshopkins:gender",
    "fb-johnshopkins:dorm",
    "fb-johnshopkins:year",
    "acl-cite:year",
    "cit-hepth:year",
)
DIRECTED = {"acl-cite", "cit-hepth"}
N_COMMUNITIES = 20
PREDICTORS = ("linear", "linear, forced", "nearest neighbors", "boosted trees")
MEASURES = ("R2", "chance", *PREDICTORS, "linear margin", MATCHED)
# The spectrum of citation graphs decays slowly, and doubling landmarks would take minutes.
SOLVERS = dict.fromkeys(DIRECTED, Landmark(1024))


def fitting_null(name: str) -> str:
    return {"airport": "spatial", "acl-cite": "temporal", "cit-hepth": "temporal"}.get(name, "dcsbm")


def methods_of(task: str) -> list[str]:
    fitting = fitting_null(task.split(":")[0])
    nulls = ["erdos-renyi", "configuration", fitting, *(["dcsbm x communities"] if fitting == "dcsbm" else [])]
    return [f"{null}, floor {floor}{erased}" for null in nulls for floor in (0, -1) for erased in ("", ", erased")]


def cases(settings: Settings) -> list[Case]:
    methods = list(dict.fromkeys(method for task in TASKS for method in methods_of(task)))
    wanted = chosen("methods", methods, settings.methods)
    tasks = chosen("graphs", TASKS, settings.graphs)
    return [Case(task, method) for task in tasks for method in methods_of(task) if method in wanted]


@lru_cache(maxsize=1)
def load(task_name: str, seed: int) -> tuple[LinkTask, np.ndarray]:
    """Return the split graph, and the attribute as labels with missing values as 'unknown'."""
    name, column = task_name.split(":")
    graph = datasets.load(name, directed=name in DIRECTED)
    values = graph.node_attributes[column]
    labels = np.array(["unknown" if value is None or value != value else str(value) for value in values.tolist()])
    return link_task(graph, 0.5, np.random.default_rng(seed)), labels


@lru_cache(maxsize=1)
def communities(train: Graph) -> np.ndarray:
    """Return communities of the training graph, by k-means on vectors of the configuration null model."""
    vectors = Residual2Vec(32, random_state=0).fit_transform(train)
    norms = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return KMeans(N_COMMUNITIES, n_init=1, random_state=0).fit_predict(vectors / norms)


def null_model(null: str, labels: np.ndarray, train: Graph):
    if null == "dcsbm x communities":
        return DegreeCorrectedSBM(labels) * DegreeCorrectedSBM(communities(train))
    objects = {
        "spatial": Spatial(("lat", "lon"), metric="great-circle"),
        "temporal": Temporal("year"),
        "dcsbm": DegreeCorrectedSBM(labels),
    }
    return objects.get(null, null)


def classes_of(name: str, labels: np.ndarray) -> np.ndarray:
    """Return classes to predict: years in eight bins of similar size, or the eight most frequent labels and "other"."""
    if name not in DIRECTED:
        values, counts = np.unique(labels, return_counts=True)
        return np.where(np.isin(labels, values[np.argsort(-counts)[:8]]), labels, "other")
    years = labels.astype(float)
    return np.searchsorted(np.unique(np.quantile(years, np.linspace(0, 1, 9)[1:-1])), years, side="right")


def measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    warnings.simplefilter("ignore", ResiduumWarning)
    name, column = case.graph.split(":")
    task, labels = load(case.graph, run)
    null, floor, *erased = case.method.split(", ")
    erase = {column: labels} if erased else None
    if erase and null == "dcsbm x communities":
        erase["communities"] = communities(task.train)
    model = Residual2Vec(
        64,
        null_model=null_model(null, labels, task.train),
        floor=float(floor.removeprefix("floor ")),
        erase=erase,
        solver=SOLVERS.get(name, "auto"),
        random_state=0,
    ).fit(task.train)
    # The paper's regression uses years as numbers, and other attributes as labels.
    attribute = task.train.node_attributes[column].astype(float) if name in DIRECTED else labels
    leakage = label_predictability(model.embedding_, classes_of(name, labels), n_nodes=1200)
    return {
        "R2": similarity_dependence(model.embedding_, attribute),
        "chance": leakage["linear"].chance,
        **{predictor: leakage[predictor].accuracy for predictor in PREDICTORS},
        "linear margin": leakage["linear"].margin,
        MATCHED: task.auc(lambda i, j: model.score_pairs(model.node_ids_[i], model.node_ids_[j]), "degree-matched"),
    }


def table(rows: list[Row], settings: Settings) -> str:
    return measures_table(rows, MEASURES)


TARGET = Target("debiasing", "Leakage of attributes after null models and erasure", MEASURES, cases, measure, table)

if __name__ == "__main__":
    main(TARGET, __file__)
