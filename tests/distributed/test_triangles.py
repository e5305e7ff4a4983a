"""Triangles on a cluster are those of one machine."""

import numpy as np
import pytest

from residuum import Graph
from residuum.graph import triangles_by_degree


@pytest.mark.parametrize("n_parts", [1, 3])
def test_the_share_of_triangles_is_that_of_the_graph(build, n_parts):
    rng = np.random.default_rng(0)
    hubs = np.triu(rng.random((90, 90)) < np.where(np.arange(90) < 6, 0.6, 0.03)[:, None], k=1)
    hubs[6:30, 6:30] |= np.triu(rng.random((24, 24)) < 0.5, k=1)
    graph = Graph((hubs | hubs.T) + np.diag(np.arange(90) % 7 == 0) * 2.0)
    share = triangles_by_degree(graph)
    assert 0.1 < share < 1.0
    partitioned = build(graph, n_parts)
    for _ in range(2):
        assert triangles_by_degree(partitioned) == pytest.approx(share)
    assert not list(partitioned.grid.stages.folder.glob("wedges*"))
