import numpy as np
import pytest

from graph_cases import graph_cases
from residuum._threads import thread_limit
from residuum.graph.mixing import weight_between


@pytest.mark.parametrize("case", ["weighted", "directed", "self-loops", "isolated nodes"])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.usefixtures("four_cores")
def test_weights_between_groups_equal_the_dense_product(case, threads):
    graph = graph_cases()[case]
    groups = (np.arange(graph.n_nodes) % 3).astype(np.int32)
    member = np.eye(4)[groups]
    with thread_limit(threads):
        weights = weight_between(graph, groups, 4)
    np.testing.assert_allclose(weights, member.T @ graph.adjacency.toarray() @ member, rtol=1e-6)


def test_factor_scales_each_row():
    graph = graph_cases()["directed"]
    groups = (np.arange(graph.n_nodes) % 3).astype(np.int32)
    member, factor = np.eye(3)[groups], np.linspace(0.0, 2.0, graph.n_nodes)
    expected = member.T @ (factor[:, None] * graph.adjacency.toarray()) @ member
    np.testing.assert_allclose(weight_between(graph, groups, 3, factor), expected, rtol=1e-6)
