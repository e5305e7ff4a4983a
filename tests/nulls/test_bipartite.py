import numpy as np
import pytest
from scipy import sparse

from residuum import Graph, Residual2Vec
from residuum.errors import NullModelError
from residuum.nulls import Bipartite, two_sides


def bipartite_graph():
    rng = np.random.default_rng(0)
    B = (rng.random((12, 8)) < 0.4).astype(float)
    B[:, 0] = B[0] = 1
    return Graph(np.block([[np.zeros((12, 12)), B], [B.T, np.zeros((8, 8))]]))


def test_sides_are_found():
    np.testing.assert_array_equal(two_sides(bipartite_graph()), np.repeat([0, 1], [12, 8]))
    assert two_sides(Graph(np.ones((3, 3)) - np.eye(3))) is None


def test_every_component_is_coloured_from_its_first_node():
    path = np.array([[0, 1], [1, 0]])
    graph = Graph(np.block([[path, np.zeros((2, 2))], [np.zeros((2, 2)), path]]))
    np.testing.assert_array_equal(two_sides(graph), [0, 1, 0, 1])


def test_chance_changes_sides_at_every_step():
    null = Bipartite().fit(bipartite_graph(), 1)
    probability = np.exp(null.log_probability(0, np.arange(20)))
    assert probability[:12].sum() == 0
    assert probability[12:].sum() == pytest.approx(1.0)


def test_a_graph_with_an_odd_cycle_is_refused_with_a_way_out():
    with pytest.raises(NullModelError, match=r"odd cycle.*Bipartite\(sides=labels\)"):
        Bipartite().fit(Graph(np.ones((3, 3)) - np.eye(3)), 3)


def test_given_sides_must_be_two():
    with pytest.raises(NullModelError, match="two sides; got 3 labels"):
        Bipartite(["a", "b", "c"]).fit(Graph(np.ones((3, 3)) - np.eye(3)), 3)


def test_newcomers_are_opposite_to_their_neighbours():
    null = Bipartite().fit(bipartite_graph(), 3)
    edges = sparse.csr_array(np.eye(20)[[0, 15]])
    np.testing.assert_array_equal(null.row_groups_of(None, edges), [1, 0])


@pytest.mark.filterwarnings("ignore:a null model with groups")
def test_a_known_node_asked_for_by_its_edges_gets_its_own_vector():
    graph = bipartite_graph()
    model = Residual2Vec(6, null_model="bipartite", random_state=0).fit(graph)
    np.testing.assert_allclose(model.transform(graph.adjacency), model.embedding_, atol=2e-3)
