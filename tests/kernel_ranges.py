"""Calls of a kernel over consecutive ranges of uneven length."""

import itertools

import numpy as np


def uneven_ranges(length, n_ranges):
    """Return ``n_ranges`` pairs of begin and end that cover ``length``; later ranges are longer."""
    bounds = (length * (np.arange(n_ranges + 1) / n_ranges) ** 2).astype(int)
    return [(int(begin), int(end)) for begin, end in itertools.pairwise(bounds)]


def over_ranges(kernel, *arguments, length, n_ranges):
    """Call a kernel with each range as last arguments; return its results."""
    return [kernel(*arguments, begin, end) for begin, end in uneven_ranges(length, n_ranges)]
