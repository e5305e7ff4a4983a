from collections.abc import Callable
from pathlib import Path
from typing import Any

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.io
from scipy import sparse

from graph_cases import graph_cases
from residuum.errors import InvalidGraphError, InvalidParameterError
from residuum.graph import Graph, as_graph, write_graph

SYMMETRIC = np.array([[1.0, 2.0, 0.0], [2.0, 0.0, 3.0], [0.0, 3.0, 0.0]])
ARCS = np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 3.0], [1.0, 0.0, 0.0]])
TABLES = [pa.table, pd.DataFrame, pl.DataFrame, pa.RecordBatch.from_pydict]
CASES = graph_cases()


def arcs_of(graph: Graph) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return row, column and weight of each edge, once per edge if undirected."""
    dense = graph.adjacency.toarray().astype(float)
    rows, columns = np.nonzero(dense if graph.directed else np.triu(dense))
    return rows, columns, dense[rows, columns]


def as_networkx(graph: Graph, _: Path) -> Any:
    network = nx.DiGraph() if graph.directed else nx.Graph()
    network.add_nodes_from(range(graph.n_nodes))
    network.add_weighted_edges_from(zip(*(values.tolist() for values in arcs_of(graph)), strict=True))
    return network


def as_igraph(graph: Graph, _: Path) -> Any:
    rows, columns, weights = arcs_of(graph)
    network = igraph.Graph(n=graph.n_nodes, edges=np.column_stack([rows, columns]).tolist(), directed=graph.directed)
    network.es["weight"] = weights.tolist()
    return network


def as_folder(graph: Graph, folder: Path) -> Path:
    write_graph(graph, folder / "g.r2g")
    return folder / "g.r2g"


FORMS = {
    "graph": lambda graph, _: graph,
    "dense": lambda graph, _: graph.adjacency.toarray(),
    "sparse": lambda graph, _: graph.adjacency.tocoo(),
    "networkx": as_networkx,
    "igraph": as_igraph,
    "folder": as_folder,
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", sorted(CASES))
def test_all_forms_of_a_graph_convert_to_the_same_graph(tmp_path: Path, form: str, name: str) -> None:
    expected = CASES[name]
    graph = as_graph(FORMS[form](expected, tmp_path))
    np.testing.assert_array_equal(graph.adjacency.toarray(), expected.adjacency.toarray())
    assert graph.node_ids.tolist() == expected.node_ids.tolist()
    assert graph.directed is expected.directed


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("name", sorted(CASES))
def test_edge_table_of_a_graph_converts_to_its_connected_nodes(kind: Callable[..., Any], name: str) -> None:
    expected = CASES[name]
    rows, columns, weights = arcs_of(expected)
    graph = as_graph(kind({"source": rows, "target": columns, "weight": weights}), directed=expected.directed)
    is_isolated = (expected.out_strength == 0) & (expected.in_strength == 0)
    assert sorted(graph.node_ids.tolist()) == np.flatnonzero(~is_isolated).tolist()
    dense = expected.adjacency.toarray()
    np.testing.assert_array_equal(graph.adjacency.toarray(), dense[np.ix_(graph.node_ids, graph.node_ids)])


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("ids", [["b", "a", "c"], [10, 20, 30]])
def test_edge_tables_of_all_libraries_convert_to_the_same_graph(kind: Callable[..., Any], ids: list[Any]) -> None:
    b, a, c = ids
    table = kind({"source": [b, a, c, c], "target": [a, b, c, a], "weight": [1.0, 2.0, 4.0, 8.0]})
    graph = as_graph(table)
    assert not graph.directed
    assert graph.node_ids.tolist() == ids
    assert graph.adjacency.toarray().tolist() == [[0, 3, 0], [3, 0, 8], [0, 8, 4]]
    arcs = as_graph(table, directed=True)
    assert arcs.adjacency.toarray().tolist() == [[0, 1, 0], [2, 0, 0], [0, 8, 4]]


def test_edge_table_is_not_modified() -> None:
    table = pd.DataFrame({"source": [1, 2], "target": [2, 2], "weight": [1.0, 2.0]})
    copy = table.copy(deep=True)
    as_graph(table).adjacency.data[:] = 9
    pd.testing.assert_frame_equal(table, copy)


@pytest.mark.parametrize("name", [None, "edge"])
def test_index_of_a_pandas_table_is_not_used_as_weight(tmp_path: Path, name: str | None) -> None:
    table = pd.DataFrame({"source": [1, 2, 3], "target": [2, 3, 1]}, index=pd.Index([7, 9, 8], name=name))
    assert not as_graph(table).is_weighted
    table.to_parquet(tmp_path / "edges.parquet")
    assert not as_graph(tmp_path / "edges.parquet").is_weighted


def test_index_of_a_pandas_table_is_read_if_named() -> None:
    table = pd.DataFrame({"weight": [2.0]}, index=pd.MultiIndex.from_tuples([("a", "b")], names=["x", "y"]))
    graph = as_graph(table, source="x", target="y")
    assert graph.node_ids.tolist() == ["a", "b"]
    assert graph.adjacency[0, 1] == 2


def test_graph_is_returned_unchanged_unless_directed_differs() -> None:
    graph = Graph(ARCS, ["a", "b", "c"], directed=True, node_attributes={"k": [1, 2, 3]})
    assert as_graph(graph) is graph
    undirected = as_graph(graph, directed=False)
    assert undirected.adjacency.toarray().tolist() == [[1, 2, 1], [2, 0, 3], [1, 3, 0]]
    assert undirected.node_ids.tolist() == ["a", "b", "c"]
    assert undirected.node_attributes["k"].tolist() == [1, 2, 3]
    assert as_graph(undirected, directed=True).directed


def test_path_is_read_and_directed_depends_on_its_content(tmp_path: Path) -> None:
    scipy.io.mmwrite(tmp_path / "arcs.mtx", sparse.coo_array(ARCS))
    nx.write_graphml(nx.DiGraph([("a", "b")]), tmp_path / "arcs.graphml")
    (tmp_path / "edges.csv").write_text("a,b\n")
    assert as_graph(tmp_path / "arcs.mtx").directed
    assert as_graph(str(tmp_path / "arcs.graphml")).directed
    assert not as_graph(tmp_path / "edges.csv").directed


@pytest.mark.parametrize("data", [5, None, {"a": 1}])
def test_error_lists_the_supported_types(data: object) -> None:
    with pytest.raises(
        InvalidGraphError, match=f"cannot convert {type(data).__name__} to a graph. Pass a scipy sparse matrix"
    ):
        as_graph(data)


@pytest.mark.parametrize("name", ["source", "target"])
def test_column_names_require_a_table(name: str) -> None:
    with pytest.raises(
        InvalidParameterError, match=f"{name}='a' names a column of an edge table; got data of type ndarray"
    ):
        as_graph(SYMMETRIC, **{name: "a"})


def test_a_data_frame_with_ids_as_index_and_columns_is_an_adjacency_matrix() -> None:
    matrix = pd.DataFrame([[0, 2, 0], [2, 0, 1], [0, 1, 0]], index=list("abc"), columns=list("abc"))
    for table in (matrix, matrix[list("cab")]):
        graph = as_graph(table)
        assert (graph.node_ids.tolist(), graph.directed) == (["a", "b", "c"], False)
        np.testing.assert_array_equal(graph.adjacency.toarray(), matrix.to_numpy())
    matrix.loc["b", "a"] = 0
    assert as_graph(matrix).directed
