"""Erasure of a distribution: groups of nodes are moved so that their vectors have the same distribution.

Each group first moves by an affine map to the barycenter of all groups, which equalizes means and covariances. Then the
places, which are the vectors of all nodes, are dealt to the groups at random, as many to each as it has nodes, and each
group moves towards its places until its distribution is that of a random sample of the places. Groups thus differ as
much as permuted groups do, and predictors perform as on permuted labels. Exactly equal distributions would let them
fall below chance, which is a leak as well.

At level "linear", groups keep their means, which are equal, and get covariances and marginal distributions as those of
permuted groups instead. Equal means alone shift each group: where most nodes have a coordinate near zero, they end at
the shift of their group, which trees recognize.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum.residual.affine_maps import AffineMaps
from residuum.residual.cells import Cells
from residuum.residual.flow import flow
from residuum.residual.marginals import Marginals
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
    marginals : Marginals or None
        Maps of the coordinates of each cell, applied after the affine maps; None if places are.
    places : array of shape (n, K) or None
        Vectors after erasure of all nodes with a nonzero vector; None at level "linear".
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
    marginals: Marginals | None = None
    places: NDArray[np.float64] | None = None
    seed: int = 0

    def apply(self, X: NDArray[np.float64], codes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the vectors of out-of-sample nodes.

        After the affine map of its cell, the coordinates of a node are mapped one by one, or the node moves to the
        nearest of a random sample of the places, as dense as the places of a cell.

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
        moved = self.maps.apply(X, codes)
        if self.marginals is not None:
            moved = self.marginals.apply(moved, codes)
        if self.places is not None:
            self._exchange(moved, self.places)
        return np.asarray(X + self.strength * (moved - X))

    def _exchange(self, moved: NDArray[np.float64], places: NDArray[np.float64]) -> None:
        """Replace vectors by the nearest of a sample of the places."""
        from scipy.spatial.distance import cdist

        rng = np.random.default_rng(self.seed)
        shares = np.bincount(self.cells.codes) / len(self.cells.codes)
        n_offered = max(1, round(float(shares @ shares) * len(places)))
        for begin in range(0, len(moved), _NODES_AT_ONCE):
            rows = slice(begin, begin + _NODES_AT_ONCE)
            offered = rng.choice(places, n_offered, replace=False)
            moved[rows] = offered[cdist(moved[rows], offered, "sqeuclidean").argmin(axis=1)]


def equalize(
    u: NDArray[np.float32],
    v: NDArray[np.float32],
    cells: Cells,
    strength: float,
    rng: np.random.Generator,
    *,
    keep_means: bool = False,
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
    keep_means : bool
        Keep the means of the cells, and only give them covariances and marginal distributions of permuted cells.

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
    pairs = [_maps_to_places(X, codes, owner) for X in sides]
    maps, places = [pair[0] for pair in pairs], np.concatenate([pair[1] for pair in pairs], axis=1)
    if keep_means:
        maps = [replace(side, centers=side.means) for side in maps]
    final = np.concatenate([side.apply(X, codes) for side, X in zip(maps, sides, strict=True)], axis=1)
    transport = Transport(cells, strength, maps[0])
    if keep_means:
        groups = sorted(set(codes.tolist()) - cells.merged)  # labels in a merged cell keep their means only if it stays
        marginals = Marginals.fit(final, codes, groups, rng)
        final, transport = marginals.apply(final, codes), replace(transport, marginals=marginals.first(width))
    else:
        final = flow(final, codes, places, owner, rng)
        transport = replace(transport, places=final[:, :width], seed=int(rng.integers(2**63)))
    X = np.concatenate(sides, axis=1)
    erased = X + strength * (final - X)
    result_u, result_v = u.copy(), v.copy()
    result_u[active] = erased[:, :width]
    result_v[active] = erased[:, :width] * signs if symmetric else erased[:, width:]
    return result_u, result_v, transport


def _maps_to_places(
    X: NDArray[np.float64], codes: NDArray[np.int64], owner: NDArray[np.int64]
) -> tuple[AffineMaps, NDArray[np.float64]]:
    """Return the maps to the moments of dealt places, and the places, which are the vectors at the barycenter."""
    maps = AffineMaps.to_barycenter(X, codes)
    places = maps.apply(X, codes)
    return maps.then(AffineMaps.to_places(places, codes, owner)), places


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
