import numpy as np
import pytest

from residuum import Graph, Node2Vec, datasets
from residuum.baselines import CrossWalk
from residuum.baselines.crosswalk import closeness, crossing_weights
from residuum.errors import InvalidParameterError

GRAPH = datasets.planted_groups(150, 3, random_state=1)
COMMON = {"n_components": 6, "window": 4, "n_walks": 10, "walk_length": 20, "n_jobs": 1, "random_state": 7}


def random_graph(directed):
    rng = np.random.default_rng(3)
    A = np.triu(rng.random((30, 30)) < 0.15, 1) * rng.uniform(0.5, 2.0, (30, 30))
    return Graph(A + A.T if not directed else A, directed=directed), rng.integers(0, 3, size=30)


@pytest.mark.parametrize("directed", [False, True])
def test_closeness_is_the_expected_share_of_visits_to_other_groups(directed):
    graph, groups = random_graph(directed)
    A = graph.adjacency.toarray()
    P = np.divide(A, A.sum(axis=1, keepdims=True), out=np.zeros_like(A), where=A.sum(axis=1, keepdims=True) > 0)
    differs = groups[:, None] != groups
    expected = sum((np.linalg.matrix_power(P, t) * differs).sum(axis=1) for t in (1, 2, 3)) / 3
    np.testing.assert_allclose(closeness(graph, groups, 3), expected, atol=1e-12)


@pytest.mark.parametrize("directed", [False, True])
def test_weights_are_those_of_the_paper(directed):
    graph, groups = random_graph(directed)
    near = closeness(graph, groups, 2) ** 3
    near[groups == 2] = 0.0  # no neighbor in this group is near others
    A, alpha, expected = graph.adjacency.toarray(), 0.3, np.zeros((30, 30))
    for i in range(30):
        others = {g for g in groups[A[i] > 0].tolist() if g != groups[i]}
        has_own = bool((A[i] * (groups == groups[i])).any())
        for g in {*others, int(groups[i])}:
            weight = A[i] * (groups == g) * near
            weight = weight if weight.any() else A[i] * (groups == g)
            if weight.any():
                within = (1 - alpha if others else 1.0) if g == groups[i] else (alpha if has_own else 1.0) / len(others)
                expected[i] += within * weight / weight.sum()
    found = crossing_weights(graph, groups, near, alpha)
    assert found.directed
    np.testing.assert_allclose(found.adjacency.toarray(), expected, atol=2.0**-16)
    assert ((found.adjacency.toarray() > 0) == (expected > 0)).all()
    np.testing.assert_array_equal(graph.adjacency.toarray(), A)
    np.testing.assert_allclose(found.out_strength[graph.out_strength > 0], 1.0, atol=1e-3)


def test_vectors_depend_less_on_the_group_than_those_of_node2vec():
    same = GRAPH.node_attributes["group"][:, None] == GRAPH.node_attributes["group"]

    def similarity(model):
        unit = model.embedding_ / np.linalg.norm(model.embedding_, axis=1, keepdims=True)
        return (unit @ unit.T)[same].mean() - (unit @ unit.T)[~same].mean()

    cross, plain = CrossWalk(groups="group", crossing=0.7, **COMMON).fit(GRAPH), Node2Vec(**COMMON).fit(GRAPH)
    assert similarity(cross) < 0.7 * similarity(plain)


def test_missing_groups_and_invalid_parameters_are_refused():
    with pytest.raises(InvalidParameterError, match="CrossWalk needs groups"):
        CrossWalk(4).fit(GRAPH)
    for name, value in (("crossing", 1.5), ("closeness_power", -1.0), ("reach", 0)):
        with pytest.raises(InvalidParameterError, match=name):
            CrossWalk(4, groups="group", **{name: value}).fit(GRAPH)
