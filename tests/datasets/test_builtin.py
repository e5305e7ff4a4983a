import networkx as nx
import numpy as np

from residuum import datasets
from residuum.graph import as_graph


def test_karate_club_equals_that_of_networkx() -> None:
    graph = datasets.karate_club()
    assert (graph.n_nodes, graph.n_edges, graph.directed) == (34, 78, False)
    assert sorted(set(graph.node_attributes["club"].tolist())) == ["Mr. Hi", "Officer"]
    reference = as_graph(nx.karate_club_graph())
    np.testing.assert_array_equal(graph.adjacency.toarray() > 0, reference.adjacency.toarray() > 0)
    np.testing.assert_array_equal(graph.node_attributes["club"], reference.node_attributes["club"])


def test_les_miserables_equals_that_of_networkx() -> None:
    graph = datasets.les_miserables()
    assert (graph.n_nodes, graph.n_edges, graph.is_weighted) == (77, 254, True)
    reference = as_graph(nx.les_miserables_graph())
    order = graph.positions(reference.node_ids)
    np.testing.assert_array_equal(graph.adjacency.toarray()[order][:, order], reference.adjacency.toarray())
    valjean, javert = graph.positions(["Valjean", "Javert"])
    assert graph.adjacency[valjean, javert] == 17
