import numpy as np
import pytest

from residuum import Graph, Residual2Vec, datasets
from residuum.links import PairFeatures


def fitted(directed):
    rng = np.random.default_rng(0)
    A = (rng.random((40, 40)) < 0.25) * rng.integers(1, 4, (40, 40))
    A = A if directed else A + A.T
    return Residual2Vec(4, random_state=0).fit(Graph(A, directed=directed))


def pairs(n_nodes):
    return (ends.ravel() for ends in np.meshgrid(np.arange(n_nodes), np.arange(n_nodes)))


@pytest.mark.parametrize("directed", [False, True])
def test_features_are_what_their_names_say(directed):
    model = fitted(directed)
    features = PairFeatures(model)
    i, j = pairs(40)
    values = dict(zip(features.names, features(i, j).T, strict=True))
    A = model.graph_.adjacency.toarray().astype(float)
    B, out_degree, in_degree = (A > 0).astype(float), *(A.sum(axis=axis) / A.sum(axis=axis).mean() for axis in (1, 0))
    inner = np.diag(1 / ((out_degree + in_degree) / 2))
    np.testing.assert_allclose(values["association"], model.score_pairs(i, j), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(values["log of the product of degrees"], np.log(out_degree[i] * in_degree[j]))
    np.testing.assert_allclose(values["common neighbors"], (B @ B)[i, j])
    np.testing.assert_allclose(values["common neighbors, weighted"], (B @ inner @ B)[i, j])
    np.testing.assert_allclose(values["paths of three edges"], (B @ B @ B)[i, j])
    np.testing.assert_allclose(values["paths of three edges, weighted"], (B @ inner @ B @ inner @ B)[i, j])
    by_degrees = (B @ B @ B)[i, j] / (out_degree[i] * in_degree[j])
    np.testing.assert_allclose(values["paths of three edges by degrees"], by_degrees)
    around = [(A @ out_degree) / A.sum(axis=1), (A.T @ in_degree) / A.sum(axis=0)]
    if directed:
        np.testing.assert_allclose(values["degree, first end"], out_degree[i])
        np.testing.assert_allclose(values["degree, second end"], in_degree[j])
        np.testing.assert_allclose(values["degree of neighbors, first end"], around[0][i])
        np.testing.assert_allclose(values["degree of neighbors, second end"], around[1][j])
        length = np.linalg.norm(model.context_embedding_, axis=1)[j]
        np.testing.assert_allclose(values["length of the vector, second end"], length, rtol=1e-6)
    else:
        both = np.sort([values["degree, first end"], values["degree, second end"]], axis=0)
        np.testing.assert_allclose(both, np.sort([out_degree[i], out_degree[j]], axis=0))
        two_steps = (A @ around[0]) / A.sum(axis=1)
        sums = values["degree two steps away, first end"] + values["degree two steps away, second end"]
        np.testing.assert_allclose(sums, two_steps[i] + two_steps[j])


def test_a_pair_and_its_reverse_are_the_same_in_an_undirected_graph_only():
    i, j = pairs(40)
    features = PairFeatures(fitted(directed=False))
    np.testing.assert_array_equal(features(i, j), features(j, i))
    features = PairFeatures(fitted(directed=True))
    assert not np.array_equal(features(i, j), features(j, i))


def test_isolated_nodes_have_finite_features():
    A = np.zeros((30, 30))
    A[:28, :28] = datasets.karate_club().adjacency.toarray()[:28, :28]
    with pytest.warns(UserWarning, match="isolated"):
        model = Residual2Vec(2, random_state=0).fit(Graph(A))
    i, j = pairs(30)
    values = PairFeatures(model)(i, j)
    assert np.isfinite(values).all()
    # An isolated node does not stretch the range of the degrees.
    product = values[:, PairFeatures.names.index("log of the product of degrees")]
    assert product.min() == product[(i < 28) & (j < 28)].min()


@pytest.mark.parametrize("scale", [1e-200, 1e150])
def test_the_unit_of_the_weights_does_not_matter(scale):
    model, scaled = (
        Residual2Vec(4, random_state=0).fit(Graph(unit * fitted(directed=False).graph_.adjacency.astype(float)))
        for unit in (1.0, scale)
    )
    i, j = pairs(40)
    np.testing.assert_allclose(PairFeatures(scaled)(i, j), PairFeatures(model)(i, j), rtol=1e-4, atol=1e-4)
