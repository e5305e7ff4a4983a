import numpy as np

from residuum.distributed.factors import PartitionedFactors
from residuum.distributed.grid import Grid
from residuum.distributed.stages import Stages
from residuum.distributed.tall import TallMatrix


def test_the_largest_entry_of_each_left_vector_is_positive(cluster, tmp_path):
    stages = Stages(tmp_path)
    grid = Grid(stages, stages, (0, 2, 4), directed=False)
    left = np.array([[1, 1], [-3, 2], [2, 0], [0, -1]], dtype=np.float32)
    for part in range(2):
        stages.save(f"left-{part}", left[grid.nodes(part)])
    matrix = TallMatrix(cluster, grid, "left", 2)
    factors = PartitionedFactors.signed(matrix, matrix, np.ones(2), np.array([-1.0, 1.0]), 0.5, {"n": 1})
    assert factors.left_signs.tolist() == [-1, 1]
    assert factors.right_signs.tolist() == [1, 1]
    assert PartitionedFactors.signed(matrix, matrix, np.ones(2), None, 0.5, {}).right_signs.tolist() == [-1, 1]
