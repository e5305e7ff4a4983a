"""Conversion of ``random_state`` to a numpy Generator, and rows of random matrices."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from residuum.errors import InvalidParameterError

__all__ = ["as_generator", "random_rows"]

# Rows of a random matrix with the same generator.
_ROWS_AT_ONCE = 1024


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


def random_rows(
    seed: int, begin: int, end: int, width: int, kind: Literal["normal", "signs"] = "normal"
) -> NDArray[np.float32]:
    """Return some rows of a random matrix, the same whichever rows are generated together.

    Parameters
    ----------
    seed : int
        Seed of the matrix.
    begin, end : int
        Range of rows.
    width : int
        Number of columns.
    kind : {"normal", "signs"}
        Distribution of the entries: standard normal, or −1 and 1.

    Returns
    -------
    float32 array of shape (end − begin, width)
        The rows.

    Examples
    --------
    >>> bool((random_rows(0, 0, 3000, 2)[2000:] == random_rows(0, 2000, 3000, 2)).all())
    True
    """
    rows = np.empty((end - begin, width), dtype=np.float32)
    for number in range(begin // _ROWS_AT_ONCE, -(-end // _ROWS_AT_ONCE)):
        rng = np.random.default_rng([seed, number])
        first = number * _ROWS_AT_ONCE
        if kind == "normal":
            block = rng.standard_normal((_ROWS_AT_ONCE, width), dtype=np.float32)
        else:
            block = rng.choice(np.array([-1.0, 1.0], dtype=np.float32), size=(_ROWS_AT_ONCE, width))
        inside = slice(max(begin, first), min(end, first + _ROWS_AT_ONCE))
        rows[inside.start - begin : inside.stop - begin] = block[inside.start - first : inside.stop - first]
    return rows
