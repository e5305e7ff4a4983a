"""The likelihood solver on a cluster gives the vectors of one machine."""

import numpy as np
import pytest

from distributed_cases import read_vectors, subspace_distance, write_edges
from residuum import Residual2Vec
from residuum.distributed import DaskResidual2Vec
from residuum.solvers import Landmark, Likelihood

SWEEPS = Likelihood(n_sweeps=2, n_contexts=30)


def fit_both(client, graph, folder, n_partitions=2, **parameters):
    graph = graph.subgraph((graph.in_strength > 0) | (graph.out_strength > 0))
    parameters = {"n_components": 4, "window": 4, "random_state": 0, "floor": -2.0} | parameters
    local = Residual2Vec(**parameters).fit(graph)
    model = DaskResidual2Vec(client=client, n_partitions=n_partitions, **parameters)
    model.fit(write_edges(graph, folder / "edges"), directed=graph.directed)
    model.vectors_.write(folder / "vectors")
    return local, model, read_vectors(folder / "vectors")


def assert_same(local, model, vectors):
    assert local.solver_ == model.solver_
    np.testing.assert_allclose(model.solver_details_["losses"], local.solver_details_["losses"], rtol=1e-4)
    np.testing.assert_allclose(model.singular_values_, local.singular_values_, rtol=1e-4)
    for name, expected in (("vector", local.embedding_), ("context", local.context_embedding_)):
        assert subspace_distance(vectors[name], expected) < 1e-3
        np.testing.assert_allclose(vectors[name], expected, atol=1e-3 * np.abs(expected).max())


@pytest.mark.parametrize("n_partitions", [1, 3])
def test_vectors_are_those_of_one_machine(client, graph, tmp_path, n_partitions):
    assert_same(*fit_both(client, graph, tmp_path, n_partitions, solver=SWEEPS))


@pytest.mark.filterwarnings("ignore:the graph has")
def test_directed_graphs_give_the_local_vectors(client, directed_graph, tmp_path):
    assert_same(*fit_both(client, directed_graph, tmp_path, solver=SWEEPS))


def test_refined_factors_are_those_of_one_machine(client, graph, tmp_path):
    solver = Landmark(n_landmarks=150)
    assert_same(*fit_both(client, graph, tmp_path, solver=solver, refine=1, shrinkage=0.0, scale=1.0))
