"""Erasure of a distribution: groups of nodes are moved so that their vectors have the same distribution.

Each group first moves by an affine map to the barycenter of all groups, which equalizes means and covariances. Then the
places, which are the vectors of all nodes, are dealt to the groups at random, as many to each as it has nodes, and each
group moves towards its places until its distribution is that of a random sample of the places. Groups thus differ as
much as permuted groups do, and predictors perform as on permuted labels. Exactly equal distributions would let them
fall below chance, which is a leak as well.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum.residual.affine_maps import AffineMaps
from residuum.residual.cells import Cells
from residuum.residual.flow import flow
from residuum.residual.out_of_sample import OutOfSample

__all__ = ["Transport", "TransportedRows", "equalize"]

_NODES_AT_ONCE = 256


@dataclass(frozen=True)
class Transport:
    """Maps of vectors u that give all cells of nodes the same distribution.

    Attributes
    ----------
    cells : Cells
        Cells of the nodes.
    strength : float
        Share of the way, from 0, no erasure, to 1.
    maps : AffineMaps
        Affine map of each cell.
    places : array of shape (n, K)
        Vectors after erasure of all nodes with a nonzero vector.
    seed : int
        Seed for the places of out-of-sample nodes.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> model = Residual2Vec(4, erase="club", erase_level="distribution", random_state=0).fit(graph)
    >>> model.transform(graph.adjacency[:3], attributes={"club": ["Mr. Hi"] * 3}).shape
    (3, 4)
    """

    cells: Cells
    strength: float
    maps: AffineMaps
    places: NDArray[np.float64]
    seed: int

    def apply(self, X: NDArray[np.float64], codes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the vectors of out-of-sample nodes.

        After the affine map of its cell, a node moves to the nearest of a random sample of the places, as dense as the
        places of a cell.

        Parameters
        ----------
        X : array of shape (m, K)
            Vectors before erasure.
        codes : array of shape (m,)
            Cells of the nodes.

        Returns
        -------
        array of shape (m, K)
            Vectors after erasure.
        """
        from scipy.spatial.distance import cdist

        rng = np.random.default_rng(self.seed)
        moved = self.maps.apply(X, codes)
        shares = np.bincount(self.cells.codes) / len(self.cells.codes)
        n_offered = max(1, round(float(shares @ shares) * len(self.places)))
        for begin in range(0, len(X), _NODES_AT_ONCE):
            rows = slice(begin, begin + _NODES_AT_ONCE)
            offered = rng.choice(self.places, n_offered, replace=False)
            moved[rows] = offered[cdist(moved[rows], offered, "sqeuclidean").argmin(axis=1)]
        return np.asarray(X + self.strength * (moved - X))


def equalize(
    u: NDArray[np.float32],
    v: NDArray[np.float32],
    cells: Cells,
    strength: float,
    rng: np.random.Generator,
) -> tuple[NDArray[np.float32], NDArray[np.float32], Transport]:
    """Give the vectors of all cells of nodes the same distribution.

    Embedding and context vectors of a node move together, so that attackers who see both, or the scores ``u · v``, find
    no more than attackers who see one.

    Parameters
    ----------
    u, v : arrays of shape (N, K)
        Embedding and context vectors; nodes with two zero vectors keep them.
    cells : Cells
        Cells of the nodes.
    strength : float
        Share of the way, from 0, no erasure, to 1.
    rng : numpy Generator
        Random state.

    Returns
    -------
    u, v : arrays of shape (N, K)
        Vectors after erasure.
    transport : Transport
        Maps for out-of-sample nodes.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> model = Residual2Vec(4, erase="club", erase_level="distribution", random_state=0).fit(datasets.karate_club())
    >>> model.embedding_.shape
    (34, 4)
    """
    active = np.flatnonzero(u.any(axis=1) | v.any(axis=1))
    codes, width = cells.codes[active], u.shape[1]
    signs = np.sign((u * v).sum(axis=0, dtype=np.float64))
    symmetric = np.allclose(v, u * signs, atol=1e-5 * float(np.abs(u).max(initial=0.0)))
    sides = [X[active].astype(np.float64) for X in ((u,) if symmetric else (u, v))]
    owner = rng.permutation(codes)
    maps = [AffineMaps.to_barycenter(X, codes) for X in sides]
    places = np.concatenate([side.apply(X, codes) for side, X in zip(maps, sides, strict=True)], axis=1)
    towards = [
        AffineMaps.to_places(X, codes, owner)
        for X in (places[:, k : k + width] for k in range(0, len(places.T), width))
    ]
    maps = [first.then(second) for first, second in zip(maps, towards, strict=True)]
    moved = np.concatenate([side.apply(X, codes) for side, X in zip(maps, sides, strict=True)], axis=1)
    final = flow(moved, codes, places, owner, rng)
    transport = Transport(cells, strength, maps[0], final[:, :width], int(rng.integers(2**63)))
    X = np.concatenate(sides, axis=1)
    erased = X + strength * (final - X)
    result_u, result_v = u.copy(), v.copy()
    result_u[active] = erased[:, :width]
    result_v[active] = erased[:, :width] * signs if symmetric else erased[:, width:]
    return result_u, result_v, transport


@dataclass(frozen=True)
class TransportedRows(OutOfSample):
    """Vectors of out-of-sample nodes, moved as those of the nodes of the graph.

    Attributes
    ----------
    rows : OutOfSample
        Embeds the nodes before erasure.
    transport : Transport
        Maps of the vectors.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> model = Residual2Vec(4, erase="degree", erase_level="distribution", random_state=0).fit(graph)
    >>> model.transform(graph.adjacency[:3]).shape
    (3, 4)
    """

    rows: OutOfSample
    transport: Transport

    def embed(
        self,
        edges: "sparse.csr_array[Any]",
        groups: ArrayLike | None = None,
        attributes: Mapping[str, ArrayLike] | None = None,
    ) -> NDArray[np.float32]:
        """Return the vectors of out-of-sample nodes."""
        codes = self.transport.cells.new_codes(attributes, edges, groups)
        vectors = self.rows.embed(edges, groups, attributes)
        linked = np.flatnonzero(np.diff(edges.indptr))
        vectors[linked] = self.transport.apply(vectors[linked].astype(np.float64), codes[linked])
        return vectors
