import numpy as np
import pytest

from residuum import Embedding, Graph
from residuum.errors import InvalidParameterError, UnknownNodeError
from residuum.evaluation import link_ranking, missing_links, pair_scores


def case(directed: bool) -> tuple[Graph, Embedding]:
    rng = np.random.default_rng(0)
    dense = (rng.random((12, 12)) < 0.3).astype(float)
    dense = dense if directed else np.triu(dense, 1) + np.triu(dense, 1).T
    dense[11] = dense[:, 11] = 0.0
    graph = Graph(dense, [f"n{i}" for i in range(12)], directed=directed)
    # In another order than the graph.
    order = rng.permutation(12)
    u, v, z = rng.normal(size=(12, 3)), rng.normal(size=(12, 3)), rng.normal(size=12)
    return graph, Embedding(graph.node_ids[order], u[order], v[order], z[order], directed=directed)


def reference(graph: Graph, embedding: Embedding, by: str) -> list[tuple[int, int]]:
    scores, dense = pair_scores(embedding, graph=graph), graph.adjacency.toarray()
    used = dense.any(axis=0) | dense.any(axis=1)
    pairs = [
        (i, j)
        for i in range(12)
        for j in range(12)
        if i != j and not dense[i, j] and used[i] and used[j] and (graph.directed or i < j)
    ]
    i, j = np.array(pairs).T
    return [pairs[k] for k in np.argsort(-getattr(scores, by)(i, j), kind="stable")]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("by", ["residual", "null", "full"])
@pytest.mark.parametrize("height", [1, 5, 12])
def test_the_best_non_edges_are_those_of_brute_force(
    directed: bool, by: str, height: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_ranking, "_TILE", 12 * height)
    graph, embedding = case(directed)
    links = missing_links(embedding, graph, 7, by)
    assert list(map(tuple, links.pairs.tolist())) == reference(graph, embedding, by)[:7]
    assert (np.diff(links.scores[by]) <= 0).all()


def test_nodes_limit_the_centers_and_each_pair_occurs_once() -> None:
    graph, embedding = case(directed=False)
    pairs = missing_links(embedding, graph, 1000, nodes=["n3", "n1"]).pairs
    assert set(pairs[:, 0].tolist()) == {1, 3}
    assert len({frozenset(pair) for pair in pairs.tolist()}) == len(pairs)
    expected = {frozenset(pair) for pair in reference(graph, embedding, "residual") if {1, 3} & set(pair)}
    assert {frozenset(pair) for pair in pairs.tolist()} == expected


def test_an_isolated_node_has_no_missing_links() -> None:
    graph, embedding = case(directed=False)
    assert len(missing_links(embedding, graph, nodes=["n11"]).pairs) == 0


def test_errors_name_the_parameter() -> None:
    graph, embedding = case(directed=False)
    with pytest.raises(InvalidParameterError, match="by must be one of 'residual', 'null', 'full'; got 'luck'"):
        missing_links(embedding, graph, by="luck")
    with pytest.raises(InvalidParameterError, match="n must be at least 1; got 0"):
        missing_links(embedding, graph, 0)
    with pytest.raises(UnknownNodeError, match="'x' is not in the graph"):
        missing_links(embedding, graph, nodes=["x"])
