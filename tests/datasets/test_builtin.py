import networkx as nx
import numpy as np

from residuum import datasets
from residuum.graph import as_graph


def test_karate_club_is_zacharys() -> None:
    graph = datasets.karate_club()
    assert (graph.n_nodes, graph.n_edges, graph.directed) == (34, 78, False)
    assert sorted(set(graph.node_attributes["club"].tolist())) == ["Mr. Hi", "Officer"]
    theirs = as_graph(nx.karate_club_graph())
    np.testing.assert_array_equal(graph.adjacency.toarray() > 0, theirs.adjacency.toarray() > 0)
    np.testing.assert_array_equal(graph.node_attributes["club"], theirs.node_attributes["club"])


def test_les_miserables_is_knuths() -> None:
    graph = datasets.les_miserables()
    assert (graph.n_nodes, graph.n_edges, graph.is_weighted) == (77, 254, True)
    theirs = as_graph(nx.les_miserables_graph())
    order = graph.positions(theirs.node_ids)
    np.testing.assert_array_equal(graph.adjacency.toarray()[order][:, order], theirs.adjacency.toarray())
    valjean, javert = graph.positions(["Valjean", "Javert"])
    assert graph.adjacency[valjean, javert] == 17
