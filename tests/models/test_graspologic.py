import inspect

import networkx as nx
import numpy as np
import pytest

from residuum import Node2Vec, node2vec_embed
from residuum.errors import InvalidParameterError

FAST = {"num_walks": 2, "walk_length": 6, "iterations": 1, "workers": 1}


def test_the_signature_is_that_of_graspologic() -> None:
    assert {name: p.default for name, p in inspect.signature(node2vec_embed).parameters.items() if name != "graph"} == {
        "num_walks": 10,
        "walk_length": 40,
        "return_hyperparameter": 1.0,
        "inout_hyperparameter": 1.0,
        "dimensions": 128,
        "window_size": 2,
        "workers": 8,
        "iterations": 3,
        "interpolate_walk_lengths_by_node_degree": True,
        "random_seed": None,
    }


def test_vectors_are_those_of_node2vec_in_the_order_of_the_nodes() -> None:
    graph = nx.relabel_nodes(nx.karate_club_graph(), lambda node: f"member {node}")
    vectors, nodes = node2vec_embed(graph, dimensions=4, inout_hyperparameter=0.5, random_seed=1, **FAST)
    model = Node2Vec(4, q=0.5, n_walks=2, walk_length=5, window=2, epochs=1, n_jobs=1, random_state=1).fit(graph)
    np.testing.assert_array_equal(vectors, model.embedding_)
    assert nodes == model.node_ids_.tolist()
    assert set(nodes) == set(graph)


def test_communities_have_similar_vectors() -> None:
    graph = nx.disjoint_union(nx.complete_graph(12), nx.complete_graph(12))
    graph.add_edge(0, 12)
    vectors, nodes = node2vec_embed(graph, dimensions=8, workers=1, random_seed=0)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    first = np.array(nodes) < 12
    cosine = unit @ unit.T
    assert cosine[first][:, first].mean() > cosine[first][:, ~first].mean() + 0.3


def test_more_dimensions_than_nodes_are_filled_with_zeros() -> None:
    vectors, _ = node2vec_embed(nx.path_graph(5), dimensions=16, random_seed=0, **FAST)
    assert vectors.shape == (5, 16)
    assert not vectors[:, 4:].any()


@pytest.mark.parametrize(("name", "value"), [("walk_length", 1), ("dimensions", 0), ("workers", 0)])
def test_invalid_parameters_are_named(name: str, value: int) -> None:
    with pytest.raises(InvalidParameterError, match=f"{name} must be at least"):
        node2vec_embed(nx.path_graph(5), **{name: value})
