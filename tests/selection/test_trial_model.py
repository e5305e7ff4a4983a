import numpy as np
import pytest

from residuum import Residual2Vec, datasets
from residuum.nulls import Configuration
from residuum.residual import ResidualMatrix
from residuum.selection.trial_model import CoarseLandmarks, TrialModel
from residuum.solvers import Landmark, Workspace
from residuum.walks import WindowFamily, WindowProbabilities

GRAPH = datasets.planted_groups(900, 5, mixing=0.1, average_degree=8, random_state=1)
PARAMETERS = {"window": 4, "shrinkage": 0.0, "scale": 1.0, "alpha": 0.5, "random_state": 0}


def test_a_trial_with_shared_walks_equals_a_fit():
    model = TrialModel(8, solver="exact", **PARAMETERS)
    model.family = WindowFamily(GRAPH, [4, 8], budget=1 << 30)
    plain = Residual2Vec(8, solver="exact", **PARAMETERS).fit(GRAPH)
    model.fit(GRAPH)
    np.testing.assert_allclose(model.singular_values_, plain.singular_values_, rtol=1e-4)


@pytest.mark.parametrize("solver", ["landmark", Landmark(tolerance=0.0)])
def test_a_trial_has_few_landmarks_whatever_the_tolerance(solver):
    model = TrialModel(16, solver=solver, **PARAMETERS).fit(GRAPH)
    assert model.solver_details_ == {"n_landmarks": 96}


def test_a_given_number_of_landmarks_is_kept():
    assert TrialModel(8, solver=Landmark(300), **PARAMETERS).fit(GRAPH).solver_details_ == {"n_landmarks": 300}


def test_trials_that_differ_in_floor_walk_once(monkeypatch):
    family = WindowFamily(GRAPH, [4], budget=1 << 30)
    steps, step = [], WindowProbabilities.step
    monkeypatch.setattr(
        WindowProbabilities, "step", lambda self, *args, **options: steps.append(1) or step(self, *args, **options)
    )
    counts = []
    for floor in (-3.0, -1.0):
        model = TrialModel(16, solver="landmark", floor=floor, **PARAMETERS)
        model.family = family
        model.fit(GRAPH)
        counts.append(len(steps))
    assert counts[0] == counts[1] > 0


def test_coarse_landmarks_have_the_factors_of_landmarks_and_no_error():
    window = np.full(4, 0.25)
    matrix = ResidualMatrix(WindowProbabilities(GRAPH, window), Configuration().fit(GRAPH, window), floor=-3.0)
    plain, coarse = (
        kind(200).solve(matrix, 8, Workspace(1 << 30, np.random.default_rng(0))) for kind in (Landmark, CoarseLandmarks)
    )
    np.testing.assert_allclose(coarse.factors.values, plain.factors.values, rtol=1e-4)
    np.testing.assert_allclose(coarse.factors.left, plain.factors.left, atol=1e-3)
    assert np.isnan(coarse.error)
    assert plain.error > 0
