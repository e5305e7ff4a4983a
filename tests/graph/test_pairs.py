import numpy as np
import pytest

from residuum.errors import InvalidGraphError
from residuum.graph import Graph, as_graph
from residuum.graph.pairs import ends_and_weights, from_edge_index, from_pairs, is_array_of_edges, is_list_of_edges

RING = [[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]


def test_i9_a_list_of_edges_is_a_graph() -> None:
    graph = as_graph([("ann", "bob"), ("bob", "cid", 2.0), ("cid", "bob")])
    assert graph.node_ids.tolist() == ["ann", "bob", "cid"]
    assert graph.adjacency.toarray().tolist() == [[0, 1, 0], [1, 0, 3], [0, 3, 0]]
    assert as_graph([("ann", "bob")], directed=True).adjacency.toarray().tolist() == [[0, 1], [0, 0]]


def test_i9_an_array_of_edges_is_a_graph_with_ids_in_ascending_order() -> None:
    graph = as_graph(np.array([[7, 3], [3, 5], [5, 7]]))
    assert graph.node_ids.tolist() == [3, 5, 7]
    assert graph.n_edges == 3


def test_a_square_array_is_a_matrix() -> None:
    assert not is_array_of_edges(np.array([[0, 1], [1, 0]]))
    assert as_graph(np.array([[0, 1], [1, 0]])).n_edges == 1


def test_a_list_of_lists_that_may_be_a_matrix_is_refused() -> None:
    assert not is_list_of_edges([[0, 1], [1, 0]])
    with pytest.raises(InvalidGraphError, match="pass tuples, or a numpy array"):
        as_graph([[0, 1], [1, 0]])
    assert as_graph([[0, 1], [1, 2], [2, 3]]).n_nodes == 4


def test_i9_a_matrix_is_not_a_list_of_tuples() -> None:
    with pytest.raises(InvalidGraphError, match=r"use residuum\.as_graph\(edges\)"):
        Graph([(0, 1), (1, 2)])


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ([("a", "b"), ("c",)], "edge 1 is"),
        ([("a", "b", 1, 2)], "edge 0 is"),
        ([("a", None)], "edge 0, .* has no source or no target"),
        ([("a", float("nan"))], "edge 0, .* has no source or no target"),
        ([("a", "b", "x")], "edge weights must be numbers; edge 0 is"),
        ([("a", "b", -1)], "edge from 'a' to 'b' has weight -1"),
        ([({}, "b")], "node ids must be hashable"),
    ],
)
def test_an_invalid_edge_is_named(edges: list[tuple[object, ...]], message: str) -> None:
    with pytest.raises(InvalidGraphError, match=message):
        from_pairs(edges, directed=False)


def test_edges_without_weight_count_one() -> None:
    sources, targets, weights = ends_and_weights([("a", "b"), ("b", "c", 2)])
    assert (sources, targets, weights.tolist()) == (["a", "b"], ["b", "c"], [1.0, 2.0])


def test_i9_an_edge_index_is_a_graph() -> None:
    torch = pytest.importorskip("torch")
    index = torch.tensor(np.argwhere(np.array(RING)).T)
    graph = as_graph(index)
    assert not graph.directed
    assert graph.adjacency.toarray().tolist() == RING
    arcs = from_edge_index(torch.tensor([[0, 1], [1, 2]]), None)
    assert arcs.directed
    assert from_edge_index(torch.tensor([[0, 1], [1, 2]]), False).n_edges == 2


def test_i9_torch_geometric_data_keep_weights_labels_and_isolated_nodes() -> None:
    torch = pytest.importorskip("torch")
    geometric = pytest.importorskip("torch_geometric.data")
    data = geometric.Data(
        edge_index=torch.tensor([[0, 1], [1, 0]]),
        edge_weight=torch.tensor([2.0, 2.0]),
        y=torch.tensor([5, 6, 7]),
        num_nodes=3,
    )
    graph = as_graph(data)
    assert graph.adjacency.toarray().tolist() == [[0, 2, 0], [2, 0, 0], [0, 0, 0]]
    assert graph.node_attributes["y"].tolist() == [5, 6, 7]
