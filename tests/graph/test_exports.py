import sys

import networkx as nx
import numpy as np
import pytest

from residuum import Graph, as_graph
from residuum.errors import MissingExtraError


def case(directed: bool) -> Graph:
    dense = np.array([[1, 2, 0], [0, 0, 0.5], [0, 0, 0]])
    dense = dense if directed else dense + np.triu(dense, 1).T
    return Graph(dense, ["a", "b", "c"], directed=directed, node_attributes={"year": [1, 2, 3]})


def assert_same(graph: Graph, other: Graph) -> None:
    order = other.positions(graph.node_ids)
    np.testing.assert_array_equal(graph.adjacency.toarray(), other.adjacency.toarray()[order][:, order])
    assert graph.directed == other.directed


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", ["to_pandas", "to_polars", "to_networkx", "to_igraph"])
def test_round_trips_keep_ids_and_weights(name: str, directed: bool) -> None:
    graph = case(directed)
    assert_same(graph, as_graph(getattr(graph, name)(), directed=directed))


@pytest.mark.parametrize("name", ["to_networkx", "to_igraph"])
def test_round_trips_keep_attributes_and_direction(name: str) -> None:
    graph = as_graph(getattr(case(True), name)())
    assert graph.directed
    assert graph.node_attributes["year"].tolist() == [1, 2, 3]


def test_isolated_nodes_and_integer_ids_are_kept_by_networkx() -> None:
    network = Graph([[0, 1, 0], [1, 0, 0], [0, 0, 0]], [7, 8, 9]).to_networkx()
    assert isinstance(network, nx.Graph)
    assert (list(network), list(network.edges)) == ([7, 8, 9], [(7, 8)])


def test_torch_has_both_directions_of_an_edge(gnn: None) -> None:
    index, weight = Graph([[0, 2], [2, 0]]).to_torch()
    assert index.tolist() == [[0, 1], [1, 0]]
    assert weight.tolist() == [2.0, 2.0]


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [("to_pandas", "pandas", "graphs"), ("to_igraph", "igraph", "graphs"), ("to_torch", "torch", "gnn")],
)
def test_a_missing_library_is_named(name: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=rf"this needs {module}.*residuum\[{extra}\]"):
        getattr(case(False), name)()


def test_the_html_representation_is_escaped() -> None:
    graph = Graph([[0, 1], [1, 0]], ["<b>", "c"], node_attributes={"<i>": [1, 2]})
    html = graph._repr_html_()
    assert "&lt;b&gt;" in html
    assert "&lt;i&gt;" in html
    assert "<b>" not in html
    assert "undirected" in html
