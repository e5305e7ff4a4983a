from dataclasses import replace

import numpy as np
import pytest

from graph_cases import OpaqueNull, graph_cases, labels_for
from residuum.errors import MemoryLimitError
from residuum.nulls import Configuration, DegreeCorrectedSBM, ErdosRenyi
from residuum.residual import ResidualMatrix, count_walks
from residuum.solvers import Needs, Problem, Solver, Workspace, resolve_solver, solver_names
from residuum.solvers.base import MeasuredSolver
from residuum.walks import WindowProbabilities

CASES = graph_cases()
PROBLEM = Problem(50_000, 1_000_000, 64, 10, symmetric=True, memory_limit=8 << 30)


class TwoFeatures(MeasuredSolver):
    name = "two features"
    coefficients = (0.5, 2e-6)

    def solve(self, matrix, n_components, work):
        raise NotImplementedError

    def bytes(self, problem):
        return Needs(1000, 5000)

    def features(self, problem):
        return np.array([1.0, problem.n_entries])


def matrix_of(graph, null_model, window=3):
    probabilities = WindowProbabilities(graph, window)
    return ResidualMatrix(probabilities, null_model.fit(graph, window), floor=-1.0)


@pytest.mark.parametrize("case", CASES)
def test_a_problem_has_the_sizes_of_its_matrix(case):
    graph = CASES[case]
    problem = Problem.of(matrix_of(graph, DegreeCorrectedSBM(labels_for(graph))), 5, memory_limit=123, threads=3)
    assert problem == Problem(
        n_nodes=graph.n_nodes,
        n_entries=np.count_nonzero(graph.adjacency.toarray()),
        n_components=5,
        window=3,
        symmetric=not graph.directed,
        memory_limit=123,
        n_groups=3,
        threads=3,
        n_walks=count_walks(WindowProbabilities(graph, 3)),
        directed=graph.directed,
    )


def test_a_null_model_without_block_form_has_no_groups():
    matrix = matrix_of(CASES["weighted"], Configuration())
    opaque = ResidualMatrix(matrix.probabilities, OpaqueNull(matrix.null), floor=-1.0)
    assert Problem.of(matrix, 5, memory_limit=1).n_groups == 1
    assert Problem.of(opaque, 5, memory_limit=1).n_groups == 0


def test_an_asymmetric_matrix_has_two_sides():
    graph = CASES["weighted"]
    assert Problem.of(matrix_of(graph, Configuration()), 5, memory_limit=1).sides == 1
    assert Problem.of(matrix_of(graph, ErdosRenyi()), 5, memory_limit=1).sides == 2


def test_column_bytes_are_those_of_a_column_of_the_matrix():
    matrix = matrix_of(CASES["weighted"], Configuration())
    assert Problem.of(matrix, 5, memory_limit=1).column_bytes == matrix.columns([0]).nbytes


@pytest.mark.parametrize("threads", [1, 2, 8])
@pytest.mark.parametrize("n_nodes", [20, 513, 100_000, 10**8])
def test_a_narrow_tile_needs_at_most_the_memory_of_a_wide_tile(n_nodes, threads):
    narrow, wide = replace(PROBLEM, n_nodes=n_nodes, threads=threads).tile_bytes
    assert 0 < narrow <= wide
    # Three arrays per thread, and one product.
    assert narrow == (3 * threads + 1) * 16 * 4 * n_nodes


def test_a_large_matrix_is_factorized_without_a_dense_copy():
    small, large = replace(PROBLEM, n_nodes=500), PROBLEM
    assert small.is_small
    assert small.factorization_bytes >= 3 * 8 * small.n_nodes**2
    assert not large.is_small
    assert large.factorization_bytes < 4 * large.n_nodes**2


@pytest.mark.parametrize(("n_nodes", "slowdown"), [(1, 1.0), (1000, 1.0), (10**9, 18.0)])
def test_sparse_products_slow_down_when_tiles_exceed_the_cache(n_nodes, slowdown):
    assert replace(PROBLEM, n_nodes=n_nodes).gathering == slowdown


def test_the_slowdown_of_sparse_products_does_not_decrease_with_the_graph():
    slowdowns = [replace(PROBLEM, n_nodes=int(n)).gathering for n in np.geomspace(10, 1e9, 60)]
    assert (np.diff(slowdowns) >= 0).all()
    assert any(1.0 < slowdown < 18.0 for slowdown in slowdowns)


@pytest.mark.parametrize(
    ("limit", "peak"), [(0, 100), (99, 100), (100, 100), (500, 500), (900, 900), (901, 900), (10**18, 900)]
)
def test_peak_memory_is_the_limit_clipped_to_minimum_and_maximum(limit, peak):
    assert Needs(least=100, most=900).within(limit) == peak


@pytest.mark.parametrize("name", solver_names())
def test_the_memory_check_passes_exactly_from_the_minimum_memory(name):
    solver = resolve_solver(name)
    least = solver.bytes(PROBLEM).least
    assert solver.check_memory(replace(PROBLEM, memory_limit=least)) == 0
    assert solver.check_memory(replace(PROBLEM, memory_limit=least + 77)) == 77
    with pytest.raises(MemoryLimitError, match=rf"the {name} solver needs at least .*use solver='auto'"):
        solver.check_memory(replace(PROBLEM, memory_limit=least - 1))


@pytest.mark.parametrize("name", solver_names())
def test_maximum_memory_is_at_least_the_minimum(name):
    for n_nodes in (30, 700, 50_000):
        for symmetric in (True, False):
            needs = resolve_solver(name).bytes(replace(PROBLEM, n_nodes=n_nodes, symmetric=symmetric))
            assert 0 < needs.least <= needs.most


def test_the_memory_error_names_sizes_limit_and_remedies():
    with pytest.raises(MemoryLimitError) as caught:
        TwoFeatures().check_memory(replace(PROBLEM, memory_limit=10))
    message = str(caught.value)
    for text in ("two features", "50,000 nodes", "1,000,000 entries", "64 dimensions", "memory_limit is 10 bytes"):
        assert text in message
    for remedy in ("Increase memory_limit", "reduce n_components", "solver='auto'"):
        assert remedy in message


def test_seconds_are_linear_in_the_features_and_inverse_in_the_threads():
    solver = TwoFeatures()
    measured = 0.5 + 2e-6 * 1_000_000
    assert solver.seconds(PROBLEM) == pytest.approx(measured)
    for threads in (1, 2, 8):
        assert solver.seconds(replace(PROBLEM, threads=threads)) == pytest.approx(measured * 2 / threads)


def test_a_solver_supports_every_problem_by_default():
    assert TwoFeatures().refusal(replace(PROBLEM, n_groups=0)) is None
    assert not TwoFeatures().is_better(PROBLEM)
    assert (TwoFeatures.factorizes, TwoFeatures.resumes) == (True, True)


@pytest.mark.parametrize("missing", ["solve", "bytes", "seconds"])
def test_a_solver_without_its_methods_cannot_be_created(missing):
    methods = {"solve": TwoFeatures.solve, "bytes": TwoFeatures.bytes, "seconds": lambda self, problem: 0.0}
    type("Complete", (Solver,), methods)()
    incomplete = type("Incomplete", (Solver,), {name: methods[name] for name in methods if name != missing})
    with pytest.raises(TypeError, match="abstract"):
        incomplete()


def test_workspaces_do_not_share_a_store():
    rng = np.random.default_rng(0)
    assert Workspace(1, rng).store is not Workspace(1, rng).store
    assert not Workspace(1, rng).store.persistent
