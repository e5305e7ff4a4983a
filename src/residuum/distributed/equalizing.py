"""Equal covariances of groups after linear erasure: affine maps from moments that are added up on the workers."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from residuum.distributed.cluster import Cluster
from residuum.distributed.vectors import VectorPart
from residuum.residual.affine_maps import AffineMaps, Moments, scatters_around

__all__ = ["EqualizedPart", "equalize_parts"]

# Names of the cells of the nodes, and of the owners of their places, on shared storage; −1 for nodes without vectors.
Labels = Literal["cells", "owners"]
_CELLS: Labels = "cells"
_OWNERS: Labels = "owners"


@dataclass(frozen=True)
class EqualizedPart(VectorPart):
    """Vectors as tasks compute them, moved so that all cells have the same covariance.

    Attributes
    ----------
    maps : tuple of AffineMaps
        Maps of u and, if v is not u with other signs, of v.
    strength : float
        Share of the way, from 0 to 1.
    """

    maps: tuple[AffineMaps, ...] = ()
    strength: float = 1.0

    def read(self, part: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return u and v of the nodes of a part, after the maps."""
        vectors = super().read(part)
        codes = self.labels(part, _CELLS)
        active = codes >= 0
        moved = [X.copy() for X in vectors]
        for side, maps in enumerate(self.maps):
            X = vectors[side][active].astype(np.float64)
            moved[side][active] = X + self.strength * (maps.apply(X, codes[active]) - X)
        if len(self.maps) == 1:
            moved[1] = moved[0] * np.sign(self.lengths[0] * self.lengths[1])
        return moved[0], moved[1]

    def labels(self, part: int, name: Labels) -> NDArray[np.int64]:
        """Return the cells of the nodes of a part, or the owners of their places.

        Parameters
        ----------
        part : int
            Number of the part.
        name : {"cells", "owners"}
            Which of both.

        Returns
        -------
        int array of shape (n,)
            −1 for nodes without vectors.
        """
        return np.array(self.grid.stages.load(name)[self.grid.nodes(part)])

    def places(
        self, part: int, side: int, name: Labels, maps: AffineMaps | None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return vectors of the nodes of a part after a map of their cells, and their groups.

        Parameters
        ----------
        part : int
            Number of the part.
        side : {0, 1}
            u or v.
        name : {"cells", "owners"}
            Groups to return.
        maps : AffineMaps or None
            Maps of the cells, or None.

        Returns
        -------
        X : array of shape (n, K)
            Vectors of the nodes that have one.
        groups : int array of shape (n,)
            Their groups.
        """
        cells, groups = self.labels(part, _CELLS), self.labels(part, name)
        active = cells >= 0
        X = VectorPart.read(self, part)[side][active].astype(np.float64)
        return (X if maps is None else maps.apply(X, cells[active])), groups[active]


def equalize_parts(
    cluster: Cluster, vectors: VectorPart, cells: NDArray[np.int64], strength: float, rng: np.random.Generator
) -> EqualizedPart:
    """Give all cells of nodes the covariances of permuted cells, the first step of :func:`residuum.residual.equalize`.

    Parameters
    ----------
    cluster : Cluster
        Workers.
    vectors : VectorPart
        Vectors as tasks compute them.
    cells : int array of shape (N,)
        Cell of each node.
    strength : float
        Share of the way, from 0, no change, to 1.
    rng : numpy Generator
        Source of randomness.

    Returns
    -------
    EqualizedPart
        The moved vectors.
    """
    stages = vectors.grid.stages
    active = (stages.load("row-scale") > 0) | (stages.load("column-scale") > 0)
    owners = np.full(len(cells), -1, dtype=np.int64)
    owners[active] = rng.permutation(cells[active])
    stages.save(_CELLS, np.where(active, cells, -1))
    stages.save(_OWNERS, owners)
    part = EqualizedPart(vectors.grid, vectors.names, vectors.lengths, (), strength)
    is_symmetric = vectors.names[0] == vectors.names[1] and np.allclose(
        np.abs(vectors.lengths[0]), np.abs(vectors.lengths[1])
    )
    n_cells = int(cells.max()) + 1
    sides = range(1 if is_symmetric else 2)
    return replace(part, maps=tuple(_maps(cluster, part, side, n_cells) for side in sides))


def _maps(cluster: Cluster, part: EqualizedPart, side: int, n_cells: int) -> AffineMaps:
    """Return the maps to the covariances of dealt places, which are the vectors at the barycenter."""
    first = AffineMaps.of_moments(_moments(cluster, part, side, n_cells, "cells", None))
    before, after = (_moments(cluster, part, side, n_cells, name, first) for name in ("cells", "owners"))
    maps = first.then(AffineMaps.between(before, after))
    return replace(maps, centers=maps.means)


def _moments(
    cluster: Cluster, part: EqualizedPart, side: int, n_cells: int, name: Labels, maps: AffineMaps | None
) -> Moments:
    """Return the moments of groups, in two passes over the parts."""
    items = [(part, number, side, name, maps) for number in range(part.grid.n_parts)]
    sums = cluster.total("cell-means", sums_part, [(*item, n_cells) for item in items])
    sizes, totals = sums[:, 0], sums[:, 1:]
    overall = totals.sum(axis=0) / sizes.sum()
    means = np.where(sizes[:, None] > 0, totals / np.maximum(sizes, 1)[:, None], overall)
    scatters = cluster.total("cell-scatters", scatters_part, [(*item, means) for item in items])
    return Moments(sizes.astype(np.int64), means, scatters)


def sums_part(
    part: EqualizedPart, number: int, side: int, name: Labels, maps: AffineMaps | None, n_cells: int
) -> NDArray[np.float64]:
    """Return the number and the sum of the vectors of each group in a part.

    Parameters
    ----------
    part : EqualizedPart
        Vectors as tasks compute them.
    number : int
        Number of the part.
    side : {0, 1}
        u or v.
    name : {"cells", "owners"}
        Groups.
    maps : AffineMaps or None
        Maps of the cells, or None.
    n_cells : int
        Number of groups G.

    Returns
    -------
    array of shape (G, 1 + K)
        Numbers and sums.
    """
    X, groups = part.places(number, side, name, maps)
    columns = [np.bincount(groups, minlength=n_cells), *(np.bincount(groups, x, n_cells) for x in X.T)]
    return np.stack(columns, axis=1).astype(np.float64)


def scatters_part(
    part: EqualizedPart, number: int, side: int, name: Labels, maps: AffineMaps | None, means: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the scatter matrices of the groups in a part around the means of all parts.

    Parameters
    ----------
    part : EqualizedPart
        Vectors as tasks compute them.
    number : int
        Number of the part.
    side : {0, 1}
        u or v.
    name : {"cells", "owners"}
        Groups.
    maps : AffineMaps or None
        Maps of the cells, or None.
    means : array of shape (G, K)
        Means of the groups.

    Returns
    -------
    array of shape (G, K, K)
        Scatter matrices.
    """
    return scatters_around(*part.places(number, side, name, maps), means)
