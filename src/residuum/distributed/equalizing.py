"""Equal distributions of groups after erasure: moments are added up on the workers, coordinates moved one by one."""

from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from residuum.distributed.cluster import Cluster
from residuum.distributed.columns import ColumnFiles
from residuum.distributed.flow import flow_columns
from residuum.distributed.vectors import VectorPart
from residuum.residual import Cells
from residuum.residual.affine_maps import AffineMaps, Moments, scatters_around
from residuum.residual.marginals import Marginals

__all__ = ["EqualizedPart", "equalize_parts"]

# Names of the cells of the nodes, and of the owners of their places, on shared storage; −1 for nodes without vectors.
Labels = Literal["cells", "owners"]
_CELLS: Labels = "cells"
_OWNERS: Labels = "owners"
# Vectors after the affine maps, vectors at the barycenter, and the vectors that erasure ends with.
_MOVED, _PLACES, _FINAL = "moved", "places", "erased-vectors"


@dataclass(frozen=True)
class EqualizedPart(VectorPart):
    """Vectors as tasks compute them, moved so that all cells have the same distribution.

    Attributes
    ----------
    files : ColumnFiles or None
        Vectors after erasure, of nodes that have one: u and, if v is not u with other signs, v.
    strength : float
        Share of the way, from 0 to 1.
    """

    files: ColumnFiles | None = None
    strength: float = 1.0

    @property
    def is_symmetric(self) -> bool:
        """Whether v is u with other signs."""
        return self.names[0] == self.names[1] and np.allclose(np.abs(self.lengths[0]), np.abs(self.lengths[1]))

    def read(self, part: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return u and v of the nodes of a part, after erasure."""
        assert self.files is not None
        vectors = super().read(part)
        active = self.labels(part, _CELLS) >= 0
        moved = [X.copy() for X in vectors]
        final, width = self.files.rows(_FINAL, part), vectors[0].shape[1]
        for side in range(self.files.width // width):
            X = vectors[side][active].astype(np.float64)
            moved[side][active] = X + self.strength * (final[:, side * width : (side + 1) * width] - X)
        if self.is_symmetric:
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
    cluster: Cluster,
    vectors: VectorPart,
    cells: Cells,
    strength: float,
    rng: np.random.Generator,
    *,
    keep_means: bool = False,
) -> EqualizedPart:
    """Give the vectors of all cells of nodes the same distribution, as :func:`residuum.residual.equalize`.

    Parameters
    ----------
    cluster : Cluster
        Workers.
    vectors : VectorPart
        Vectors as tasks compute them.
    cells : Cells
        Cells of the nodes.
    strength : float
        Share of the way, from 0, no change, to 1.
    rng : numpy Generator
        Source of randomness.
    keep_means : bool, default False
        Keep the means of the cells, and only give them covariances and marginal distributions of permuted cells.

    Returns
    -------
    EqualizedPart
        The moved vectors.
    """
    grid, stages = vectors.grid, vectors.grid.stages
    parts = range(grid.n_parts)
    present = cluster.map("erased-nodes", has_vector, [(vectors, part) for part in parts])
    active = np.concatenate(present)
    codes = cells.codes[active]
    owner = rng.permutation(codes)
    for name, values in ((_CELLS, codes), (_OWNERS, owner)):
        labels = np.full(len(active), -1, dtype=np.int64)
        labels[active] = values
        stages.save(name, labels)
    part = EqualizedPart(grid, vectors.names, vectors.lengths, None, strength)
    sides = range(1 if part.is_symmetric else 2)
    first, maps = zip(*(_maps(cluster, part, side, int(cells.codes.max()) + 1) for side in sides), strict=True)
    if keep_means:
        maps = tuple(replace(side, centers=side.means) for side in maps)
    bounds = np.cumsum([0, *(np.count_nonzero(here) for here in present)])
    files = ColumnFiles(stages, tuple(bounds.tolist()), len(sides) * len(vectors.lengths[0]))
    if files.is_complete(_FINAL):
        return replace(part, files=files)
    files.by_rows(cluster, "erase-moments", _MOVED, mapped_rows, part, maps)
    if keep_means:
        groups = sorted(set(codes.tolist()) - cells.merged)
        files.by_columns(cluster, "erase-marginals", _FINAL, marginal_columns, part, groups, deepcopy(rng))
    else:
        files.by_rows(cluster, "erase-places", _PLACES, mapped_rows, part, first)
        flow_columns(cluster, files, (_MOVED, _PLACES, _FINAL), codes, owner, rng)
        files.forget(_PLACES)
    files.forget(_MOVED)
    return replace(part, files=files)


def _maps(cluster: Cluster, part: EqualizedPart, side: int, n_cells: int) -> tuple[AffineMaps, AffineMaps]:
    """Return the maps to the barycenter, where vectors are places, and those to the moments of dealt places."""
    first = AffineMaps.of_moments(_moments(cluster, part, side, n_cells, "cells", None))
    before, after = (_moments(cluster, part, side, n_cells, name, first) for name in ("cells", "owners"))
    return first, first.then(AffineMaps.between(before, after))


def has_vector(vectors: VectorPart, part: int) -> NDArray[np.bool_]:
    """Return which nodes of a part have a vector that is not zero.

    Parameters
    ----------
    vectors : VectorPart
        Vectors as tasks compute them.
    part : int
        Number of the part.

    Returns
    -------
    bool array of shape (n,)
        Whether u or v is not zero.
    """
    u, v = vectors.read(part)
    return np.asarray(u.any(axis=1) | v.any(axis=1))


def mapped_rows(
    files: ColumnFiles, part: int, vectors: EqualizedPart, maps: tuple[AffineMaps, ...]
) -> NDArray[np.float64]:
    """Return the vectors of a part after affine maps, u and v side by side.

    Parameters
    ----------
    files : ColumnFiles
        Layout.
    part : int
        Number of the part.
    vectors : EqualizedPart
        Vectors as tasks compute them.
    maps : tuple of AffineMaps
        Maps of each side.

    Returns
    -------
    array of shape (n, W)
        Moved vectors of the nodes that have one.
    """
    del files
    return np.concatenate([vectors.places(part, side, _CELLS, own)[0] for side, own in enumerate(maps)], axis=1)


def marginal_columns(
    files: ColumnFiles, first: int, last: int, vectors: EqualizedPart, groups: list[int], rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return coordinates with the marginal distributions of permuted cells.

    Parameters
    ----------
    files : ColumnFiles
        Layout.
    first, last : int
        Range of coordinates.
    vectors : EqualizedPart
        Vectors as tasks compute them.
    groups : list of int
        Cells to move.
    rng : numpy Generator
        Random state, the same for all coordinates.

    Returns
    -------
    array of shape (n, last − first)
        Moved coordinates.
    """
    X = files.columns(_MOVED, first, last)
    labels = vectors.grid.stages.load(_CELLS)
    codes = np.array(labels[labels >= 0])
    return Marginals.fit(X, codes, groups, deepcopy(rng)).apply(X, codes)


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
