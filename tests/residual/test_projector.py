import numpy as np
import pytest

from residuum import Graph, datasets
from residuum._checkpoint import Store
from residuum.nulls import Configuration
from residuum.residual import ErasedOperator, ResidualMatrix, TiledMatrix, build_erasure
from residuum.residual.projector import Projector, Side, factorize_operator
from residuum.walks import WindowProbabilities

GRAPH = datasets.planted_groups(150, 3, random_state=0)
GROUP = GRAPH.node_attributes["group"]


@pytest.mark.parametrize("directed", [False, True], ids=["symmetric", "general"])
@pytest.mark.parametrize(("weighting", "strength"), [(0.0, 1.0), (0.7, 1.0), (0.7, 0.4)])
def test_the_erased_operator_equals_the_projected_matrix(weighting, strength, directed):
    graph = (
        Graph(np.triu(GRAPH.adjacency.toarray()) + np.roll(np.eye(150), 1, axis=1), directed=True)
        if directed
        else GRAPH
    )
    null = Configuration().fit(graph, 4)
    erasure = build_erasure(graph, GROUP, null, strength)
    matrix = ResidualMatrix(WindowProbabilities(graph, 4), null, -2.0, weighting, erasure)
    R = matrix.columns(np.arange(150)).astype(float)
    Z = np.linalg.qr(np.eye(3)[GROUP])[0]
    keep = np.eye(150) - strength * Z @ Z.T
    S, T = np.diag(matrix.row_scale.astype(float)), np.diag(matrix.column_scale.astype(float))
    F = S @ keep @ np.linalg.inv(S) @ R @ np.linalg.inv(T) @ keep @ T
    projector = matrix.projector
    np.testing.assert_allclose(projector.clean(R.astype(np.float32)), F, atol=1e-3)
    operator = ErasedOperator(
        TiledMatrix(matrix.columns, 150, symmetric=matrix.symmetric, width=64, memory_limit=1 << 30), projector, Store()
    )
    X = np.random.default_rng(0).standard_normal((150, 2))
    both = operator.gram(X.astype(np.float32))
    np.testing.assert_allclose(both[:, :2], F.T @ X, atol=1e-2)
    np.testing.assert_allclose(both[:, 2:], F @ F.T @ X, rtol=1e-3, atol=0.5)
    np.testing.assert_allclose(operator.erased_rows(), projector.left.lowered.T @ R, atol=1e-3)


@pytest.mark.parametrize("strength", [1.0, 0.4])
def test_nodes_without_scale_take_no_part_in_the_projection(strength):
    scale = np.array([2.0, 1.0, 0.0, 3.0, 0.5, 0.0], dtype=np.float32)
    Z = np.random.default_rng(0).standard_normal((6, 2))
    active = np.flatnonzero(scale)
    Q, S = np.linalg.qr(Z[active])[0], np.diag(scale[active].astype(float))
    E = np.eye(6)
    E[np.ix_(active, active)] = S @ (np.eye(4) - strength * Q @ Q.T) @ np.linalg.inv(S)
    side, X = Side(Z, scale, strength), np.random.default_rng(1).standard_normal((6, 3))
    np.testing.assert_allclose(side.erase(X), E @ X, atol=1e-6)
    np.testing.assert_allclose(side.erase_transposed(X), E.T @ X, atol=1e-6)
    np.testing.assert_allclose(Z[active] @ side.towards, side.raised[active] / scale[active, None], atol=1e-12)


@pytest.mark.parametrize("symmetric", [True, False])
def test_factors_of_an_erased_operator_are_those_of_the_projected_matrix(symmetric):
    rng = np.random.default_rng(0)
    A = 0.01 * rng.standard_normal((40, 40)).astype(np.float32)
    A = A + A.T if symmetric else A
    scales = rng.uniform(0.5, 2.0, (2, 40)).astype(np.float32)
    projector = Projector(np.eye(3)[np.arange(40) % 3], scales[0], None if symmetric else scales[1])
    operator = TiledMatrix(lambda nodes: A[:, nodes].copy(), 40, symmetric=symmetric, width=16, memory_limit=1 << 20)
    factors = factorize_operator(operator, projector, np.empty((40, 0), np.float32), 5, 1e-4, Store())
    F = projector.clean(A)
    np.testing.assert_allclose(factors.values, np.linalg.svd(F, compute_uv=False)[:5], rtol=1e-3)
    # The readout maps a row of the matrix to its coordinates, after a correction for the attribute of the node.
    coordinates = A @ factors.readout - projector.left.raised @ factors.erased
    np.testing.assert_allclose(coordinates, factors.left * factors.values, atol=1e-4)
