import numpy as np
import pytest

from residuum._random import as_generator, random_rows
from residuum.errors import InvalidParameterError


@pytest.mark.parametrize("seed", [0, 42, np.int64(42), 2**40])
def test_the_same_seed_gives_the_same_numbers(seed: int) -> None:
    assert as_generator(seed).random() == as_generator(seed).random()


def test_a_generator_is_returned_itself() -> None:
    rng = np.random.default_rng(0)
    assert as_generator(rng) is rng


def test_a_random_state_of_scikit_learn_is_reproducible_and_advances() -> None:
    state = np.random.RandomState(1)
    first, second = as_generator(state).random(), as_generator(state).random()
    assert first != second
    assert first == as_generator(np.random.RandomState(1)).random()


def test_none_gives_different_numbers_each_time() -> None:
    assert as_generator(None).random() != as_generator(None).random()


@pytest.mark.parametrize("seed", [-1, 1.5, "1", True, [1]])
def test_an_invalid_seed_raises(seed: object) -> None:
    with pytest.raises(InvalidParameterError, match="random_state must be None, an integer of at least 0, or"):
        as_generator(seed)


@pytest.mark.parametrize("kind", ["normal", "signs"])
def test_rows_of_a_random_matrix_do_not_depend_on_the_range(kind) -> None:
    whole = random_rows(3, 0, 2500, 4, kind)
    for begin, end in ((0, 10), (1000, 1100), (1024, 2048), (2047, 2500)):
        np.testing.assert_array_equal(random_rows(3, begin, end, 4, kind), whole[begin:end])
    assert abs(whole.mean()) < 0.05
    assert whole.std() == pytest.approx(1.0, abs=0.05)
    assert not np.array_equal(random_rows(4, 0, 10, 4, kind), whole[:10])
