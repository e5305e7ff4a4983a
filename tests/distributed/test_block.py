"""The block solver on a cluster gives the vectors of one machine."""

import numpy as np
import pytest

from distributed_cases import read_vectors, subspace_distance, write_edges
from residuum import Residual2Vec
from residuum.distributed import DaskResidual2Vec
from residuum.residual import krylov
from residuum.solvers import Block

CASES = {
    "symmetric": ("graph", {}),
    "general": ("graph", {"null_model": "erdos-renyi"}),
    "directed": ("directed_graph", {}),
    "erased": ("graph", {"erase": "degree"}),
}


@pytest.mark.filterwarnings("ignore:the graph has", "ignore:the block solver")
@pytest.mark.parametrize("case", CASES)
def test_vectors_are_those_of_one_machine(client, request, tmp_path, case, monkeypatch):
    # The iteration also on one machine, where so small a matrix would be dense.
    monkeypatch.setattr(krylov, "_DENSE_SIZE", 0)
    monkeypatch.setattr(krylov, "_DENSE_BLOCKS", 0)
    kind, more = CASES[case]
    graph = request.getfixturevalue(kind)
    graph = graph.subgraph((graph.in_strength > 0) | (graph.out_strength > 0))
    parameters = {
        "n_components": 3,
        "window": 3,
        "solver": Block(n_clusters=12),
        "random_state": 0,
        "floor": -2.0,
    } | more
    local = Residual2Vec(**parameters).fit(graph)
    model = DaskResidual2Vec(client=client, n_partitions=2, **parameters)
    model.fit(write_edges(graph, tmp_path / "edges"), directed=graph.directed).vectors_.write(tmp_path / "vectors")
    vectors = read_vectors(tmp_path / "vectors")
    assert local.solver_ == model.solver_ == "block"
    assert model.solver_details_["n_clusters"] == local.solver_details_["n_clusters"]
    assert model.approximation_error_ == pytest.approx(local.approximation_error_, rel=1e-3)
    np.testing.assert_allclose(model.singular_values_, local.singular_values_, rtol=1e-3)
    for name, expected in (("vector", local.embedding_), ("context", local.context_embedding_)):
        assert subspace_distance(vectors[name], expected) < 1e-3
        np.testing.assert_allclose(vectors[name], expected, atol=1e-3 * np.abs(expected).max())
