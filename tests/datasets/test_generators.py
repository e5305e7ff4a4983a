from collections.abc import Callable

import numpy as np
import pytest
from scipy import sparse

from residuum import datasets
from residuum.errors import InvalidParameterError, MissingExtraError
from residuum.graph import Graph

GENERATORS = {
    "core_periphery": lambda seed: datasets.core_periphery(random_state=seed),
    "planted_groups": lambda seed: datasets.planted_groups(200, random_state=seed),
    "lfr": lambda seed: datasets.lfr(0.3, n_nodes=300, random_state=seed),
}


@pytest.fixture(params=GENERATORS)
def generate(request: pytest.FixtureRequest) -> Callable[[int], Graph]:
    if request.param == "lfr":
        pytest.importorskip("networkit")
    return GENERATORS[request.param]


def leaving_share(graph: Graph, attribute: str) -> float:
    group, entries = graph.node_attributes[attribute], sparse.coo_array(graph.adjacency)
    return float((group[entries.row] != group[entries.col]).mean())


def test_the_same_seed_generates_the_same_graph(generate: Callable[[int], Graph]) -> None:
    first, second, other = generate(1), generate(1), generate(2)
    np.testing.assert_array_equal(first.adjacency.toarray(), second.adjacency.toarray())
    for name, values in first.node_attributes.items():
        np.testing.assert_array_equal(values, second.node_attributes[name])
    assert (first.adjacency != other.adjacency).nnz > 0


def test_graph_is_simple_and_has_no_isolated_node(generate: Callable[[int], Graph]) -> None:
    graph = generate(0)
    assert not graph.directed
    assert not graph.is_weighted
    assert not graph.adjacency.diagonal().any()
    assert graph.out_strength.min() >= 1


def test_a_generator_as_seed_advances() -> None:
    rng = np.random.default_rng(0)
    first, second = (datasets.planted_groups(100, random_state=rng) for _ in range(2))
    assert (first.adjacency != second.adjacency).nnz > 0


def test_an_isolated_core_node_is_connected_to_another_core_node() -> None:
    graphs = [datasets.core_periphery(2, 1, random_state=seed) for seed in range(200)]
    assert all(graph.out_strength.min() > 0 for graph in graphs)


def test_core_is_dense_and_periphery_sparse() -> None:
    graph = datasets.core_periphery(50, 450, random_state=0)
    core = graph.node_attributes["role"] == "core"
    assert core.sum() == 50
    dense = graph.adjacency.toarray()
    densities = [dense[np.ix_(rows, columns)].mean() for rows, columns in [(core, core), (core, ~core), (~core, ~core)]]
    # Standard errors are 0.009, 0.003 and 0.0004; the diagonal is empty.
    np.testing.assert_allclose(densities, [0.9 * 49 / 50, 0.2, 0.02], atol=0.03)


@pytest.mark.parametrize("mixing", [0.0, 0.2, 0.7, 1.0])
@pytest.mark.parametrize("degree_exponent", [3.0, None])
def test_planted_mixing_is_close_to_the_parameter(mixing: float, degree_exponent: float | None) -> None:
    graph = datasets.planted_groups(2000, 4, mixing=mixing, degree_exponent=degree_exponent, random_state=0)
    # 20,000 edges: standard error 0.0035; merging parallel edges shifts it by less than 0.02.
    assert leaving_share(graph, "group") == pytest.approx(mixing, abs=0.03)


def test_planted_groups_have_equal_sizes_and_the_requested_average_degree() -> None:
    graph = datasets.planted_groups(2000, 4, average_degree=12, random_state=0)
    assert np.bincount(graph.node_attributes["group"]).tolist() == [500] * 4
    assert graph.out_strength.mean() == pytest.approx(12, rel=0.05)


@pytest.mark.parametrize("n_groups", [1, 7])
def test_isolated_nodes_get_an_edge_to_their_own_group(n_groups: int) -> None:
    graph = datasets.planted_groups(140, n_groups, mixing=0.0, average_degree=1.0, random_state=0)
    assert graph.out_strength.min() >= 1
    assert leaving_share(graph, "group") == 0


def test_lfr_communities_have_the_requested_mixing() -> None:
    pytest.importorskip("networkit")
    graph = datasets.lfr(0.2, random_state=0)
    sizes = np.unique(graph.node_attributes["community"], return_counts=True)[1]
    assert (graph.n_nodes, sizes.sum()) == (1000, 1000)
    assert sizes.min() >= 20
    assert sizes.max() <= 100
    assert graph.out_strength.max() <= 50
    assert leaving_share(graph, "community") == pytest.approx(0.2, abs=0.03)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: datasets.core_periphery(1), "n_core must be at least 2; got 1"),
        (lambda: datasets.core_periphery(n_periphery=0), "n_periphery must be at least 1; got 0"),
        (lambda: datasets.planted_groups(5, 3), "n_nodes must be at least 6; got 5"),
        (lambda: datasets.planted_groups(n_groups=0), "n_groups must be at least 1; got 0"),
        (lambda: datasets.planted_groups(mixing=1.2), r"mixing must be .* between 0 and 1; got 1\.2"),
        (lambda: datasets.lfr(-0.1), r"mixing must be .* between 0 and 1; got -0\.1"),
        (lambda: datasets.planted_groups(100, degree_exponent=1.0), "degree_exponent must be above 1, or None"),
        (lambda: datasets.planted_groups(100, degree_exponent=0.5), "degree_exponent must be a finite number of at"),
        (lambda: datasets.planted_groups(100, average_degree=-3), "average_degree must be a finite number of at least"),
    ],
)
def test_invalid_parameters_are_rejected(call: Callable[[], Graph], message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        call()


def test_missing_networkit_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("residuum._validation.importlib.import_module", absent)
    with pytest.raises(MissingExtraError, match=r"needs networkit.*residuum\[benchmarks\]"):
        datasets.lfr(0.3)
