"""Residual2Vec with the skip-gram solver."""

import numpy as np
import pytest

from residuum import Embedding, Residual2Vec, datasets
from residuum.errors import InvalidParameterError, NullModelError, ResiduumWarning
from residuum.nulls import Configuration, DegreeCorrectedSBM, SampledNull
from residuum.solvers import Problem, SkipGram

GRAPH = datasets.planted_groups(150, 3, random_state=1)
SHORT = SkipGram(n_walks=4, walk_length=40, epochs=3)


def model(**parameters):
    return Residual2Vec(
        **{"n_components": 8, "window": 5, "solver": SHORT, "n_jobs": 1, "random_state": 0} | parameters
    )


def test_fitted_attributes_match_those_of_other_solvers():
    by_walks, exact = model().fit(GRAPH), model(solver="exact").fit(GRAPH)
    for name, value in vars(exact).items():
        if name.endswith("_") and isinstance(value, np.ndarray):
            assert getattr(by_walks, name).shape == value.shape, name
            assert getattr(by_walks, name).dtype == value.dtype, name
    assert by_walks.solver_ == "skipgram"
    assert by_walks.approximation_error_ is None
    assert by_walks.solver_details_["shift"] == pytest.approx(np.log(5))
    np.testing.assert_array_equal(by_walks.offset_, exact.offset_)


def test_singular_values_match_the_product_of_the_vectors():
    fitted = model().fit(GRAPH)
    product = fitted.embedding_.astype(float) @ fitted.context_embedding_.T
    np.testing.assert_allclose(fitted.singular_values_, np.linalg.svd(product)[1][:8], rtol=1e-4)


def test_associations_agree_with_the_exact_solver():
    by_walks = model(solver=SkipGram(epochs=10)).fit(GRAPH)
    exact = model(solver="exact").fit(GRAPH)
    rng = np.random.default_rng(0)
    pairs = rng.integers(150, size=(2, 4000))
    assert np.corrcoef(by_walks.score_pairs(*pairs), exact.score_pairs(*pairs))[0, 1] > 0.8


@pytest.mark.parametrize("null", ["configuration", "erdos-renyi", "rewired", "degree-correlated"])
def test_null_models_are_selected_by_name(null):
    assert model(null_model=null).fit(GRAPH).score(GRAPH) > 0.7


def test_dcsbm_with_one_group_equals_configuration():
    one_group = model(null_model=DegreeCorrectedSBM(np.zeros(150, dtype=int))).fit(GRAPH)
    np.testing.assert_allclose(one_group.embedding_, model(null_model=Configuration()).fit(GRAPH).embedding_, atol=1e-4)


def test_the_edges_of_a_node_approximately_reproduce_its_vector():
    fitted = model(solver=SkipGram(epochs=20, n_walks=20)).fit(GRAPH)
    vectors, trained = fitted.transform(GRAPH.adjacency[:50]), fitted.embedding_[:50]
    cosine = (vectors * trained).sum(axis=1) / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(trained, axis=1))
    assert np.median(cosine) > 0.9
    assert cosine.min() > 0.5


def test_out_of_sample_nodes_need_groups_if_the_null_model_has_groups():
    fitted = model(null_model=DegreeCorrectedSBM("group")).fit(GRAPH)
    with pytest.raises(NullModelError, match="groups"):
        fitted.transform(GRAPH.adjacency[:2])
    assert fitted.transform(GRAPH.adjacency[:2], groups=GRAPH.node_attributes["group"][:2]).shape == (2, 8)


def test_out_of_sample_nodes_without_edges_have_zero_vectors_and_a_warning():
    edges = GRAPH.adjacency[:3].tolil()
    edges[1] = 0
    with pytest.warns(ResiduumWarning, match="1 of 3 out-of-sample nodes") as caught:
        vectors = model().fit(GRAPH).transform(edges)
    assert not vectors[1].any()
    assert vectors[[0, 2]].any(axis=1).all()
    assert caught[0].filename == __file__


def test_out_of_sample_nodes_of_a_sampled_null_model_are_rejected():
    with pytest.raises(NullModelError, match="sampled"):
        model(null_model=SampledNull(n_samples=2)).fit(GRAPH).transform(GRAPH.adjacency[:1])


def test_erasure_is_rejected():
    with pytest.raises(InvalidParameterError, match=r"erase needs a solver .* use solver='auto'"):
        model(erase="degree").fit(GRAPH)


def test_checkpoints_are_rejected(tmp_path):
    with pytest.raises(InvalidParameterError, match="leave checkpoint out"):
        Residual2Vec(8, solver="skipgram", checkpoint=tmp_path / "run").fit(GRAPH)
    assert not (tmp_path / "run").exists()


def test_solver_details_are_saved_with_the_embedding(tmp_path):
    fitted = model().fit(GRAPH)
    fitted.to_embedding().save(tmp_path / "vectors.parquet")
    loaded = Embedding.load(tmp_path / "vectors.parquet")
    np.testing.assert_array_equal(loaded.vectors, fitted.embedding_)
    assert loaded.metadata["solver"] == "skipgram"
    assert loaded.metadata["solver_details"]["losses"] == fitted.solver_details_["losses"]


def test_the_scale_applies_to_both_vectors_and_to_out_of_sample_nodes():
    plain, scaled = (model(scale=scale).fit(GRAPH) for scale in (1.0, 2.0))
    np.testing.assert_allclose(scaled.embedding_, 2**0.5 * plain.embedding_, rtol=1e-5)
    np.testing.assert_allclose(scaled.context_embedding_, 2**0.5 * plain.context_embedding_, rtol=1e-5)
    new = GRAPH.adjacency[:2]
    np.testing.assert_allclose(scaled.transform(new), 2**0.5 * plain.transform(new), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"epochs": 0}, "epochs must be at least 1; got 0"),
        ({"learning_rate": 0.0}, "learning_rate must be above 0"),
        ({"learning_rate": 7.0}, "learning_rate must be a finite number between 0 and 1; got 7.0"),
        ({"subsample": -1.0}, "subsample must be a finite number"),
    ],
)
def test_invalid_parameters_are_rejected(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        SkipGram(**parameters)


def test_the_planned_speed_is_that_of_the_benchmark_within_a_factor_of_ten():
    # benchmarks/speed/results/skipgram_speed.md: 3.6 million pairs a second in two threads.
    problem = Problem(18_771, 396_100, 64, 10, symmetric=True, memory_limit=8 << 30)
    pairs = 2 * 10 * 18_771 * 10 * 80 * 5
    assert 0.36e6 < pairs / SkipGram(n_walks=10, walk_length=80, epochs=5).seconds(problem) < 36e6


def test_vectors_of_both_sides_need_memory():
    few, many = (
        SkipGram().bytes(Problem(10_000, 100_000, dimensions, 5, symmetric=True, memory_limit=8 << 30)).least
        for dimensions in (16, 48)
    )
    assert many - few == 2 * 32 * 4 * 10_000
