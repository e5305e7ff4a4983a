import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from graph_cases import graph_cases
from residuum import Graph, Residual2Vec, datasets
from residuum.errors import InvalidGraphError, ResiduumWarning, UnknownNodeError
from residuum.models.new_edges import new_edges

NAMED = datasets.les_miserables()
NUMBERED = graph_cases()["weighted"]


def weights(n_new=3, n_nodes=20):
    rng = np.random.default_rng(0)
    matrix = rng.random((n_new, n_nodes)) * (rng.random((n_new, n_nodes)) < 0.4)
    assert (matrix > 0).any(axis=1).all()
    return matrix


@pytest.mark.parametrize(
    "form",
    [np.asarray, np.ndarray.tolist, sparse.csr_array, sparse.csr_matrix, sparse.coo_array, sparse.csc_matrix],
    ids=["dense", "list", "csr_array", "csr_matrix", "coo_array", "csc_matrix"],
)
def test_a_matrix_is_returned_in_csr_format(form):
    edges = new_edges(NUMBERED, form(weights()))
    assert isinstance(edges, sparse.csr_array)
    assert edges.dtype == np.float64
    np.testing.assert_array_equal(edges.toarray(), weights())


def test_a_table_is_read_by_node_id_in_the_order_of_first_appearance():
    table = pd.DataFrame(
        {
            "source": ["Sand", "Hugo", "Sand", "Hugo"],
            "target": ["Fantine", "Valjean", "Javert", "Javert"],
            "weight": [2.0, 3.0, 0.5, 1.0],
        }
    )
    expected = np.zeros((2, NAMED.n_nodes))
    for row, target, weight in [(0, "Fantine", 2.0), (1, "Valjean", 3.0), (0, "Javert", 0.5), (1, "Javert", 1.0)]:
        expected[row, NAMED.node_ids.tolist().index(target)] += weight
    np.testing.assert_array_equal(new_edges(NAMED, table).toarray(), expected)


def test_repeated_edges_of_a_table_are_summed_and_weights_are_optional():
    table = pd.DataFrame({"source": ["x", "x", "x"], "target": ["Valjean", "Valjean", "Javert"]})
    edges = new_edges(NAMED, table).toarray()
    assert edges[0, NAMED.positions(["Valjean", "Javert"])].tolist() == [2.0, 1.0]
    assert edges.sum() == 3.0


def test_new_nodes_may_have_ids_of_the_graph():
    table = pd.DataFrame({"source": ["Valjean"], "target": ["Javert"]})
    assert new_edges(NAMED, table).shape == (1, NAMED.n_nodes)


def test_nodes_without_edges_are_counted_in_a_warning_and_kept():
    with pytest.warns(
        ResiduumWarning, match="^2 of 3 out-of-sample nodes have no edge to the graph and get zero vectors"
    ):
        edges = new_edges(NUMBERED, weights() * [[0], [1], [0]])
    assert edges.shape == (3, 20)


def test_no_new_nodes_are_no_rows():
    assert new_edges(NUMBERED, np.empty((0, 20))).shape == (0, 20)


def test_the_warning_points_to_the_line_that_calls_transform():
    model = Residual2Vec(4, random_state=0).fit(NUMBERED)
    with pytest.warns(ResiduumWarning, match="have no edge to the graph") as caught:
        model.transform(np.zeros((1, 20)))
    assert caught[0].filename == __file__


@pytest.mark.parametrize("shape", [(2, 3), (20, 3), (2, 21)])
def test_a_matrix_of_the_wrong_width_is_refused(shape):
    with pytest.raises(InvalidGraphError, match=rf"the 20 nodes of the graph; got shape \({shape[0]}, {shape[1]}\)"):
        new_edges(NUMBERED, np.ones(shape))


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf])
def test_an_invalid_weight_is_named(weight):
    matrix = weights()
    matrix[1, 4] = weight
    with pytest.raises(
        InvalidGraphError, match=f"must be finite and non-negative; the edge from row 1 to 4 has {weight}"
    ):
        new_edges(NUMBERED, matrix)


def test_an_unknown_target_is_named_with_the_order_of_the_columns():
    table = pd.DataFrame({"source": ["Valjean"], "target": ["nobody"]})
    with pytest.raises(UnknownNodeError, match=r"'nobody' is not in the graph .* the node of the graph second"):
        new_edges(NAMED, table)


def test_the_input_is_not_changed():
    matrix = sparse.csr_array(weights())
    before = matrix.toarray()
    new_edges(Graph(NUMBERED.adjacency), matrix)
    np.testing.assert_array_equal(matrix.toarray(), before)


def test_i9_a_list_of_tuples_is_an_edge_table() -> None:
    edges = new_edges(NUMBERED, [("x", 0), ("y", 1, 2.0), ("x", 1)])
    assert edges.shape == (2, NUMBERED.n_nodes)
    assert edges.toarray()[:, :2].tolist() == [[1, 1], [0, 2]]


def test_i9_a_graph_is_refused_with_the_way_out() -> None:
    with pytest.raises(
        InvalidGraphError, match=r"got Graph \(.*\)\. .* are in embedding_; to embed another graph, use fit"
    ):
        new_edges(NUMBERED, NUMBERED)
