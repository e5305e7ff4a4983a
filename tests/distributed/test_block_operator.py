import numpy as np
import pytest

from residuum._checkpoint import Store
from residuum.distributed.block_operator import PartitionedBlockOperator
from residuum.distributed.block_walk import PartitionedBlockWalk
from residuum.distributed.matrix import PartitionedMatrix, PartitionedWindow
from residuum.distributed.tall import TallMatrix
from residuum.nulls import Configuration, ErdosRenyi
from residuum.residual import ResidualMatrix
from residuum.solvers.block_operator import BlockOperator
from residuum.solvers.block_walk import BlockWalk
from residuum.walks import WindowProbabilities

CASES = {
    "symmetric": ("graph", Configuration()),
    "general": ("graph", ErdosRenyi()),
    "directed": ("directed_graph", Configuration(0.5)),
}


@pytest.mark.parametrize("case", CASES)
def test_products_are_those_of_one_machine(build, request, case):
    kind, model = CASES[case]
    graph = request.getfixturevalue(kind)
    graph = graph.subgraph((graph.in_strength > 0) | (graph.out_strength > 0))
    labels = (np.arange(graph.n_nodes) % 9).astype(np.int32)
    partitioned = build(graph)
    local = ResidualMatrix(WindowProbabilities(graph, 3), model.fit(graph, 3), -1.0, 0.5)
    matrix = PartitionedMatrix(PartitionedWindow(partitioned, 3), model.fit(partitioned, 3), -1.0, 0.5)
    expected = BlockOperator(local, BlockWalk(local.probabilities, labels, 1), 1 << 30, Store())
    operator = PartitionedBlockOperator.of(matrix, PartitionedBlockWalk(matrix.probabilities, labels, 1))
    X = np.random.default_rng(0).standard_normal((graph.n_nodes, 3)).astype(np.float32)
    grid = operator.grid
    for part in range(3):
        grid.stages.save(f"x-{part}", X[grid.nodes(part)])
    tall = TallMatrix(operator.cluster, grid, "x", 3)
    for transposed, wanted in ((False, expected.matmat(X)), (True, expected.rmatmat(X))):
        name = operator.matmat(tall, f"product-{transposed}", transposed=transposed).name
        found = np.concatenate([grid.stages.load(f"{name}-{part}") for part in range(3)])
        np.testing.assert_allclose(found, wanted, atol=2e-4 * np.abs(wanted).max())
