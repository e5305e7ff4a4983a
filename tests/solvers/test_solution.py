from dataclasses import replace

import numpy as np
import pytest

from graph_cases import graph_cases, labels_for
from residuum.nulls import Configuration
from residuum.residual import (
    Factors,
    Likelihood,
    LogisticRows,
    ProjectedRows,
    ResidualMatrix,
    Spectrum,
    build_erasure,
    factorize_erased,
    reweighted,
)
from residuum.solvers import FactorSolution, Solution
from residuum.walks import WindowProbabilities

CASES = graph_cases()
SPECTRA = {
    "default": Spectrum(),
    "all in u": Spectrum(alpha=1.0),
    "all in v": Spectrum(alpha=0.0),
    "reweighted": Spectrum(alpha=0.3, power=1.4, shrinkage=0.5, scale=2.0),
}


def solution_of(graph, *, n_components=6, weighting=0.0, erase=None):
    null = Configuration().fit(graph, 3)
    erasure = build_erasure(graph, erase, null)
    matrix = ResidualMatrix(WindowProbabilities(graph, 3), null, -2.0, weighting, erasure)
    columns = matrix.columns(np.arange(graph.n_nodes))
    factors = factorize_erased(columns, matrix.projector, n_components, matrix.symmetric)
    return FactorSolution(matrix, factors, 0.25, {"passes": 1})


def inverse(scale):
    return np.array([0.0 if s == 0 else 1.0 / s for s in scale.astype(float)])


@pytest.mark.parametrize("spectrum", SPECTRA.values(), ids=SPECTRA)
@pytest.mark.parametrize("weighting", [0.0, 0.8])
@pytest.mark.parametrize("case", CASES)
def test_products_of_the_vectors_are_the_reweighted_matrix_without_scales(case, weighting, spectrum):
    solution = solution_of(CASES[case], weighting=weighting)
    factors, matrix = solution.factors, solution.matrix
    values = spectrum.scale * reweighted(factors.values, spectrum.power, spectrum.shrinkage)
    expected = (factors.left.astype(float) * values) @ factors.right.T
    expected = inverse(matrix.row_scale)[:, None] * expected * inverse(matrix.column_scale)
    u, v = solution.vectors(spectrum)
    assert u.dtype == v.dtype == np.float32
    np.testing.assert_allclose(u.astype(float) @ v.T, expected, rtol=1e-4, atol=1e-4 * np.abs(expected).max())


@pytest.mark.parametrize("alpha", [0.0, 0.25, 0.5, 1.0])
def test_alpha_splits_the_singular_values_between_the_vectors(alpha):
    solution = solution_of(CASES["weighted"])
    u, v = solution.vectors(Spectrum(alpha=alpha))
    np.testing.assert_allclose(np.linalg.norm(u, axis=0), solution.singular_values**alpha, rtol=1e-4)
    np.testing.assert_allclose(np.linalg.norm(v, axis=0), solution.singular_values ** (1 - alpha), rtol=1e-4)


@pytest.mark.parametrize("weighting", [0.0, 0.8])
def test_isolated_nodes_have_zero_vectors(weighting):
    graph = CASES["isolated nodes"]
    isolated = graph.out_strength == 0
    for vectors in solution_of(graph, weighting=weighting).vectors(Spectrum()):
        assert not vectors[isolated].any()
        assert vectors[~isolated].any(axis=1).all()


@pytest.mark.parametrize("spectrum", SPECTRA.values(), ids=SPECTRA)
@pytest.mark.parametrize("weighting", [0.0, 0.8])
@pytest.mark.parametrize("case", ["weighted", "weights below one", "directed", "disconnected", "isolated nodes"])
def test_the_edges_of_a_node_reproduce_its_vector(case, weighting, spectrum):
    solution = solution_of(CASES[case], weighting=weighting)
    rows = solution.out_of_sample(spectrum)
    assert isinstance(rows, ProjectedRows)
    u, _ = solution.vectors(spectrum)
    np.testing.assert_allclose(rows.embed(CASES[case].adjacency), u, atol=2e-3 * np.abs(u).max())


@pytest.mark.parametrize("spectrum", SPECTRA.values(), ids=SPECTRA)
@pytest.mark.parametrize("weighting", [0.0, 0.8])
@pytest.mark.parametrize("case", ["weighted", "directed"])
def test_edges_and_erased_attribute_of_a_node_reproduce_its_vector(case, weighting, spectrum):
    graph = CASES[case]
    solution = solution_of(graph, weighting=weighting, erase={"kind": labels_for(graph)})
    u, _ = solution.vectors(spectrum)
    vectors = solution.out_of_sample(spectrum).embed(graph.adjacency, attributes={"kind": labels_for(graph)})
    np.testing.assert_allclose(vectors, u, atol=2e-3 * np.abs(u).max())


def test_erased_groups_have_equal_mean_vectors():
    graph = CASES["weighted"]
    labels = labels_for(graph)
    for vectors in solution_of(graph, erase={"kind": labels}).vectors(Spectrum()):
        for label in np.unique(labels):
            np.testing.assert_allclose(vectors[labels == label].mean(axis=0), 0.0, atol=1e-5)


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
def test_a_singular_value_of_zero_gives_a_zero_out_of_sample_dimension(alpha):
    solution = solution_of(CASES["weighted"])
    factors = solution.factors
    values = factors.values.copy()
    values[-1] = 0.0
    degenerate = replace(solution, factors=Factors(factors.left, values, factors.right))
    vectors = degenerate.out_of_sample(Spectrum(alpha=alpha)).embed(CASES["weighted"].adjacency)
    assert np.isfinite(vectors).all()
    assert not vectors[:, -1].any()
    np.testing.assert_allclose(
        vectors[:, :-1], solution.out_of_sample(Spectrum(alpha=alpha)).embed(CASES["weighted"].adjacency)[:, :-1]
    )


def test_singular_values_are_those_of_the_factors():
    solution = solution_of(CASES["weighted"])
    assert solution.singular_values is solution.factors.values


@pytest.mark.parametrize("case", ["weighted", "directed"])
def test_refinement_raises_the_likelihood_and_keeps_the_original(case):
    solution = solution_of(CASES[case], weighting=0.0)
    values = solution.singular_values.copy()
    refined = solution.refined(5, seed=0)
    assert (refined.is_refined, solution.is_refined) == (True, False)
    assert refined.error == solution.error
    assert refined.details == solution.details | {"losses": refined.details["losses"]}
    np.testing.assert_array_equal(solution.singular_values, values)
    likelihood = Likelihood(solution.matrix, 2000)
    losses = [likelihood.loss(*step.vectors(Spectrum())) for step in (solution, refined)]
    assert losses[1] < losses[0]


@pytest.mark.parametrize("case", ["weighted", "directed", "isolated nodes"])
def test_no_sweeps_leave_the_products_unchanged(case):
    solution = solution_of(CASES[case], weighting=0.5)
    products = []
    for step in (solution, solution.refined(0, seed=0)):
        u, v = step.vectors(Spectrum())
        products.append(u.astype(float) @ v.T)
    np.testing.assert_allclose(products[1], products[0], atol=1e-4 * np.abs(products[0]).max())


@pytest.mark.parametrize("spectrum", SPECTRA.values(), ids=SPECTRA)
def test_refined_out_of_sample_vectors_maximize_the_likelihood(spectrum):
    graph = CASES["weighted"]
    refined = solution_of(graph, n_components=4).refined(300, seed=0)
    rows = refined.out_of_sample(spectrum)
    assert isinstance(rows, LogisticRows)
    u, _ = refined.vectors(spectrum)
    np.testing.assert_allclose(rows.embed(graph.adjacency), u, atol=0.05 * np.abs(u).max())


@pytest.mark.parametrize("missing", ["vectors", "out_of_sample"])
def test_a_solution_without_its_methods_cannot_be_created(missing):
    methods = {"vectors": FactorSolution.vectors, "out_of_sample": FactorSolution.out_of_sample}
    type("Complete", (Solution,), methods)()
    incomplete = type("Incomplete", (Solution,), {name: methods[name] for name in methods if name != missing})
    with pytest.raises(TypeError, match="abstract"):
        incomplete()
