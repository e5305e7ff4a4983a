"""Chi-squared tests of sampled contexts against P_0, at fixed seeds."""

import numpy as np
import pytest
from scipy.stats import chisquare

from graph_cases import graph_cases, labels_for
from residuum.nulls import Configuration, DegreeCorrectedSBM, ErdosRenyi


@pytest.mark.parametrize("case", ["weighted", "directed", "dangling nodes", "isolated nodes"])
@pytest.mark.parametrize("model", ["erdos-renyi", "configuration", "dcsbm"])
def test_frequencies_of_contexts_follow_the_probabilities(model, case):
    graph = graph_cases()[case]
    null_model = {
        "erdos-renyi": ErdosRenyi(),
        "configuration": Configuration(0.75),
        "dcsbm": DegreeCorrectedSBM(labels_for(graph)),
    }[model]
    null = null_model.fit(graph, 4)
    center = 5
    draws = null.sample(np.full(40_000, center), np.random.default_rng(1))
    probability = np.exp(null.log_probability(center, np.arange(graph.n_nodes)))
    counts = np.bincount(draws, minlength=graph.n_nodes)
    assert counts[probability == 0].sum() == 0
    reachable = probability > 0
    # A wrong group or a shifted table has a p-value near 0.
    assert chisquare(counts[reachable], 40_000 * probability[reachable]).pvalue > 1e-3
