"""The Krylov iteration on a cluster gives the factors of one machine."""

import numpy as np
import pytest

from residuum._checkpoint import Store
from residuum._random import random_rows
from residuum.distributed.grid import Grid
from residuum.distributed.krylov import PartitionedGeneralSpace, PartitionedSymmetricSpace, random_part
from residuum.distributed.stages import Stages
from residuum.distributed.tall import TallMatrix
from residuum.residual import TiledMatrix, factorize
from residuum.residual.krylov import iterate

N, K = 120, 3


class Dense:
    """Products of a dense matrix with matrices in files."""

    def __init__(self, cluster, grid, A):
        self.cluster, self.grid, self._A = cluster, grid, A

    def matmat(self, X, name, *, transposed=False):
        rows = np.concatenate([self.grid.stages.load(f"{X.name}-{part}") for part in range(3)])
        product = (self._A.T if transposed else self._A) @ rows
        for part in range(3):
            self.grid.stages.save(f"{name}-{part}", product[self.grid.nodes(part)])
        return TallMatrix(self.cluster, self.grid, name, X.width)


@pytest.mark.parametrize("symmetric", [True, False])
def test_factors_are_those_of_one_machine(cluster, tmp_path, symmetric, monkeypatch):
    # Room for two blocks, so that the basis is reduced.
    for module in ("residual.krylov_spaces", "distributed.krylov"):
        monkeypatch.setattr(f"residuum.{module}.BLOCKS", 4 if symmetric else 6)
    A = np.random.default_rng(0).standard_normal((N, N)) * 0.9 ** np.arange(N)
    A = (A + A.T if symmetric else A).astype(np.float32)
    operator = TiledMatrix(lambda nodes: A[:, nodes], N, symmetric=symmetric, width=N, memory_limit=1 << 30)
    expected = factorize(operator, random_rows(5, 0, N, K + 16), K, 1e-3, Store())
    stages = Stages(tmp_path)
    grid = Grid(stages, stages, (0, 50, 51, N), directed=False)
    for part in range(3):
        random_part(grid, part, "start", 5, K + 16)
    kind = PartitionedSymmetricSpace if symmetric else PartitionedGeneralSpace
    start = TallMatrix(cluster, grid, "start", K + 16)
    factors = iterate(kind(Dense(cluster, grid, A)), start, K, 1e-3, 0.0)
    np.testing.assert_allclose(factors.values, expected.values, rtol=1e-4)
    for name, signs, side in (
        ("left", factors.left_signs, expected.left),
        ("right", factors.right_signs, expected.right),
    ):
        tall = getattr(factors, name)
        rows = np.concatenate([stages.load(f"{tall.name}-{part}") for part in range(3)]) * signs
        np.testing.assert_allclose(rows, side, atol=2e-3)
    assert factors.details == {"passes": expected.passes}
