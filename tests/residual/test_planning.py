import numpy as np
import pytest

from residuum import Residual2Vec, datasets
from residuum.nulls import SampledNull
from residuum.residual import Problem, estimate
from residuum.residual.planning import COEFFICIENTS, features

SMALL = Problem(1000, 10_000, 64, 10, symmetric=True, memory_limit=8 << 30)
MIDDLE = Problem(80_000, 2_000_000, 64, 10, symmetric=True, memory_limit=8 << 30)
# The paper's journals: a thousand neighbours each.
DENSE = Problem(242_789, 254_793_567, 128, 10, symmetric=True, memory_limit=16 << 30)


def chosen(problem):
    """The solvers that "auto" stands for, which must be one."""
    return [one.solver for one in estimate(problem) if one.chosen]


def by_solver(problem):
    return {one.solver: one for one in estimate(problem)}


def test_auto_takes_the_most_exact_solver_that_is_not_out_of_proportion():
    assert chosen(SMALL) == ["exact"]
    assert chosen(MIDDLE) == ["landmark"]
    assert chosen(DENSE) == ["block"]


def test_a_null_model_without_blocks_is_not_for_the_block_solver():
    sampled = Problem(**{**vars(DENSE), "has_blocks": False})
    assert not by_solver(sampled)["block"].possible
    assert chosen(sampled) == ["landmark"]


def test_costs_grow_with_everything():
    for change in ({"n_nodes": 500_000}, {"n_entries": 600_000_000}, {"n_components": 256}):
        larger = Problem(**{**vars(DENSE), **change})
        for before, after in zip(estimate(DENSE), estimate(larger), strict=True):
            assert after.seconds >= before.seconds
            assert after.bytes >= before.bytes


def test_a_smaller_limit_takes_less_memory_and_more_time():
    tight = Problem(**{**vars(SMALL), "n_nodes": 30_000, "memory_limit": 1 << 30})
    ample = Problem(**{**vars(tight), "memory_limit": 8 << 30})
    assert by_solver(tight)["exact"].bytes < by_solver(ample)["exact"].bytes
    assert by_solver(tight)["exact"].seconds > by_solver(ample)["exact"].seconds


def test_a_limit_below_the_least_is_not_possible():
    assert not any(one.possible for one in estimate(Problem(**{**vars(DENSE), "memory_limit": 1 << 20})))


@pytest.mark.parametrize("solver", list(COEFFICIENTS))
def test_every_solver_has_a_coefficient_for_each_feature(solver):
    assert len(features(solver, SMALL)) == len(COEFFICIENTS[solver])
    assert np.all(np.array(COEFFICIENTS[solver]) >= 0)


def test_the_estimator_plans_without_work_and_then_takes_what_it_planned():
    graph = datasets.planted_groups(300, 3, random_state=0)
    model = Residual2Vec(8, random_state=0)
    planned = next(one.solver for one in model.plan(graph) if one.chosen)
    assert not hasattr(model, "embedding_")
    assert model.fit(graph).solver_ == planned
    sampled = Residual2Vec(8, null_model=SampledNull(n_samples=2)).plan(graph)
    assert not next(one for one in sampled if one.solver == "block").possible
