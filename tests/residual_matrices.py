"""Residual matrices, with and without symmetry, for the tests of the matrix and of its solvers."""

import numpy as np
import pytest

from residuum import datasets
from residuum.nulls import Configuration, ErdosRenyi
from residuum.residual import ResidualMatrix
from residuum.walks import WindowProbabilities


def build(graph, null_model, floor=-2.0, window=5, weighting=0.0):
    return ResidualMatrix(WindowProbabilities(graph, window), null_model.fit(graph, window), floor, weighting)


@pytest.fixture(scope="session")
def symmetric_matrix():
    graph = datasets.planted_groups(700, 5, random_state=3)
    return build(graph, Configuration())


@pytest.fixture(scope="session")
def general_matrix():
    graph = datasets.planted_groups(700, 5, random_state=3)
    return build(graph, ErdosRenyi())


@pytest.fixture(params=["symmetric", "general"])
def matrix(request, symmetric_matrix, general_matrix):
    return symmetric_matrix if request.param == "symmetric" else general_matrix


@pytest.fixture
def dense_matrix(matrix):
    return matrix.columns(np.arange(matrix.n_nodes)).astype(float)
