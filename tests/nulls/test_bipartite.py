import numpy as np
import pytest
from scipy import sparse

from residuum import Graph, Residual2Vec
from residuum.errors import NullModelError
from residuum.nulls import Bipartite


def bipartite_graph():
    rng = np.random.default_rng(0)
    B = (rng.random((12, 8)) < 0.4).astype(float)
    B[:, 0] = B[0] = 1
    return Graph(np.block([[np.zeros((12, 12)), B], [B.T, np.zeros((8, 8))]]))


def test_null_walkers_change_sides_at_every_step():
    null = Bipartite().fit(bipartite_graph(), 1)
    probability = np.exp(null.log_probability(0, np.arange(20)))
    assert probability[:12].sum() == 0
    assert probability[12:].sum() == pytest.approx(1.0)


def test_odd_cycle_raises_and_suggests_sides():
    with pytest.raises(NullModelError, match=r"odd cycle.*Bipartite\(sides=labels\)"):
        Bipartite().fit(Graph(np.ones((3, 3)) - np.eye(3)), 3)


def test_sides_must_have_two_labels():
    with pytest.raises(NullModelError, match=r"exactly two distinct labels; got 3: \['a', 'b', 'c'\]"):
        Bipartite(["a", "b", "c"]).fit(Graph(np.ones((3, 3)) - np.eye(3)), 3)


def test_out_of_sample_nodes_are_opposite_to_their_neighbors():
    null = Bipartite().fit(bipartite_graph(), 3)
    edges = sparse.csr_array(np.eye(20)[[0, 15]])
    np.testing.assert_array_equal(null.groups_of(None, edges), [1, 0])


def test_out_of_sample_nodes_with_neighbors_on_both_sides_are_opposite_to_the_larger_weight():
    null = Bipartite().fit(bipartite_graph(), 3)
    edges = np.zeros((3, 20))
    edges[0, [0, 1, 15]] = [1.0, 2.0, 2.0]
    edges[1, [0, 15, 16]] = [2.0, 2.0, 1.0]
    edges[2, [0, 1, 15]] = [1.0, 1.0, 2.5]
    np.testing.assert_array_equal(null.groups_of(None, sparse.csr_array(edges)), [1, 0, 0])


def test_only_specified_sides_are_a_column_of_out_of_sample_nodes():
    graph = bipartite_graph()
    detected, specified = (
        model.groups_of(graph)[1] for model in (Bipartite(), Bipartite(["user"] * 12 + ["item"] * 8))
    )
    assert (detected.n_columns, specified.n_columns) == (0, 1)
    np.testing.assert_array_equal(specified.codes_of(["user", "item"], graph.adjacency[:2]), [1, 0])


@pytest.mark.filterwarnings("ignore:a null model with groups")
def test_transform_of_the_edges_of_a_node_returns_its_vector():
    graph = bipartite_graph()
    model = Residual2Vec(6, null_model="bipartite", random_state=0).fit(graph)
    np.testing.assert_allclose(model.transform(graph.adjacency), model.embedding_, atol=2e-3)
