import numpy as np
import pytest

from residuum import Residual2Vec, datasets
from residuum.errors import InvalidParameterError
from residuum.evaluation import Attack, link_task
from residuum.selection import FrontierPoint, measure_frontier, recommended_point


def point(name, auc, accuracy):
    return FrontierPoint(name, auc, 0.01, Attack("boosted trees", accuracy, 0.01, 0.5, 0.46, 0.54))


def test_the_frontier_measures_links_and_the_strongest_attacker_of_each_model():
    graph = datasets.planted_groups(300, 3, random_state=0)
    group = graph.node_attributes["group"]
    task = link_task(graph, 0.3, np.random.default_rng(0))
    erased = {"erase": group, "erase_level": "distribution"}
    models = {"none": Residual2Vec(8, random_state=0), "full": Residual2Vec(8, random_state=0, **erased)}
    events = []
    none, full = measure_frontier(task, group, models, n_nodes=300, progress=events.append)
    assert (none.name, full.name) == ("none", "full")
    assert none.attack.leak > 0.4
    assert full.attack.leak < 0.12
    assert none.auc > full.auc
    model = models["none"]
    auc, margin = task.auc_interval(lambda i, j: model.score_pairs(i, j), "degree-matched")
    assert (none.auc, none.auc_margin) == pytest.approx((auc, margin), abs=1e-6)
    assert events[-1].done == 2


def test_post_hoc_methods_erase_from_both_vectors_of_the_first_model():
    graph = datasets.planted_groups(300, 3, random_state=0)
    group = graph.node_attributes["group"]
    task = link_task(graph, 0.3, np.random.default_rng(0))
    models = {"none": Residual2Vec(8, random_state=0), "other": Residual2Vec(4, random_state=0)}
    seen = []

    def shuffle(vectors):
        seen.append(vectors)
        return np.random.default_rng(0).permutation(vectors)

    points = measure_frontier(task, group, models, post_hoc={"shuffled": shuffle})
    assert [point.name for point in points] == ["none", "other", "shuffled"]
    assert points[2].attack.leak < 0.12 < points[0].attack.leak
    assert [vectors is expected for vectors, expected in zip(seen, _sides(models["none"]), strict=True)] == [True, True]


def _sides(model):
    return model.embedding_, model.context_embedding_


def test_the_highest_auc_below_the_largest_leakage_is_recommended():
    points = [point("a", 0.9, 0.7), point("b", 0.8, 0.53), point("c", 0.7, 0.5)]
    assert recommended_point(points).name == "b"
    assert recommended_point(points, max_leak=0.01).name == "c"
    assert recommended_point(points, max_leak=0.3).name == "a"


def test_below_chance_is_not_recommended_over_chance():
    assert recommended_point([point("below", 0.9, 0.3), point("chance", 0.6, 0.5)]).name == "chance"


def test_the_least_leakage_is_recommended_if_all_leak():
    assert recommended_point([point("a", 0.9, 0.8), point("b", 0.8, 0.7)]).name == "b"
    with pytest.raises(InvalidParameterError, match="at least one point"):
        recommended_point([])
