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


@pytest.mark.parametrize(
    ("kind", "memory_limit", "capacity", "added"),
    [(SymmetricSpace, 1 << 20, 24, 4), (SymmetricSpace, 1 << 10, 24, 8), (GeneralSpace, 1 << 20, 16, 4)],
    ids=["symmetric, in memory", "symmetric, out of memory", "general"],
)
def test_a_full_basis_is_reduced_to_its_leading_vectors(kind, memory_limit, capacity, added):
    A = np.random.default_rng(0).standard_normal((64, 64)).astype(np.float32)
    A = A + A.T if kind is SymmetricSpace else A
    operator = TiledMatrix(
        lambda nodes: A[:, nodes].copy(), 64, symmetric=kind is SymmetricSpace, width=16, memory_limit=memory_limit
    )
    space = kind(operator, 64, 4, Store())
    for number in range(12):
        size, before = space.size, space.ritz(4).values
        space.make_room(4, 4)
        assert space.size == (4 if size + added > capacity else size)
        np.testing.assert_allclose(space.ritz(4).values, before, rtol=1e-4)
        space.advance(number, space.fresh(space.random(number, 4)))
    ritz = space.ritz(4)
    np.testing.assert_allclose(A @ ritz.right - ritz.left * ritz.values, ritz.missing, atol=1e-3)
