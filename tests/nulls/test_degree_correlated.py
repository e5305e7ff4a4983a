from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from scipy import sparse

from graph_cases import graph_cases
from residuum import Graph, Residual2Vec, datasets
from residuum.errors import InvalidParameterError
from residuum.nulls import DegreeCorrelated
from residuum.nulls.degree_correlated import DirectedGroups


def test_degrees_in_a_bin_differ_by_less_than_the_ratio():
    graph = datasets.planted_groups(400, 2, degree_exponent=2.2, random_state=0)
    codes, _ = DegreeCorrelated(2.0).groups_of(graph)
    for code in np.unique(codes):
        inside = graph.out_strength[codes == code]
        assert inside.max() / inside.min() < 2.0


def test_groups_do_not_depend_on_the_scale_of_weights():
    graph = datasets.planted_groups(400, 2, degree_exponent=2.2, random_state=0)
    codes = [DegreeCorrelated().groups_of(Graph(c * graph.adjacency))[0] for c in (1.0, 0.1, 7.0)]
    np.testing.assert_array_equal(codes[0], codes[1])
    np.testing.assert_array_equal(codes[0], codes[2])


def test_directed_graphs_are_binned_by_both_degrees():
    graph = graph_cases()["directed"]
    codes, _ = DegreeCorrelated(1.5).groups_of(graph)
    assert len(np.unique(codes)) > 2


def test_out_of_sample_nodes_are_binned_by_their_edges():
    star = Graph(sparse.csr_array(np.array([[0, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]])))
    null = DegreeCorrelated().fit(star, 2)
    edges = sparse.csr_array(np.array([[1.0, 0, 0, 0], [1, 1, 1, 0]]))
    np.testing.assert_array_equal(null.groups_of(None, edges), [0, 1])


@pytest.mark.filterwarnings("ignore:a null model with groups")
def test_transform_of_the_edges_of_a_node_returns_its_vector():
    graph = graph_cases()["weighted"]
    model = Residual2Vec(6, null_model="degree-correlated", random_state=0).fit(graph)
    np.testing.assert_allclose(model.transform(graph.adjacency), model.embedding_, atol=2e-3)


def test_ratio_must_be_above_one():
    with pytest.raises(InvalidParameterError, match=r"ratio must be .* at least 1\.01; got 1"):
        DegreeCorrelated(1).fit(graph_cases()["weighted"], 2)


@pytest.mark.filterwarnings("ignore:a null model with groups")
def test_n10_out_of_sample_nodes_of_directed_graphs_are_binned_by_their_edges():
    graph = graph_cases()["directed"]
    model = Residual2Vec(4, null_model="degree-correlated", random_state=0).fit(graph)
    assert np.isfinite(model.transform(graph.adjacency)).all()
    codes, grouping = DegreeCorrelated().groups_of(graph)
    np.testing.assert_array_equal(grouping.codes_of(graph.in_strength, graph.adjacency), codes)
    likely = grouping.codes_of(None, graph.adjacency)
    out_bins = [{int(code) for code in codes[likely == group]} for group in np.unique(likely)]
    assert all(group in members for group, members in zip(np.unique(likely), out_bins, strict=True))


def test_degrees_at_both_ends_of_the_range_of_floats_have_bins():
    graph = Graph([[0, 1e-300, 0], [1e-300, 0, 1e300], [0, 1e300, 0]])
    codes, grouping = DegreeCorrelated().groups_of(graph)
    assert codes[0] == 0
    assert codes[1] == codes[2] == grouping.n_groups - 1


def test_groups_of_directed_graphs_cannot_be_changed():
    graph = Graph(np.triu(np.ones((6, 6)), 1), directed=True)
    grouping = DegreeCorrelated().groups_of(graph)[1]
    assert isinstance(grouping, DirectedGroups)
    with pytest.raises(FrozenInstanceError):
        grouping.counts = grouping.counts + 1
