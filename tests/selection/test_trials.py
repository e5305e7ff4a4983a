import itertools

import numpy as np
import pytest

from residuum import Residual2Vec, datasets
from residuum.evaluation import link_task
from residuum.selection.trials import Trial, run_trial
from residuum.selection.tunables import TUNABLES

GRAPH = datasets.planted_groups(300, 5, mixing=0.1, average_degree=8, random_state=1)
SCALES = TUNABLES["scale"].values


def tasks():
    rng = np.random.default_rng(7)
    return [link_task(GRAPH, 0.1, rng) for _ in range(3)]


def trial(values, names, scoring="both", n_components=8):
    def make(parameters, task):
        return Residual2Vec(n_components, solver="exact", random_state=0, **parameters)

    return run_trial(make, tasks(), values, {name: TUNABLES[name] for name in names}, scoring)


def direct(n_components=8, **parameters):
    """Return both AUCs of fits with these parameters, from the scores of the model."""
    parameters = {"shrinkage": 0.0, "scale": 1.0, **parameters}
    matched, uniform = [], []
    for task in tasks():
        model = Residual2Vec(n_components, solver="exact", random_state=0, **parameters).fit(task.train)
        matched.append(task.auc(lambda i, j, model=model: model.score_pairs(i, j), "degree-matched"))
        uniform.append(task.auc(lambda i, j, model=model: model.score_pairs(i, j, mode="full"), "uniform"))
    return np.mean(matched), np.mean(uniform)


def test_aucs_equal_those_of_the_model_on_held_out_edges():
    best = trial({"window": 5}, ["window"])
    assert best.parameters == {"window": 5}
    assert (best.auc, best.auc_full) == pytest.approx(direct(window=5), abs=1e-3)


def test_the_scale_maximizes_the_auc_of_the_full_score():
    best = trial({}, ["scale"], "full", n_components=4)
    aucs = [direct(4, scale=scale)[1] for scale in SCALES]
    assert best.parameters == {"scale": SCALES[int(np.argmax(aucs))]}
    assert best.auc_full == pytest.approx(max(aucs), abs=1e-3)


def test_power_and_shrinkage_minimize_the_share_of_misranked_pairs():
    names = ["power", "shrinkage", "scale"]
    best = trial({}, names, n_components=12)

    def loss(parameters):
        matched, uniform = direct(12, **parameters)
        return (1 - matched) * (1 - uniform)

    values = itertools.product((1.0, 1.2, 1.4), (0.0, 0.9), SCALES[2:6])
    grid = [dict(zip(names, point, strict=True)) for point in values]
    assert list(best.parameters) == names
    assert loss(best.parameters) <= min(loss(point) for point in grid) + 1e-6
    assert best.auc == pytest.approx(direct(12, **best.parameters)[0], abs=1e-3)


def test_the_loss_depends_on_the_scoring():
    trial = Trial({}, 0.8, 0.9)
    assert trial.loss("residual") == pytest.approx(0.2)
    assert trial.loss("full") == pytest.approx(0.1)
    assert trial.loss("both") == pytest.approx(0.02)
