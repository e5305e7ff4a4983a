"""Negatives sampled in the kernel, compared with P_0 within five standard deviations at fixed seeds."""

import numba
import numpy as np
import pytest

from graph_cases import graph_cases, labels_for
from residuum._kernels.random import stream
from residuum._kernels.skipgram import draw_negative
from residuum.errors import NullModelError
from residuum.nulls import Configuration, DegreeCorrectedSBM, DegreeCorrelated, ErdosRenyi, SampledNull
from residuum.solvers.negatives import Negatives

CASES = graph_cases()
NULLS = {
    "erdos-renyi": lambda graph: ErdosRenyi(),
    "configuration": lambda graph: Configuration(0.75),
    "dcsbm": lambda graph: DegreeCorrectedSBM(labels_for(graph)),
    "degree-correlated": lambda graph: DegreeCorrelated(),
}


@numba.njit
def draws(n, center, groups, c_threshold, c_alias, nodes, borders, n_threshold, n_alias, pool):
    state, out = stream(np.uint64(5), center), np.empty(n, dtype=np.int64)
    for k in range(n):
        state, out[k] = draw_negative(
            state, center, groups, c_threshold, c_alias, nodes, borders, n_threshold, n_alias, pool
        )  # fmt: skip
    return out


def active_nodes(graph):
    return graph.out_strength > 0


@pytest.mark.parametrize("name", NULLS)
@pytest.mark.parametrize("case", CASES)
def test_negatives_have_the_frequencies_of_the_null_model(case, name):
    graph = CASES[case]
    null = NULLS[name](graph).fit(graph, 4)
    negatives = Negatives(null, active_nodes(graph), np.random.default_rng(0))
    negatives.next_epoch()
    for center in np.flatnonzero(active_nodes(graph))[:6]:
        expected = np.exp(null.log_probability(center, np.arange(graph.n_nodes)))
        frequencies = np.bincount(draws(20_000, center, *negatives.arrays), minlength=graph.n_nodes) / 20_000
        assert not frequencies[expected == 0].any()
        assert (np.abs(frequencies - expected) <= 5 * np.sqrt(expected / 20_000) + 2 / 20_000).all()


def test_pools_of_a_sampled_null_model_have_its_frequencies():
    graph = CASES["unweighted"]
    null = SampledNull(n_samples=3).fit(graph, 4)
    negatives = Negatives(null, active_nodes(graph), np.random.default_rng(0))
    counts = np.zeros(graph.n_nodes)
    for _ in range(60):
        negatives.next_epoch()
        counts += np.bincount(negatives.arrays[-1][2], minlength=graph.n_nodes)
    expected = np.exp(null.log_probability(2, np.arange(graph.n_nodes)))
    frequencies = counts / counts.sum()
    assert (np.abs(frequencies - expected) <= 5 * np.sqrt(expected / counts.sum()) + 2 / counts.sum()).all()


def test_a_null_model_with_invalid_samples_is_rejected():
    class Nonsense:
        block_form = None

        def sample(self, centers, rng):
            return np.full(len(centers), 99)

    negatives = Negatives(Nonsense(), np.ones(20, dtype=bool), np.random.default_rng(0))
    with pytest.raises(
        NullModelError,
        match=r"Nonsense\.sample must return a node position from 0 to 19 for each of 40960 centers; .* from 99 to 99",
    ):
        negatives.next_epoch()
