import pytest

from residuum import Residual2Vec
from residuum.distributed import DaskResidual2Vec
from residuum.distributed.matrix import PartitionedMatrix, PartitionedWindow
from residuum.distributed.solving import chosen_solver
from residuum.errors import ResiduumWarning
from residuum.nulls import Configuration
from residuum.solvers import Landmark


def test_auto_maximizes_the_likelihood_where_one_machine_would(build, graph, monkeypatch):
    partitioned = build(graph)
    matrix = PartitionedMatrix(PartitionedWindow(partitioned, 3), Configuration().fit(partitioned, 3), -3.0)
    assert chosen_solver(matrix, Residual2Vec()._settings(), 2).name == "landmark"
    monkeypatch.setattr("residuum.solvers.likelihood._FEWEST_NODES", 300)
    assert chosen_solver(matrix, Residual2Vec()._settings(), 64).name == "landmark"
    monkeypatch.setattr("residuum.solvers.likelihood._LONG_SPECTRUM", 0.1)
    assert chosen_solver(matrix, Residual2Vec()._settings(), 2).name == "likelihood"
    assert chosen_solver(matrix, Residual2Vec(floor=-3.0)._settings(), 2).name == "landmark"


def test_a_large_error_is_a_warning(client, build, graph):
    model = DaskResidual2Vec(4, client=client, window=3, solver=Landmark(n_landmarks=20), random_state=0)
    with pytest.warns(ResiduumWarning, match=r"the estimated error of 20 landmarks is .* use more landmarks"):
        model.fit(build(graph))
