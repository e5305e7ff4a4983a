import numpy as np
import pytest

from residuum._random import as_generator
from residuum.errors import InvalidParameterError


@pytest.mark.parametrize("seed", [0, 42, np.int64(42), 2**40])
def test_seed_always_starts_at_the_same_place(seed: int) -> None:
    assert as_generator(seed).random() == as_generator(seed).random()


def test_generator_is_used_as_it_is_so_that_it_moves_on() -> None:
    rng = np.random.default_rng(0)
    assert as_generator(rng) is rng


def test_random_state_of_scikit_learn_decides_and_moves_on() -> None:
    state = np.random.RandomState(1)
    first, second = as_generator(state).random(), as_generator(state).random()
    assert first != second
    assert first == as_generator(np.random.RandomState(1)).random()


def test_none_is_different_every_time() -> None:
    assert as_generator(None).random() != as_generator(None).random()


@pytest.mark.parametrize("seed", [-1, 1.5, "1", True, [1]])
def test_what_is_no_seed_is_refused(seed: object) -> None:
    with pytest.raises(InvalidParameterError, match="random_state must be None, a whole number of at least 0, or"):
        as_generator(seed)
