"""Attackers on an attribute at each level of erasure on real graphs, and the cost in link prediction.

    python benchmarks/quality/erasure.py [--graph polblogs:party] [--method "distribution 1"] [--runs 5]

Half of the edges are held out and the rest is embedded (K = 64, configuration null model). All attackers predict the
attribute from embedding and context vectors; "leak" is the distance of the strongest from chance. For the methods "out
of sample", a tenth of the nodes of the training graph is left out and embedded by ``transform`` with the attribute,
and attackers trained on the embedding vectors of the others predict it. LEACE needs ``concept-erasure``.
"""

import sys
import warnings
from functools import lru_cache
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import MATCHED, main
from residuum import Graph, Residual2Vec, datasets
from residuum.baselines import leace
from residuum.embedding import PairScores
from residuum.errors import ResiduumWarning
from residuum.evaluation import ATTACKERS, LinkTask, attack, link_task
from residuum.nulls import DegreeCorrectedSBM
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.tables import measures_table
from residuum.reproduction.target import chosen
from residuum.solvers import Landmark

TASKS = (
    "polblogs:party",
    "fb-johnshopkins:gender",
    "fb-johnshopkins:year",
    "fb-johnshopkins:dorm",
    "fb-amherst:gender",
    "fb-amherst:year",
    "fb-amherst:dorm",
    "lastfm-asia:country",
    "airport:tz_region",
    "acl-cite:year",
)
DIRECTED = {"acl-cite"}
LEVELS = {"linear": (0.5, 1.0), "distribution": (0.5, 1.0)}
ERASURES = {f"{level} {s:g}": (level, s) for level, strengths in LEVELS.items() for s in strengths}
OUT_OF_SAMPLE = {f"{method}, out of sample": method for method in ("none", "distribution 1")}
METHODS = ("none", *ERASURES, "dcSBM", "dcSBM, linear 1", "LEACE", *OUT_OF_SAMPLE)
MEASURES = (MATCHED, "chance", "leak", *ATTACKERS)
# The spectrum of citation graphs decays slowly, and doubling landmarks would take minutes.
SOLVERS = dict.fromkeys(DIRECTED, Landmark(1024))


def cases(settings: Settings) -> list[Case]:
    tasks, methods = chosen("graphs", TASKS, settings.graphs), chosen("methods", METHODS, settings.methods)
    return [Case(task, method) for task in tasks for method in methods]


@lru_cache(maxsize=1)
def load(task_name: str, seed: int) -> tuple[LinkTask, np.ndarray]:
    """Return the split graph, and the attribute: years of papers as numbers, others as labels with "unknown"."""
    name, column = task_name.split(":")
    graph = datasets.load(name, directed=name in DIRECTED)
    values = graph.node_attributes[column]
    if name in DIRECTED:
        attribute = values.astype(float)
    else:
        attribute = np.array([str(v) if v not in (None, "") and v == v else "unknown" for v in values.tolist()])
    return link_task(graph, 0.5, np.random.default_rng(seed)), attribute


def model_of(method: str, attribute: np.ndarray, solver) -> Residual2Vec:
    parameters = {}
    if method in ERASURES:
        level, strength = ERASURES[method]
        parameters = {"erase": {"attribute": attribute}, "erase_level": level, "erase_strength": strength}
    elif method.startswith("dcSBM"):
        parameters = {"null_model": DegreeCorrectedSBM(attribute.astype(str))}
        if method != "dcSBM":
            parameters["erase"] = "null"
    return Residual2Vec(64, solver=solver, random_state=0, **parameters)


def left_out(task_name: str, method: str, run: int) -> dict[str, float]:
    """Attack a tenth of the nodes, embedded by transform."""
    task, attribute = load(task_name, run)
    adjacency = task.train.adjacency
    is_new = np.random.default_rng(run).random(task.train.n_nodes) < 0.1
    old = np.flatnonzero(~is_new)
    old = old[np.diff(adjacency[old][:, old].indptr) > 0]
    edges = adjacency[np.flatnonzero(is_new)][:, old]
    new = np.flatnonzero(is_new)[np.diff(edges.indptr) > 0]
    graph = Graph(adjacency[old][:, old], directed=task.train.directed)
    solver = SOLVERS.get(task_name.split(":")[0], "auto")
    model = model_of(method, attribute[old], solver).fit(graph)
    vectors = model.transform(adjacency[new][:, old], attributes={"attribute": attribute[new]})
    both, values = np.concatenate([model.embedding_, vectors]), np.concatenate([attribute[old], attribute[new]])
    test = np.arange(len(both)) >= len(old)
    report = attack(both, values, test=test, n_nodes=len(both), random_state=run)
    return {"chance": report.strongest.chance, "leak": report.strongest.leak} | {
        result.name: result.accuracy for result in report.attacks
    }


def measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    warnings.simplefilter("ignore", ResiduumWarning)
    if case.method in OUT_OF_SAMPLE:
        return {MATCHED: np.nan} | left_out(case.graph, OUT_OF_SAMPLE[case.method], run)
    task, attribute = load(case.graph, run)
    solver = SOLVERS.get(case.graph.split(":")[0], "auto")
    model = model_of(case.method, attribute, solver).fit(task.train)
    u, v = model.embedding_, model.context_embedding_
    if case.method == "LEACE":
        u, v = leace(u, attribute.astype(str)), leace(v, attribute.astype(str))
    report = attack(u, attribute, context_vectors=v, random_state=run)
    scores = PairScores(u, v, directed=task.train.directed)
    return {
        MATCHED: task.auc(scores.residual, "degree-matched"),
        "chance": report.strongest.chance,
        "leak": report.strongest.leak,
        **{result.name: result.accuracy for result in report.attacks},
    }


def table(rows: list[Row], settings: Settings) -> str:
    return measures_table(rows, MEASURES)


TARGET = Target("erasure", "Attackers at each level of erasure, and link AUC", MEASURES, cases, measure, table)

if __name__ == "__main__":
    main(TARGET, __file__)
