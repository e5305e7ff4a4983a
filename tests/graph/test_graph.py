import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from residuum.errors import InvalidGraphError, UnknownNodeError
from residuum.graph import Graph

PATH = np.array([[0, 1, 0], [1, 0, 2], [0, 2, 0]])


def test_duplicate_entries_are_summed_and_explicit_zeros_removed() -> None:
    rows, columns = [0, 0, 1, 1, 0, 2], [1, 1, 0, 0, 2, 0]
    graph = Graph(sparse.coo_array(([1.0, 2.0, 1.0, 2.0, 0.0, 0.0], (rows, columns)), shape=(3, 3)))
    assert graph.adjacency.toarray().tolist() == [[0, 3, 0], [3, 0, 0], [0, 0, 0]]
    assert graph.adjacency.nnz == 2


def test_n_edges_counts_pairs_and_self_loops_once() -> None:
    assert Graph([[1, 1], [1, 0]]).n_edges == 2
    assert Graph([[1, 1], [1, 0]], directed=True).n_edges == 3


def test_strengths_are_row_and_column_sums() -> None:
    arcs = np.array([[0, 2, 1], [0, 0, 3], [0, 0, 0]])
    graph = Graph(arcs, directed=True)
    assert graph.out_strength.tolist() == [3, 3, 0]
    assert graph.in_strength.tolist() == [0, 2, 4]
    assert graph.reversed_adjacency.toarray().tolist() == arcs.T.tolist()


def test_undirected_graph_is_its_own_reverse() -> None:
    graph = Graph(PATH)
    assert graph.in_strength is graph.out_strength
    assert graph.reversed_adjacency is graph.adjacency


@pytest.mark.parametrize(
    ("weights", "dtype"), [([1, 3], np.float32), ([0.5, 2**-3], np.float32), ([0.1, 1], float), ([2**24 + 1, 1], float)]
)
def test_weights_are_float32_only_if_that_is_exact(weights: list[float], dtype: type) -> None:
    graph = Graph([[0, weights[0]], [weights[1], 0]], directed=True)
    assert graph.adjacency.dtype == dtype
    assert graph.adjacency.data.tolist() == weights


@pytest.mark.parametrize("density", [0.0, 0.01, 0.03, 0.2])
@pytest.mark.parametrize("directed", [False, True])
def test_number_of_connected_components_equals_that_of_scipy(density: float, directed: bool) -> None:
    rng = np.random.default_rng(1)
    matrix = (rng.random((60, 60)) < density) * 1.0
    matrix[50, 10] = 1.0
    graph = Graph(matrix if directed else matrix + matrix.T, directed=directed)
    assert graph.n_connected_components == connected_components(graph.adjacency, directed=False)[0]


def test_many_parallel_edges_are_all_counted() -> None:
    n_edges = 2**24 + 1  # one more than float32 can count
    rows = np.zeros(n_edges, dtype=np.int32)
    graph = Graph(sparse.coo_array((np.ones(n_edges, dtype=np.int8), (rows, rows + 1)), shape=(2, 2)), directed=True)
    assert graph.adjacency[0, 1] == n_edges


@pytest.mark.parametrize(
    "ids",
    [
        [7, 3, 5],
        ["a", "b", "c"],
        ["a", 1, 2.5],
        [("a", 1), ("a", 2), ("b", 1)],
        [(1, 2), (3,), ()],
    ],
)
def test_ids_keep_their_values_and_types(ids: list[object]) -> None:
    graph = Graph(PATH, ids)
    assert graph.node_ids.tolist() == ids
    assert graph.positions([ids[2], ids[0]]).tolist() == [2, 0]


def test_ids_are_consecutive_integers_by_default_and_integers_stay_integers() -> None:
    assert Graph(PATH).node_ids.tolist() == [0, 1, 2]
    assert Graph(PATH, [4, 5, 6]).node_ids.dtype == np.int64


def test_subgraph_keeps_ids_attributes_and_inner_edges() -> None:
    graph = Graph(PATH, ["a", "b", "c"], node_attributes={"year": [1, 2, 3]})
    part = graph.subgraph(np.array([False, True, True]))
    assert part.node_ids.tolist() == ["b", "c"]
    assert part.adjacency.toarray().tolist() == [[0, 2], [2, 0]]
    assert part.node_attributes["year"].tolist() == [2, 3]


@pytest.mark.parametrize(
    ("graph", "text"),
    [
        (Graph([[0, 1], [1, 0]]), "Graph(2 nodes, 1 edge, undirected, unweighted)"),
        (Graph(PATH, directed=True), "Graph(3 nodes, 4 edges, directed, weighted)"),
    ],
)
def test_repr_shows_size_and_type(graph: Graph, text: str) -> None:
    assert repr(graph) == text


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf])
def test_error_names_the_ends_of_an_invalid_weight(weight: float) -> None:
    with pytest.raises(
        InvalidGraphError, match=rf"edge from 2 to 1 has weight {weight} \(invalid weights in total: 1\)\. Remove"
    ):
        Graph(np.array([[0, 1, 0], [1, 0, 1], [0, weight, 0]]))


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.ones((2, 3)), r"must be square; got shape \(2, 3\).*bipartite"),
        (np.ones(3), r"must be square; got shape \(3,\)"),
        (np.zeros((0, 0)), "empty: it has no nodes"),
        (np.zeros((3, 3)), "empty: 3 nodes, but no edge"),
        (np.array([[0, 1j], [1j, 0]]), "must be numbers; got values of type complex128"),
        (np.array([["", "a"], ["a", ""]]), "must be a square array of numbers"),
        (np.array([[0, None], [None, 0]]), "must be a square array of numbers"),
    ],
)
def test_invalid_adjacency_matrix_is_refused(matrix: np.ndarray, message: str) -> None:
    with pytest.raises(InvalidGraphError, match=message):
        Graph(matrix)


@pytest.mark.parametrize(
    ("ids", "message"),
    [(["a", "b"], "one id for each of the 3 nodes; got 2"), (["a", "b", "a"], "'a' occurs more than once")],
)
def test_invalid_ids_are_refused(ids: list[str], message: str) -> None:
    with pytest.raises(InvalidGraphError, match=message):
        Graph(PATH, ids)


def test_attribute_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(InvalidGraphError, match=r"'club' must have one value for each of the 3 nodes; got shape \(2,"):
        Graph(PATH, node_attributes={"club": [1, 2]})


def test_error_names_the_unknown_id_and_an_example() -> None:
    with pytest.raises(UnknownNodeError, match=r"^node 'z' is not in the graph of 3 nodes \(ids such as 0\)\.$"):
        Graph(PATH).positions([1, "z"])


def test_trusted_graph_shares_its_arrays_and_uses_known_properties() -> None:
    adjacency = Graph(PATH).adjacency
    graph = Graph.trusted(adjacency, np.arange(3), directed=False, node_attributes={}, known={"n_edges": 99})
    assert graph.adjacency is adjacency
    assert graph.n_edges == 99
    assert graph.out_strength.tolist() == [1, 3, 2]


def test_symmetry_is_checked_for_each_pair_at_its_own_scale() -> None:
    with pytest.raises(InvalidGraphError, match="weight from 1 to 2 is 5 and the weight from 2 to 1 is 0"):
        Graph([[0, 1e7, 0], [1e7, 0, 5], [0, 0, 0]])


def test_rounding_errors_do_not_count_as_asymmetry() -> None:
    assert not Graph([[0, 0.1 + 0.2, 1e-17], [0.3, 0, 1], [0, 1, 0]]).directed


def test_sums_of_parallel_edges_beyond_float64_are_refused() -> None:
    parallel = sparse.coo_array((np.full(2, 1.7e308), ([0, 0], [1, 1])), shape=(2, 2))
    with pytest.raises(InvalidGraphError, match="exceeds the range of float64"):
        Graph(parallel, directed=True)


def test_weights_whose_total_leaves_no_room_for_sums_of_strengths_are_refused():
    with pytest.raises(InvalidGraphError, match="sum of the edge weights overflows"):
        Graph([[0, 1.7e308], [0, 0]], directed=True)
    graph = Graph([[0, 1e307], [0, 0]], directed=True)
    assert np.isfinite((graph.out_strength + graph.in_strength).sum())
