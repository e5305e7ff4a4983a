import numpy as np

import dense_reference as dense
from residuum import NetMF, Residual2Vec, datasets

GRAPH = datasets.planted_groups(120, 3, random_state=1)


def test_it_equals_residual2vec_with_the_configuration_null_model_floor_0_and_the_exact_solver():
    netmf = NetMF(6, window=4, random_state=0).fit(GRAPH)
    parameters = {
        "window": 4,
        "floor": 0.0,
        "weighting": 0.0,
        "shrinkage": 0.0,
        "scale": 1.0,
        "alpha": 0.5,
        "solver": "exact",
    }
    same = Residual2Vec(6, null_model="configuration", **parameters, random_state=0).fit(GRAPH)
    np.testing.assert_array_equal(netmf.embedding_, same.embedding_)
    np.testing.assert_array_equal(netmf.transform(GRAPH.adjacency[:3]), same.transform(GRAPH.adjacency[:3]))
    assert netmf.solver_ == "exact"


def test_full_rank_vectors_reproduce_the_closed_form():
    netmf = NetMF(119, window=3, random_state=0).fit(GRAPH)
    A = GRAPH.adjacency.toarray().astype(float)
    degree = A.sum(axis=0)
    closed_form = dense.window_probability(A, np.full(3, 1 / 3)) * A.sum() / degree
    expected = np.log(np.maximum(closed_form, 1.0))
    np.testing.assert_allclose(netmf.embedding_ @ netmf.context_embedding_.T, expected, atol=2e-2)


def test_it_has_no_parameters_of_other_models():
    assert set(NetMF().get_params()) == {
        "n_components", "window", "memory_limit", "n_jobs", "random_state", "progress",
    }  # fmt: skip
