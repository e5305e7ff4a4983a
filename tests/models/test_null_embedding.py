"""Erasure: no linear model predicts the attribute from vectors of the graph or of out-of-sample nodes."""

import pickle

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

from residuum import Embedding, Graph, Residual2Vec, datasets
from residuum.errors import InvalidParameterError
from residuum.nulls import DegreeCorrectedSBM
from residuum.solvers import SkipGram

GRAPH = datasets.planted_groups(800, 4, random_state=5)
GROUP = GRAPH.node_attributes["group"]


def fit(**parameters):
    return Residual2Vec(**({"n_components": 16, "random_state": 0} | parameters)).fit(GRAPH)


def linear_accuracy(vectors):
    model = LogisticRegression(max_iter=1000)
    return cross_val_score(model, vectors / vectors.std(axis=0), GROUP, cv=5, scoring="balanced_accuracy").mean()


@pytest.mark.parametrize("weighting", [0.0, 0.5])
@pytest.mark.parametrize("floor", [0.0, -3.0])
@pytest.mark.parametrize("solver", ["exact", "landmark", "block"])
@pytest.mark.parametrize("null_model", ["configuration", "erdos-renyi", "dcsbm"])
def test_all_groups_have_the_same_mean_vector(null_model, solver, floor, weighting):
    null = DegreeCorrectedSBM("group") if null_model == "dcsbm" else null_model
    model = fit(null_model=null, solver=solver, floor=floor, weighting=weighting, erase="group")
    for vectors in (model.embedding_, model.context_embedding_):
        means = np.array([vectors[group == GROUP].mean(axis=0) for group in range(4)])
        np.testing.assert_allclose(means, 0.0, atol=1e-5 * np.abs(vectors).max())
    assert model.erased_ == ["group"]


@pytest.mark.parametrize("solver", ["exact", "landmark", "block"])
def test_a_linear_model_predicts_the_group_before_erasure_and_not_after(solver):
    assert linear_accuracy(fit(solver=solver).embedding_) > 0.9
    assert linear_accuracy(fit(solver=solver, erase="group").embedding_) < 0.35


def test_files_do_not_contain_erased_labels(tmp_path):
    labels = {int(node): f"secret {group}" for node, group in zip(GRAPH.node_ids, GROUP, strict=True)}
    fit(erase={"kind": labels}).to_embedding().save(tmp_path / "fair.parquet")
    metadata = Embedding.load(tmp_path / "fair.parquet").metadata
    assert metadata["erased"] == ["kind"]
    assert metadata["parameters"]["erase"] == "dict"
    assert "secret" not in str(metadata)


def test_erasing_as_many_columns_as_nodes_is_refused():
    with pytest.raises(InvalidParameterError, match=r"got 800 columns and 800 nodes"):
        fit(erase=[f"node {k}" for k in range(GRAPH.n_nodes)])


def test_no_dimension_correlates_with_erased_degree():
    degree = np.log(GRAPH.out_strength)
    vectors = fit(erase="degree").embedding_
    assert max(abs(np.corrcoef(column, degree)[0, 1]) for column in vectors.T) < 1e-3


@pytest.mark.parametrize("solver", ["exact", "landmark", "block"])
def test_erasure_applies_to_out_of_sample_nodes(solver):
    model = fit(solver=solver, erase={"kind": GROUP, "size": "degree"})
    vectors = model.transform(GRAPH.adjacency, attributes={"kind": GROUP})
    assert np.linalg.norm(vectors - model.embedding_) < 0.15 * np.linalg.norm(vectors)
    means = np.array([vectors[group == GROUP].mean(axis=0) for group in range(4)])
    assert np.abs(means).max() < 0.05 * np.abs(vectors).max()


@pytest.mark.filterwarnings("ignore:the graph has")
def test_isolated_nodes_have_zero_vectors_after_erasure():
    A = np.zeros((802, 802))
    A[:800, :800] = GRAPH.adjacency.toarray()
    labels = np.r_[GROUP, 0, 3]
    model = Residual2Vec(8, erase=labels, random_state=0).fit(Graph(A))
    assert not model.embedding_[800:].any()
    assert np.abs(model.embedding_[:800][GROUP == 3].mean(axis=0)).max() < 1e-4


def test_erasure_is_recorded_in_the_metadata_and_survives_pickling():
    model = fit(erase="group")
    assert model.to_embedding().metadata["erased"] == ["group"]
    unpickled = pickle.loads(pickle.dumps(model))
    edges = GRAPH.adjacency[:3]
    np.testing.assert_array_equal(
        unpickled.transform(edges, attributes={"group": GROUP[:3]}),
        model.transform(edges, attributes={"group": GROUP[:3]}),
    )


def test_level_and_strength_are_recorded_and_the_fit_is_reproducible():
    parameters = {"erase": "group", "erase_level": "distribution", "erase_strength": 0.7}
    model = fit(**parameters)
    recorded = model.to_embedding().metadata["parameters"]
    assert {name: recorded[name] for name in parameters} == parameters
    np.testing.assert_array_equal(model.embedding_, fit(**parameters).embedding_)


@pytest.mark.parametrize("parameters", [{"solver": SkipGram(n_walks=1, epochs=1)}, {"refine": 1}])
def test_level_distribution_works_where_the_linear_level_does_not(parameters):
    with pytest.raises(InvalidParameterError, match="erase_level='distribution'"):
        fit(erase="group", **parameters)
    model = fit(erase="group", erase_level="distribution", n_jobs=1, **parameters)
    assert linear_accuracy(model.embedding_) < 0.35


def test_level_or_strength_without_an_attribute_is_an_error():
    for parameters in ({"erase_level": "distribution"}, {"erase_strength": 0.5}):
        with pytest.raises(InvalidParameterError, match="need an attribute to erase"):
            fit(**parameters)
    with pytest.raises(InvalidParameterError, match="erase_level must be one of 'linear', 'distribution'"):
        fit(erase="group", erase_level="total")
    with pytest.raises(InvalidParameterError, match="erase_strength must be"):
        fit(erase="group", erase_strength=1.5)
