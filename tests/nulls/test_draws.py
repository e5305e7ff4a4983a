"""Draws of many contexts at once; that they follow P_0 is in the statistical tests."""

import numba
import numpy as np
import pytest

from graph_cases import graph_cases, labels_for
from residuum.graph import resolve_teleport
from residuum.nulls import Configuration, DegreeCorrectedSBM
from residuum.skipgram import Negatives

CASES = graph_cases()


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two threads")
@pytest.mark.parametrize("case", ["weighted", "dangling nodes"])
def test_the_same_seed_gives_the_same_contexts_on_any_number_of_threads(case):
    graph = CASES[case]
    null = DegreeCorrectedSBM(labels_for(graph)).fit(graph, 3, resolve_teleport(graph, None))
    centers = np.resize(np.flatnonzero(graph.out_strength > 0), 30_000)
    found = []
    for threads in (1, 2):
        before = numba.get_num_threads()
        numba.set_num_threads(threads)
        found.append(null.sample(centers, np.random.default_rng(3)))
        numba.set_num_threads(before)
    np.testing.assert_array_equal(*found)
    # Streams of different parts are not the same.
    assert (found[0][:4096] != found[0][4096:8192]).any()


def test_contexts_have_the_shape_of_the_centres():
    graph = CASES["weighted"]
    null = Configuration().fit(graph, 2)
    assert null.sample([[1, 2], [3, 4], [5, 1]], np.random.default_rng(0)).shape == (3, 2)
    assert null.sample(7, np.random.default_rng(0)).shape == ()
    assert null.sample([], np.random.default_rng(0)).shape == (0,)


def test_skip_gram_draws_from_the_tables_of_the_null_model():
    graph = CASES["weighted"]
    null = Configuration().fit(graph, 2)
    arrays = Negatives(null, graph.out_strength > 0, np.random.default_rng(0)).arrays
    for ours, its in zip(arrays, null._tables, strict=False):
        np.testing.assert_array_equal(ours, its)
