"""Random streams for kernels, identified by (seed, number) and independent of threads."""

import numba
import numpy as np

__all__ = ["next_bits", "next_uniform", "stream"]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@numba.njit(cache=True, inline="always")
def mix(z):
    """Mix 64 bits by the finalizer of splitmix64, a bijection."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@numba.njit(cache=True)
def stream(seed, number):
    """Return the initial state of a stream.

    Parameters
    ----------
    seed : uint64
        Seed shared by all streams.
    number : int
        Number of the stream, for example of a walk; different numbers give independent streams.
    """
    return mix(np.uint64(seed) + mix(np.uint64(number) + _GOLDEN))


@numba.njit(cache=True, inline="always")
def next_bits(state):
    """Return the next state and 64 random bits (splitmix64)."""
    state = state + _GOLDEN
    return state, mix(state)


@numba.njit(cache=True, inline="always")
def next_uniform(state):
    """Return the next state and a number in [0, 1) with 53 random bits."""
    state, bits = next_bits(state)
    return state, np.float64(bits >> np.uint64(11)) * (1.0 / 9007199254740992.0)
