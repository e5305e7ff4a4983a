import numpy as np
import pytest

from residuum import Graph
from residuum.residual.left_out_ends import sample_edges


@pytest.mark.parametrize("directed", [False, True])
def test_sampled_edges_are_distinct_and_leave_other_edges_at_their_ends(directed):
    A = np.triu(np.random.default_rng(1).random((40, 40)) < 0.1, 1).astype(float)
    A[np.arange(39), np.arange(1, 40)] = 1.0
    graph = Graph(A if directed else A + A.T, directed=directed)
    edges = sample_edges(graph, 30, np.random.default_rng(0))
    assert len(np.unique(np.sort(edges, axis=1) if not directed else edges, axis=0)) == len(edges) > 10
    dense = graph.adjacency.toarray()
    assert (dense[edges[:, 0], edges[:, 1]] > 0).all()
    assert ((dense > 0).sum(axis=1)[edges[:, 0]] > 1).all()
    assert ((dense > 0).sum(axis=0)[edges[:, 1]] > 1).all()
