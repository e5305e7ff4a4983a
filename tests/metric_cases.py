"""A planted graph, and vectors that encode its groups perfectly, partly and not at all."""

import numpy as np

from residuum import datasets
from residuum.evaluation import hide_edges

GRAPH = datasets.planted_groups(200, 4, mixing=0.1, average_degree=12, random_state=0)
SPLIT = hide_edges(GRAPH, 0.3, np.random.default_rng(0))
GROUP = GRAPH.node_attributes["group"]
PERFECT = np.eye(4)[GROUP]
RANDOM = np.random.default_rng(1).normal(size=(200, 8))
# Between the two, with different lengths: no two measures are equal.
MIDDLING = (np.pad(PERFECT, ((0, 0), (0, 4))) + 0.5 * RANDOM) * np.random.default_rng(2).lognormal(0, 0.5, (200, 1))


def values(findings):
    return {finding.name: finding.value for finding in findings}
