import numpy as np
import pytest

from residuum.residual.newton import (
    FIRST_STEPS,
    NewtonStep,
    averaging_share,
    has_settled,
    remaining_error,
    step_length,
    sweep_seeds,
)


@pytest.mark.parametrize("length", [0.75, 1.3])
def test_a_step_is_a_multiple_of_that_of_newton(length):
    rng = np.random.default_rng(0)
    root = rng.standard_normal((3, 3))
    curvature, x = root @ root.T, rng.standard_normal((5, 3)).astype(np.float32)
    gradient = 0.01 * rng.standard_normal((5, 3)).astype(np.float32)
    prior = rng.random((5, 1), dtype=np.float32)
    moved = NewtonStep.of(curvature, mean_square=100.0, length=length).move(x, gradient, prior)
    for row in range(5):
        inverse = np.linalg.inv(curvature + prior[row] * np.eye(3))
        expected = x[row] + length * inverse @ (gradient[row] - prior[row] * x[row])
        np.testing.assert_allclose(moved[row], expected, rtol=1e-3, atol=1e-5)


def test_a_step_is_at_most_as_long_as_a_typical_vector_or_the_vector_itself():
    x = np.array([[0.0, 0.0], [3.0, 0.0]], dtype=np.float32)
    step = NewtonStep.of(np.eye(2), mean_square=4.0, length=0.75)
    moved = step.move(x, np.full_like(x, 1e6), np.zeros((2, 1), dtype=np.float32))
    np.testing.assert_allclose(np.linalg.norm(moved - x, axis=1), [2.0, 3.0], rtol=1e-5)


@pytest.mark.filterwarnings("error")
def test_a_vector_that_is_far_longer_than_its_step_moves_by_the_step():
    x = np.array([[1e15, 0.0]], dtype=np.float32)
    step = NewtonStep.of(np.eye(2), mean_square=1e30, length=1.0)
    for slope in (0.0, 1e-30):
        moved = step.move(x, np.full_like(x, slope), np.zeros((1, 1), dtype=np.float32))
        np.testing.assert_allclose(moved, x, atol=1e-29)


def test_steps_from_a_random_start_are_long_at_first():
    assert [step_length(number, FIRST_STEPS) for number in range(1, 6)] == [1.3, 1.3, 1.0, 0.75, 0.75]
    assert [step_length(number, ()) for number in range(1, 3)] == [0.75, 0.75]


def test_both_halves_of_all_sweeps_have_their_own_seeds():
    seeds = [seed for number in range(1, 5) for seed in sweep_seeds(0, number)]
    assert len(set(seeds)) == 8
    assert sweep_seeds(0, 3) == sweep_seeds(0, 3)


def test_the_first_sweep_replaces_the_start_in_the_average():
    assert averaging_share(1) == 1.0
    assert averaging_share(10) < averaging_share(5) < 1.0


def test_two_sweeps_without_improvement_settle():
    assert not has_settled([1.3, 0.5, 0.4999], 0.003)
    assert has_settled([1.3, 0.5, 0.4999, 0.4998], 0.003)
    assert not has_settled([1.3, 0.5, 0.4999, 0.4998], 0.0)


def test_the_error_extrapolates_the_last_gains():
    # Gains of 0.2, 0.1, and then 0.05 + 0.025 + … = 0.1 in all.
    assert remaining_error([0.9, 0.7, 0.6]) == pytest.approx(np.sqrt(0.1 / (2 * np.log(2) - 0.6)))
    assert remaining_error([2.0, 1.5]) == 1.0
    # With a first step of 1.5 instead of 0.75, the gain of the second would have been 0.1 after 0.1.
    assert remaining_error([0.9, 0.7, 0.65], (1.5,)) == pytest.approx(np.sqrt(0.05 / (2 * np.log(2) - 0.65)))


def test_the_error_after_one_sweep_is_not_zero():
    assert remaining_error([0.9, 0.8]) == 1.0
    assert remaining_error([0.9, 0.8999]) == pytest.approx(np.sqrt(0.0009 / (2 * np.log(2) - 0.8999)), rel=1e-3)
    assert remaining_error([0.9]) == 1.0


def test_nothing_remains_after_a_loss_that_rises_and_everything_above_the_loss_of_zero_vectors():
    assert remaining_error([0.9, 0.6, 0.7]) == 0.0
    assert remaining_error([2.0, 1.8, 1.6]) == 1.0
    assert remaining_error([2.0, 1.6, 1.7]) == 1.0
