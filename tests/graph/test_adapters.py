from collections.abc import Callable
from typing import Any

import igraph
import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from residuum.errors import InvalidGraphError
from residuum.graph import Graph, as_graph

SYMMETRIC = np.array([[1.0, 2.0, 0.0], [2.0, 0.0, 3.0], [0.0, 3.0, 0.0]])
ARCS = np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 3.0], [1.0, 0.0, 0.0]])
MATRICES = [np.array, sparse.csr_matrix, sparse.csr_array, sparse.coo_matrix, sparse.coo_array, sparse.csc_array]


@pytest.mark.parametrize("kind", MATRICES)
@pytest.mark.parametrize(("matrix", "directed"), [(SYMMETRIC, False), (ARCS, True)])
def test_matrix_keeps_its_entries_and_is_directed_unless_symmetric(
    kind: Callable[..., Any], matrix: np.ndarray, directed: bool
) -> None:
    graph = as_graph(kind(matrix))
    assert isinstance(graph.adjacency, sparse.csr_array)
    assert graph.adjacency.toarray().tolist() == matrix.tolist()
    assert graph.directed is directed


def test_symmetric_matrix_can_be_read_as_directed() -> None:
    assert as_graph(SYMMETRIC, directed=True).directed


def test_rounding_does_not_make_a_matrix_directed() -> None:
    assert not as_graph(np.array([[0.0, 1.0], [1.0 + 1e-9, 0.0]])).directed


@pytest.mark.parametrize("kind", MATRICES[1:])
def test_sparse_matrix_is_not_modified(kind: Callable[..., Any]) -> None:
    rows, columns = np.array([1, 0, 0, 2, 2]), np.array([0, 1, 1, 1, 0])
    matrix = kind(sparse.coo_array((np.array([1.0, 2.0, 0.0, 4.0, 0.0]), (rows, columns)), shape=(3, 3)))
    parts = [matrix.data] if hasattr(matrix, "row") else [matrix.data, matrix.indices, matrix.indptr]
    before = [part.copy() for part in parts]
    graph = as_graph(matrix)
    graph.adjacency.data[:] = 9
    for part, copy in zip(parts, before, strict=True):
        np.testing.assert_array_equal(part, copy)


def test_dense_array_is_not_modified() -> None:
    matrix = SYMMETRIC.copy()
    as_graph(matrix).adjacency.data[:] = 9
    np.testing.assert_array_equal(matrix, SYMMETRIC)


def test_duplicate_entries_of_a_matrix_are_summed() -> None:
    matrix = sparse.coo_matrix(([1.0, 1.0, 2.0], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    assert as_graph(matrix).adjacency.toarray().tolist() == [[0, 2], [2, 0]]


def test_networkx_keeps_node_order_weights_and_attributes() -> None:
    network = nx.Graph()
    network.add_nodes_from([("c", {"year": 3, "tag": [1]}), ("a", {"year": 1, "tag": [2]}), (("b", 1), {"year": 2})])
    network.nodes["b", 1]["tag"] = []
    network.nodes["a"]["only here"] = True
    network.add_edge("a", "c", weight=2.5)
    network.add_edge(("b", 1), "a")
    graph = as_graph(network)
    assert graph.node_ids.tolist() == ["c", "a", ("b", 1)]
    assert graph.adjacency.toarray().tolist() == [[0, 2.5, 0], [2.5, 0, 1], [0, 1, 0]]
    assert set(graph.node_attributes) == {"year", "tag"}
    assert graph.node_attributes["year"].tolist() == [3, 1, 2]
    assert graph.node_attributes["tag"].tolist() == [[1], [2], []]


def test_networkx_integer_nodes_stay_integers() -> None:
    assert as_graph(nx.path_graph([5, 3, 4])).node_ids.dtype == np.int64


def test_networkx_weight_attribute_can_be_chosen() -> None:
    network = nx.Graph([("a", "b", {"weight": 2, "time": 7})])
    assert as_graph(network, weight="time").adjacency[0, 1] == 7


@pytest.mark.parametrize("kind", [nx.DiGraph, nx.MultiDiGraph])
def test_networkx_digraph_is_directed_unless_directed_is_false(kind: type) -> None:
    network = kind([(0, 1, {"weight": 2}), (1, 0, {"weight": 3}), (1, 1, {"weight": 5})])
    assert as_graph(network).adjacency.toarray().tolist() == [[0, 2], [3, 5]]
    assert as_graph(network).directed
    undirected = as_graph(network, directed=False)
    assert undirected.adjacency.toarray().tolist() == [[0, 5], [5, 5]]
    assert not undirected.directed


def test_undirected_networkx_graph_can_be_read_as_directed() -> None:
    graph = as_graph(nx.Graph([(0, 1)]), directed=True)
    assert graph.directed
    assert graph.adjacency.toarray().tolist() == [[0, 1], [1, 0]]


def test_networkx_parallel_edges_are_summed_and_self_loops_count_once() -> None:
    network = nx.MultiGraph([(0, 1, {"weight": 2.0}), (1, 0), (1, 1, {"weight": 4.0})])
    assert as_graph(network).adjacency.toarray().tolist() == [[0, 3], [3, 4]]


def test_networkx_graph_is_not_modified() -> None:
    network = nx.Graph([("a", "b", {"weight": 2}), ("b", "b", {})])
    copy = network.copy()
    as_graph(network).adjacency.data[:] = 9
    assert nx.utils.graphs_equal(network, copy)


def test_igraph_keeps_names_weights_and_attributes() -> None:
    network = igraph.Graph(edges=[(0, 1), (1, 0), (2, 2)], directed=True)
    network.vs["name"] = ["x", "y", "z"]
    network.vs["year"] = [1, 2, 3]
    network.es["weight"] = [1.0, 2.0, 4.0]
    graph = as_graph(network)
    assert graph.directed
    assert graph.node_ids.tolist() == ["x", "y", "z"]
    assert graph.adjacency.toarray().tolist() == [[0, 1, 0], [2, 0, 0], [0, 0, 4]]
    assert graph.node_attributes["year"].tolist() == [1, 2, 3]
    assert as_graph(network, directed=False).adjacency.toarray().tolist() == [[0, 3, 0], [3, 0, 0], [0, 0, 4]]


def test_igraph_without_names_gets_integer_ids_and_parallel_edges_are_summed() -> None:
    graph = as_graph(igraph.Graph(n=3, edges=[(0, 1), (1, 0)]))
    assert not graph.directed
    assert graph.node_ids.tolist() == [0, 1, 2]
    assert graph.adjacency[0, 1] == graph.adjacency[1, 0] == 2


@pytest.mark.parametrize("empty", [nx.Graph(), igraph.Graph()])
def test_graph_without_nodes_is_refused(empty: Any) -> None:
    with pytest.raises(InvalidGraphError, match="empty: it has no nodes"):
        as_graph(empty)


def test_graph_without_edges_is_refused() -> None:
    with pytest.raises(InvalidGraphError, match="empty: 2 nodes, but no edge"):
        as_graph(nx.empty_graph(2))


def test_error_names_the_edge_with_a_weight_that_is_not_a_number() -> None:
    with pytest.raises(InvalidGraphError, match="must be numbers; the edge from 'a' to 'b' has weight 'heavy'"):
        as_graph(nx.Graph([("a", "b", {"weight": "heavy"})]))


@pytest.mark.parametrize("network", [nx.path_graph(2), igraph.Graph(edges=[(0, 1)])])
def test_missing_weight_attribute_is_refused(network: Any) -> None:
    with pytest.raises(InvalidGraphError, match="has the attribute 'miles'"):
        as_graph(network, weight="miles")


def test_a_small_asymmetric_weight_makes_a_matrix_directed() -> None:
    assert as_graph(np.array([[0, 1e7, 0], [1e7, 0, 5], [0, 0, 0]])).directed


def test_weights_of_opposite_arcs_are_summed_in_float64() -> None:
    arcs = Graph([[0, 2**24], [1, 0]], directed=True)
    assert arcs.adjacency.dtype == np.float32
    assert float(as_graph(arcs, directed=False).adjacency[0, 1]) == 2**24 + 1


def test_lists_of_different_lengths_are_kept_as_node_attributes() -> None:
    tags = [["a"], ["b", "c"], []]
    network = igraph.Graph(edges=[(0, 1), (1, 2)])
    network.vs["tags"] = tags
    assert as_graph(network).node_attributes["tags"].tolist() == tags
    assert Graph(SYMMETRIC, node_attributes={"tags": tags}).node_attributes["tags"].tolist() == tags
