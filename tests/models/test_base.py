import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import dense_reference as dense
from graph_cases import graph_cases, labels_for
from residuum import Embedding, Graph, Residual2Vec, datasets
from residuum.embedding import PairScores
from residuum.errors import InvalidParameterError, ResiduumWarning, UnknownNodeError
from residuum.graph import as_graph
from residuum.models.base import NodeEmbedding, checked_components
from residuum.nulls import Configuration, DegreeCorrectedSBM

CASES = graph_cases()
GRAPH = datasets.planted_groups(300, 3, random_state=2)


class Fixed(NodeEmbedding):
    """An estimator with vectors of the user."""

    def __init__(self, vectors, context_vectors, null_model=None):
        self.vectors, self.context_vectors, self.null_model = vectors, context_vectors, null_model

    def fit(self, X, y=None):
        graph = as_graph(X)
        null = None if self.null_model is None else self.null_model.fit(graph, 1)
        self._set_vectors(graph, self.vectors, self.context_vectors, null)
        return self


def random_vectors(graph, n_components=4):
    return np.random.default_rng(0).normal(size=(2, graph.n_nodes, n_components)).astype(np.float32)


def edge_table(graph):
    upper = sparse.coo_array(sparse.triu(graph.adjacency))
    return pd.DataFrame({"source": upper.row, "target": upper.col})


@pytest.mark.parametrize("null_model", [None, Configuration()], ids=["no null model", "configuration"])
@pytest.mark.parametrize("case", ["weighted", "directed"])
def test_scores_of_all_pairs_equal_their_formulas(case, null_model):
    graph = CASES[case]
    vectors, context_vectors = random_vectors(graph)
    model = Fixed(vectors, context_vectors, null_model).fit(graph)
    u, v = vectors.astype(float), context_vectors.astype(float)
    ids = graph.node_ids
    for i in range(0, 20, 3):
        for j in range(0, 20, 2):
            residual, dot = u[i] @ v[j], u[i] @ u[j]
            null = model.source_offset_[i] + model.offset_[j]
            if not graph.directed:
                residual = (residual + u[j] @ v[i]) / 2
                null = (null + model.source_offset_[j] + model.offset_[i]) / 2
            expected = {"residual": residual, "null": null, "full": residual + null}
            for mode, score in expected.items():
                assert model.score_pairs([ids[i]], [ids[j]], mode=mode)[0] == pytest.approx(score, rel=1e-6)
            assert model.score_pairs([ids[i]], [ids[j]], vectors="embedding")[0] == pytest.approx(dot, rel=1e-6)
            full = model.score_pairs([ids[i]], [ids[j]], mode="full", vectors="embedding")[0]
            assert full == pytest.approx(dot + null, rel=1e-6)


def test_the_null_score_of_the_configuration_model_is_the_sum_of_both_offsets():
    graph = CASES["weighted"]
    model = Residual2Vec(6, random_state=0).fit(graph)
    i, j, z = [0, 3, 5], [1, 2, 5], model.offset_
    np.testing.assert_allclose(z, np.log(graph.in_strength / graph.in_strength.sum()))
    np.testing.assert_allclose(model.score_pairs(i, j, mode="null"), z[i] + z[j])


def test_the_null_score_of_groups_is_the_log_of_the_expected_edge():
    graph = CASES["weighted"]
    model = Fixed(*random_vectors(graph), DegreeCorrectedSBM(labels_for(graph))).fit(graph)
    expected = dense.expected_adjacency(graph.adjacency.toarray(), "dcsbm", labels_for(graph))
    expected = np.log(expected / expected.sum())
    np.testing.assert_allclose(model.score_pairs([0, 4], [7, 9], mode="null"), expected[[0, 4], [7, 9]], rtol=1e-6)


def test_pairs_are_named_by_node_id():
    graph = Graph(CASES["weighted"].adjacency, node_ids=[f"n{k}" for k in range(20)])
    model = Fixed(*random_vectors(graph)).fit(graph)
    score = model.score_pairs(["n3"], ["n4"], vectors="embedding")[0]
    assert score == pytest.approx(model.embedding_[3].astype(float) @ model.embedding_[4])
    assert model.score_pairs([], []).shape == (0,)
    with pytest.raises(UnknownNodeError, match="node 'n20' is not in the graph of 20 nodes"):
        model.score_pairs(["n20"], ["n4"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"i": [1], "j": [4, 5]}, "i and j must have the same length; got 1 and 2"),
        ({"i": [1], "j": [4], "mode": "best"}, "mode must be one of 'residual', 'null', 'full'; got 'best'"),
        ({"i": [1], "j": [4], "vectors": "all"}, "vectors must be one of 'both', 'embedding'; got 'all'"),
    ],
)
def test_invalid_arguments_are_named(arguments, message):
    model = Fixed(*random_vectors(CASES["weighted"])).fit(CASES["weighted"])
    with pytest.raises(InvalidParameterError, match=message):
        model.score_pairs(**arguments)


def test_without_a_null_model_offsets_are_0_and_minus_infinity_for_isolated_nodes():
    graph = CASES["isolated nodes"]
    model = Fixed(*random_vectors(graph)).fit(graph)
    expected = np.where(np.isin(np.arange(20), [3, 19]), -np.inf, 0.0)
    np.testing.assert_array_equal(model.offset_, expected)
    np.testing.assert_array_equal(model.source_offset_, expected)
    assert model.null_ is None


@pytest.mark.parametrize(("sign", "auc"), [(1, 1.0), (-1, 0.0)])
def test_the_score_is_1_if_all_edges_are_above_all_non_edges_and_0_if_below(sign, auc):
    A = np.kron(np.eye(2), 1 - np.eye(6))
    groups = np.repeat(np.eye(2), 6, axis=0).astype(np.float32)
    assert Fixed(sign * groups, groups).fit(A).score(A) == auc


def test_the_score_is_the_auc_of_the_full_score():
    model = Residual2Vec(16, random_state=0).fit(GRAPH)
    assert model.score(GRAPH) > 0.8
    assert model.score(edge_table(GRAPH)) == pytest.approx(model.score(GRAPH), abs=0.01)


def test_held_out_edges_are_not_sampled_as_non_edges(monkeypatch):
    full_graph = datasets.planted_groups(60, 2, average_degree=30, random_state=0)
    table = edge_table(full_graph)
    model = Residual2Vec(8, random_state=0).fit(table[1::2])
    scored = []
    monkeypatch.setattr(PairScores, "full", lambda scores, i, j: scored.append((i, j)) or np.ones(len(i)))
    assert model.score(table[::2]) == 0.5
    edges, non_edges = ((model.node_ids_[i], model.node_ids_[j]) for i, j in scored)
    is_edge = full_graph.adjacency.toarray() > 0
    assert is_edge[edges].all()
    assert not is_edge[non_edges].any()


def test_edges_to_unknown_nodes_and_self_loops_are_not_scored(monkeypatch):
    model = Fixed(*random_vectors(CASES["unweighted"])).fit(CASES["unweighted"])
    scored = []
    monkeypatch.setattr(PairScores, "full", lambda scores, i, j: scored.append(i) or np.ones(len(i)))
    with pytest.warns(ResiduumWarning, match="only 29% of the edges of X"):
        model.score(pd.DataFrame({"source": [0, 1, 99, 5], "target": [7, 99, 98, 5]}))
    # Both directions of the edge from 0 to 7, and as many non-edges.
    assert [len(rows) for rows in scored] == [2, 2]
    with pytest.raises(InvalidParameterError, match="none of the 2 edges of X joins two different nodes"):
        model.score(pd.DataFrame({"source": [1, 5], "target": [99, 5]}))


def test_neighbors_are_those_of_the_embedding():
    graph = datasets.les_miserables()
    model = Fixed(*random_vectors(graph)).fit(graph)
    for by in ("cosine", "association"):
        assert model.neighbors("Valjean", 5, by) == model.to_embedding().neighbors("Valjean", 5, by)
    assert len(model.neighbors("Valjean")) == 10


def test_the_embedding_keeps_ids_vectors_and_parameters_in_a_file(tmp_path):
    model = Residual2Vec(4, null_model=Configuration(0.75), random_state=0).fit(datasets.les_miserables())
    model.to_embedding().save(tmp_path / "out.parquet")
    loaded = Embedding.load(tmp_path / "out.parquet")
    assert loaded.ids.tolist() == model.node_ids_.tolist()
    np.testing.assert_array_equal(loaded["Valjean"], model.embedding_[list(model.node_ids_).index("Valjean")])
    np.testing.assert_array_equal(loaded.offsets, model.offset_)
    assert loaded.metadata["parameters"]["null_model"] == "Configuration(exponent=0.75)"
    assert loaded.metadata["solver"] == "exact"


def test_the_embedding_scores_pairs_as_the_model_does():
    graph = CASES["directed"]
    model = Fixed(*random_vectors(graph), Configuration()).fit(graph)
    i, j = graph.node_ids[:9], graph.node_ids[9:18]
    for mode in ("residual", "null", "full"):
        np.testing.assert_allclose(model.to_embedding().score_pairs(i, j, mode), model.score_pairs(i, j, mode))


def test_out_of_sample_nodes_are_refused_with_the_way_out():
    model = Fixed(*random_vectors(CASES["weighted"])).fit(CASES["weighted"])
    with pytest.raises(
        InvalidParameterError, match=r"Fixed cannot embed out-of-sample nodes; refit it .* Residual2Vec"
    ):
        model.transform(np.ones((1, 20)))


@pytest.mark.parametrize("n_components", [1, 19, np.int64(3)])
def test_the_number_of_dimensions_may_be_anything_below_the_number_of_nodes(n_components):
    checked = checked_components(n_components, CASES["weighted"])
    assert checked == n_components
    assert type(checked) is int


@pytest.mark.parametrize("n_components", [0, -1, 20, 21, 2.0, "8", True, None])
def test_other_numbers_of_dimensions_are_refused(n_components):
    with pytest.raises(InvalidParameterError, match=f"n_components must be .*; got {n_components!r}"):
        checked_components(n_components, CASES["weighted"])
