"""Triangles on a cluster are those of one machine."""

import numpy as np
import pytest

from residuum import Graph
from residuum.graph import triangle_deficit


@pytest.mark.parametrize("n_parts", [1, 3])
def test_the_triangle_deficit_is_that_of_the_graph(build, n_parts):
    rng = np.random.default_rng(0)
    hubs = np.triu(rng.random((90, 90)) < np.where(np.arange(90) < 6, 0.6, 0.03)[:, None], k=1)
    hubs[:6, :6] = False
    graph = Graph((hubs | hubs.T) + np.diag(np.arange(90) % 7 == 0) * 2.0)
    deficit = triangle_deficit(graph)
    assert deficit > 1.5
    partitioned = build(graph, n_parts)
    for _ in range(2):
        assert triangle_deficit(partitioned) == pytest.approx(deficit)
