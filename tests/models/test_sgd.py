"""Residual2Vec by walks and skip-gram: the same estimator, the same attributes."""

import numpy as np
import pytest

from residuum import Embedding, Residual2Vec, datasets
from residuum.errors import InvalidParameterError, NullModelError, ResiduumWarning
from residuum.nulls import Configuration, DegreeCorrectedSBM, SampledNull

GRAPH = datasets.planted_groups(150, 3, random_state=1)
SHORT = {"n_walks": 4, "walk_length": 40, "epochs": 3}


def model(**parameters):
    return Residual2Vec(
        **{"n_components": 8, "window": 5, "solver": "sgd", "sgd": SHORT, "n_jobs": 1, "random_state": 0} | parameters
    )


def test_the_same_attributes_as_the_other_solvers():
    by_walks, exact = model().fit(GRAPH), model(solver="exact").fit(GRAPH)
    for name, value in vars(exact).items():
        if name.endswith("_") and isinstance(value, np.ndarray):
            assert getattr(by_walks, name).shape == value.shape, name
            assert getattr(by_walks, name).dtype == value.dtype, name
    assert by_walks.solver_ == "sgd"
    assert by_walks.approximation_error_ is None
    assert by_walks.solver_details_["shift"] == pytest.approx(np.log(5))
    np.testing.assert_array_equal(by_walks.offset_, exact.offset_)


def test_singular_values_are_those_of_the_product():
    fitted = model().fit(GRAPH)
    product = fitted.embedding_.astype(float) @ fitted.context_embedding_.T
    np.testing.assert_allclose(fitted.singular_values_, np.linalg.svd(product)[1][:8], rtol=1e-4)


def test_associations_agree_with_the_exact_solver():
    by_walks = model(sgd={"epochs": 10}).fit(GRAPH)
    exact = model(solver="exact").fit(GRAPH)
    rng = np.random.default_rng(0)
    pairs = rng.integers(150, size=(2, 4000))
    assert np.corrcoef(by_walks.score_pairs(*pairs), exact.score_pairs(*pairs))[0, 1] > 0.8


@pytest.mark.parametrize("null", ["configuration", "erdos-renyi", "rewired", "degree-correlated"])
def test_null_models_by_name(null):
    assert model(null_model=null).fit(GRAPH).score(GRAPH) > 0.7


def test_dcsbm_with_one_group_equals_configuration():
    one_group = model(null_model=DegreeCorrectedSBM(np.zeros(150, dtype=int))).fit(GRAPH)
    np.testing.assert_allclose(one_group.embedding_, model(null_model=Configuration()).fit(GRAPH).embedding_, atol=1e-4)


def test_a_node_asked_for_by_its_own_edges_gets_about_its_own_vector():
    fitted = model(sgd={"epochs": 20, "n_walks": 20}).fit(GRAPH)
    found = fitted.transform(GRAPH.adjacency)
    cosine = (found * fitted.embedding_).sum(axis=1) / (
        np.linalg.norm(found, axis=1) * np.linalg.norm(fitted.embedding_, axis=1)
    )
    assert np.median(cosine) > 0.9
    assert cosine.min() > 0.5


def test_new_nodes_need_groups_where_the_null_model_has_them():
    fitted = model(null_model=DegreeCorrectedSBM("group")).fit(GRAPH)
    with pytest.raises(NullModelError, match="groups"):
        fitted.transform(GRAPH.adjacency[:2])
    assert fitted.transform(GRAPH.adjacency[:2], groups=GRAPH.node_attributes["group"][:2]).shape == (2, 8)


def test_new_nodes_without_edges_have_zero_vectors_and_a_warning():
    edges = GRAPH.adjacency[:3].tolil()
    edges[1] = 0
    with pytest.warns(ResiduumWarning, match="1 of 3 new nodes") as caught:
        found = model().fit(GRAPH).transform(edges)
    assert not found[1].any()
    assert found[[0, 2]].any(axis=1).all()
    assert caught[0].filename == __file__


def test_new_nodes_of_a_sampled_null_model_are_refused():
    with pytest.raises(NullModelError, match="sampled"):
        model(null_model=SampledNull(n_samples=2)).fit(GRAPH).transform(GRAPH.adjacency[:1])


def test_erasure_is_refused_with_the_way_out():
    with pytest.raises(InvalidParameterError, match=r"erase needs a solver .* take solver='auto'"):
        model(erase="degree").fit(GRAPH)


def test_checkpoints_are_refused_with_the_way_out(tmp_path):
    with pytest.raises(InvalidParameterError, match="leave checkpoint out"):
        Residual2Vec(8, solver="sgd", checkpoint=tmp_path / "run").fit(GRAPH)
    assert not (tmp_path / "run").exists()


def test_what_it_did_can_be_saved(tmp_path):
    fitted = model().fit(GRAPH)
    fitted.to_embedding().save(tmp_path / "vectors.parquet")
    loaded = Embedding.load(tmp_path / "vectors.parquet")
    np.testing.assert_array_equal(loaded.vectors, fitted.embedding_)
    assert loaded.metadata["solver"] == "sgd"
    assert loaded.metadata["solver_details"]["losses"] == fitted.solver_details_["losses"]
