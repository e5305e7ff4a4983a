import numba
import numpy as np
import pytest

from graph_cases import graph_cases
from residuum.nulls.grouped import weight_between


@pytest.mark.parametrize("case", ["weighted", "directed", "self-loops", "isolated nodes"])
@pytest.mark.parametrize("threads", [1, 2])
def test_weights_between_groups_are_those_of_the_dense_matrix(case, threads):
    graph = graph_cases()[case]
    groups = (np.arange(graph.n_nodes) % 3).astype(np.int32)
    member = np.eye(4)[groups]
    before = numba.get_num_threads()
    numba.set_num_threads(min(threads, before))
    found = weight_between(graph, groups, 4)
    numba.set_num_threads(before)
    np.testing.assert_allclose(found, member.T @ graph.adjacency.toarray() @ member, rtol=1e-6)


def test_many_groups_are_added_up_in_fewer_runs(monkeypatch):
    graph = graph_cases()["weighted"]
    groups = np.arange(graph.n_nodes, dtype=np.int32)
    whole = weight_between(graph, groups, graph.n_nodes)
    monkeypatch.setattr("residuum.nulls.grouped._TABLE_BYTES", 1)
    np.testing.assert_array_equal(weight_between(graph, groups, graph.n_nodes), whole)
