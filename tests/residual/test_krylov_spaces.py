"""Bases of the Krylov iteration; the iteration itself is tested in test_krylov.py."""

import numpy as np
import pytest

from residuum._checkpoint import Store
from residuum.residual import TiledMatrix
from residuum.residual.krylov_spaces import GeneralSpace, SymmetricSpace


@pytest.mark.parametrize("kind", [SymmetricSpace, GeneralSpace])
def test_ritz_values_of_a_complete_basis_are_the_singular_values(kind):
    rng = np.random.default_rng(0)
    A = rng.standard_normal((12, 12)).astype(np.float32)
    A = A + A.T if kind is SymmetricSpace else A
    symmetric = kind is SymmetricSpace
    operator = TiledMatrix(lambda nodes: A[:, nodes], 12, symmetric=symmetric, width=4, memory_limit=1 << 20)
    space = kind(operator, 12, 12, Store())
    space.advance(1, space.fresh(space.random(3, 12)))
    ritz = space.ritz(12)
    np.testing.assert_allclose(ritz.values, np.linalg.svd(A, compute_uv=False), rtol=1e-4)
    assert ritz.lengths.max() < 1e-3
    assert space.fresh(space.random(4, 3)).shape[1] == 0
