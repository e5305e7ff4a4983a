import numpy as np
import pytest

from residuum import Graph, datasets
from residuum._checkpoint import Store
from residuum.nulls import Configuration
from residuum.residual import ErasedOperator, ResidualMatrix, TiledMatrix, build_erasure
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
