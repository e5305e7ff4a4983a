"""Conversion of ``random_state`` to a numpy Generator."""

from typing import Any

import numpy as np

from residuum.errors import InvalidParameterError

__all__ = ["as_generator"]


def as_generator(random_state: Any) -> np.random.Generator:
    """Return a numpy Generator.

    Parameters
    ----------
    random_state : int, Generator, RandomState or None
        A seed always gives the same numbers. A Generator is returned itself, and a RandomState seeds a new Generator;
        both advance with each use. None gives different numbers each time.

    Returns
    -------
    numpy Generator
        The Generator passed in, or a new one.

    Examples
    --------
    >>> as_generator(0).integers(100, size=3)
    array([85, 63, 51])
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
        f"random_state must be None, an integer of at least 0, or a numpy Generator; got {random_state!r}."
    )
