import numpy as np
import pytest

from residuum.errors import InvalidParameterError
from residuum.graph import Graph, resolve_teleport
from residuum.graph.teleport import DEFAULT_TELEPORT

CYCLE = Graph(np.array([[0, 2, 0], [0, 0, 1], [1, 0, 0]]), directed=True)
DANGLING = Graph(np.array([[0, 2, 1], [1, 0, 0], [0, 0, 0]]), directed=True)
UNDIRECTED = Graph([[0, 1], [1, 0]])


@pytest.mark.parametrize("graph", [CYCLE, UNDIRECTED])
@pytest.mark.parametrize("probability", [None, 0, 0.0])
def test_nobody_jumps_where_edges_lead_on(graph: Graph, probability: float | None) -> None:
    assert resolve_teleport(graph, probability) is None


def test_dangling_nodes_always_jump() -> None:
    teleport = resolve_teleport(DANGLING, 0.0)
    assert teleport is not None
    assert teleport.probability.tolist() == [0, 0, 1]
    assert teleport.base_probability == 0


def test_by_default_walkers_jump_unless_the_graph_is_strongly_connected() -> None:
    teleport = resolve_teleport(DANGLING, None)
    assert teleport is not None
    assert teleport.base_probability == DEFAULT_TELEPORT
    ring = Graph([[0, 1, 0], [0, 0, 1], [1, 0, 0]], directed=True)
    assert resolve_teleport(ring, None) is None


def test_the_target_can_be_uniform_or_given() -> None:
    isolated = Graph([[0, 1, 0], [0, 0, 0], [0, 0, 0]], directed=True)
    teleport = resolve_teleport(isolated, (0.2, "uniform"))
    assert teleport is not None
    assert teleport.target.tolist() == [0.5, 0.5, 0.0]
    given = resolve_teleport(DANGLING, (0.2, [1, 1, 2]))
    assert given is not None
    assert given.target.tolist() == [0.25, 0.25, 0.5]
    with pytest.raises(InvalidParameterError, match="'out-strength', 'uniform' or an array of weights; got 'best'"):
        resolve_teleport(DANGLING, (0.2, "best"))
    with pytest.raises(InvalidParameterError, match=r"3 finite, non-negative weights; got shape \(2,\)"):
        resolve_teleport(DANGLING, (0.2, [1.0, 2.0]))


def test_target_is_proportional_to_out_strength_so_that_nobody_lands_where_it_is_stuck() -> None:
    teleport = resolve_teleport(DANGLING, None)
    assert teleport is not None
    assert teleport.target.tolist() == [0.75, 0.25, 0]


def test_other_nodes_jump_with_the_given_probability() -> None:
    teleport = resolve_teleport(DANGLING, 0.15)
    assert teleport is not None
    assert teleport.probability.tolist() == [0.15, 0.15, 1]
    assert teleport.base_probability == 0.15
    assert resolve_teleport(CYCLE, 0.15) is not None


def test_step_with_teleport_is_a_probability() -> None:
    teleport = resolve_teleport(DANGLING, 0.3)
    assert teleport is not None
    strength = np.maximum(DANGLING.out_strength, 1)[:, None]
    walk = (1 - teleport.probability)[:, None] * DANGLING.adjacency.toarray() / strength
    np.testing.assert_allclose((walk + np.outer(teleport.probability, teleport.target)).sum(axis=1), 1)


@pytest.mark.parametrize("probability", [-0.1, 1.5, "much", float("nan")])
def test_what_is_no_probability_is_refused(probability: object) -> None:
    with pytest.raises(InvalidParameterError, match=rf"teleport must be .* between 0 and 1; got {probability!r}"):
        resolve_teleport(CYCLE, probability)


def test_always_jumping_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="teleport must be below 1: a walker that always jumps"):
        resolve_teleport(CYCLE, 1.0)


def test_undirected_graph_refuses_teleport() -> None:
    with pytest.raises(InvalidParameterError, match=r"for directed graphs.*got 0\.1\. Leave it out"):
        resolve_teleport(UNDIRECTED, 0.1)


@pytest.mark.parametrize("target", [[0, 0, 1], [0, 0, 0]])
def test_target_without_a_node_to_go_on_from_is_refused(target: list[int]) -> None:
    graph = Graph([[0, 1, 0], [1, 0, 0], [0, 0, 0]], directed=True)
    with pytest.raises(InvalidParameterError, match="weight on no node that has an edge; give one of them a weight"):
        resolve_teleport(graph, (0.1, target))
