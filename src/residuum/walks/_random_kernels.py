"""Random numbers for kernels: one stream for each (seed, number), whatever thread draws from it."""

import numba
import numpy as np

__all__ = ["next_uniform", "stream"]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@numba.njit(cache=True, inline="always")
def _mix(z):
    """Scramble 64 bits: the finaliser of splitmix64, a bijection."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@numba.njit(cache=True)
def stream(seed, number):
    """Return the state at which the stream of that number starts.

    Parameters
    ----------
    seed : uint64
    number : int
        Of a walk, say; streams of different numbers are independent.
    """
    return _mix(np.uint64(seed) + _mix(np.uint64(number) + _GOLDEN))


@numba.njit(cache=True, inline="always")
def next_uniform(state):
    """Return the next state and a number in [0, 1) with 53 random bits (splitmix64)."""
    state = state + _GOLDEN
    return state, np.float64(_mix(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)
