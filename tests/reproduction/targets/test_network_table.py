import networkx as nx
import pytest

from residuum import as_graph, datasets
from residuum.reproduction.targets.network_table import clustering_coefficient


@pytest.mark.parametrize("graph", [nx.karate_club_graph(), nx.star_graph(5), nx.complete_graph(4)])
def test_the_clustering_coefficient_equals_networkx(graph):
    assert clustering_coefficient(as_graph(graph)) == pytest.approx(nx.average_clustering(graph))


def test_weights_are_ignored():
    graph = datasets.les_miserables()
    plain = nx.from_scipy_sparse_array(graph.adjacency)
    assert clustering_coefficient(graph) == pytest.approx(nx.average_clustering(plain))
