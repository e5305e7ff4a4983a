import numpy as np
import pytest

from residuum.errors import InvalidParameterError
from residuum.graph import Graph
from residuum.walks import resolve_teleport
from residuum.walks.teleport import DEFAULT_TELEPORT

CYCLE = Graph(np.array([[0, 2, 0], [0, 0, 1], [1, 0, 0]]), directed=True)
DANGLING = Graph(np.array([[0, 2, 1], [1, 0, 0], [0, 0, 0]]), directed=True)
UNDIRECTED = Graph([[0, 1], [1, 0]])


@pytest.mark.parametrize("graph", [CYCLE, UNDIRECTED])
@pytest.mark.parametrize("probability", [None, 0, 0.0])
def test_walkers_do_not_teleport_on_strongly_connected_or_undirected_graphs(
    graph: Graph, probability: float | None
) -> None:
    assert resolve_teleport(graph, probability) is None


def test_walkers_always_teleport_from_dangling_nodes() -> None:
    teleport = resolve_teleport(DANGLING, 0.0)
    assert teleport is not None
    assert teleport.probability.tolist() == [0, 0, 1]
    assert teleport.base_probability == 0


def test_walkers_teleport_by_default_unless_the_graph_is_strongly_connected() -> None:
    teleport = resolve_teleport(DANGLING, None)
    assert teleport is not None
    assert teleport.base_probability == DEFAULT_TELEPORT
    ring = Graph([[0, 1, 0], [0, 0, 1], [1, 0, 0]], directed=True)
    assert resolve_teleport(ring, None) is None


def test_target_can_be_uniform_or_an_array() -> None:
    isolated = Graph([[0, 1, 0], [0, 0, 0], [0, 0, 0]], directed=True)
    teleport = resolve_teleport(isolated, (0.2, "uniform"))
    assert teleport is not None
    assert teleport.target.tolist() == [0.5, 0.5, 0.0]
    weighted = resolve_teleport(DANGLING, (0.2, [1, 1, 2]))
    assert weighted is not None
    assert weighted.target.tolist() == [0.25, 0.25, 0.5]
    with pytest.raises(InvalidParameterError, match="'out-strength', 'uniform' or an array of weights; got 'best'"):
        resolve_teleport(DANGLING, (0.2, "best"))
    with pytest.raises(InvalidParameterError, match=r"weight for each of the 3 nodes; got shape \(2,\)"):
        resolve_teleport(DANGLING, (0.2, [1.0, 2.0]))
    with pytest.raises(InvalidParameterError, match="3 nodes; got negative, NaN or infinite weights"):
        resolve_teleport(DANGLING, (0.2, [1.0, 2.0, -1.0]))


def test_default_target_is_proportional_to_out_strength() -> None:
    teleport = resolve_teleport(DANGLING, None)
    assert teleport is not None
    assert teleport.target.tolist() == [0.75, 0.25, 0]


def test_walkers_teleport_from_nodes_with_out_edges_with_the_specified_probability() -> None:
    teleport = resolve_teleport(DANGLING, 0.15)
    assert teleport is not None
    assert teleport.probability.tolist() == [0.15, 0.15, 1]
    assert teleport.base_probability == 0.15
    assert resolve_teleport(CYCLE, 0.15) is not None


def test_step_probabilities_with_teleportation_sum_to_one() -> None:
    teleport = resolve_teleport(DANGLING, 0.3)
    assert teleport is not None
    strength = np.maximum(DANGLING.out_strength, 1)[:, None]
    walk = (1 - teleport.probability)[:, None] * DANGLING.adjacency.toarray() / strength
    np.testing.assert_allclose((walk + np.outer(teleport.probability, teleport.target)).sum(axis=1), 1)


@pytest.mark.parametrize("probability", [-0.1, 1.5, "much", float("nan")])
def test_invalid_probability_raises(probability: object) -> None:
    with pytest.raises(InvalidParameterError, match=rf"teleport must be .* between 0 and 1; got {probability!r}"):
        resolve_teleport(CYCLE, probability)


def test_probability_of_one_raises() -> None:
    with pytest.raises(
        InvalidParameterError, match=r"teleport must be below 1, or walkers never follow an edge; got 1\.0"
    ):
        resolve_teleport(CYCLE, 1.0)


def test_teleportation_on_an_undirected_graph_raises() -> None:
    with pytest.raises(
        InvalidParameterError,
        match=r"None or 0 for an undirected graph; got 0\.1\. Use a directed graph, or teleport=None",
    ):
        resolve_teleport(UNDIRECTED, 0.1)


@pytest.mark.parametrize("target", [[0, 0, 1], [0, 0, 0]])
def test_target_without_weight_on_a_node_with_edges_raises(target: list[int]) -> None:
    graph = Graph([[0, 1, 0], [1, 0, 0], [0, 0, 0]], directed=True)
    with pytest.raises(InvalidParameterError, match="a positive weight on at least one node with edges"):
        resolve_teleport(graph, (0.1, target))
