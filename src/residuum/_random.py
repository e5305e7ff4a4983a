"""One place where a user's ``random_state`` becomes a numpy Generator."""

from typing import Any

import numpy as np

from residuum.errors import InvalidParameterError

__all__ = ["as_generator"]


def as_generator(random_state: Any) -> np.random.Generator:
    """Return a Generator from None, a seed, a Generator or scikit-learn's RandomState.

    A Generator is used as it is, so that its state moves on; a seed always starts at the same place.
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(0, 2**31, size=4))
    if random_state is None:
        return np.random.default_rng()
    is_seed = isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool)
    if is_seed and random_state >= 0:
        return np.random.default_rng(int(random_state))
    raise InvalidParameterError(
        f"random_state must be None, a whole number of at least 0, or a numpy Generator; got {random_state!r}."
    )
