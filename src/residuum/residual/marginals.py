"""Maps of the coordinates of groups of vectors, one by one, to the distributions of permuted groups."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Marginals"]

_MOST_KNOTS = 1024


@dataclass(frozen=True)
class Marginals:
    """``x_k ↦ F_gk⁻¹(E_gk(x_k))``: coordinates k of groups g get the distribution of permuted groups, in their order.

    Attributes
    ----------
    before, after : dict of int to array of shape (n_knots, K)
        Quantiles of the coordinates of a group before and after the map, E and F. Other groups are not moved.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X, codes = rng.standard_normal((200, 1)), np.arange(200) % 2
    >>> X[codes == 1] *= 9.0
    >>> moved = Marginals.fit(X, codes, [0, 1], rng).apply(X, codes)
    >>> bool(moved[codes == 1].std() < 1.5 * moved[codes == 0].std())
    True
    """

    before: dict[int, NDArray[np.float64]]
    after: dict[int, NDArray[np.float64]]

    @classmethod
    def fit(
        cls, X: NDArray[np.float64], codes: NDArray[np.int64], groups: list[int], rng: np.random.Generator
    ) -> "Marginals":
        """Return maps that make the marginal distributions of groups those of permuted groups, and keep their means.

        The coordinates of each group first become those of the groups' barycenter, the mean of their quantiles around
        their means. These values are then dealt to the groups at random. With exactly equal distributions, predictors
        would fall below chance.

        Parameters
        ----------
        X : array of shape (n, K)
            Vectors.
        codes : array of shape (n,)
            Group of each vector.
        groups : list of int
            Groups to move.
        rng : numpy Generator
            Random state of the deal.

        Returns
        -------
        Marginals
            One map per group and coordinate.
        """
        rows = {g: X[codes == g] for g in groups}
        before = {g: _quantiles(x) for g, x in rows.items()}
        common = _barycenter(rows)
        middle = {g: _joined(knots, _stretched(common, len(knots))) for g, knots in before.items()}
        pool = np.concatenate([_interpolate(rows[g], before[g], middle[g]) for g in groups])
        owner = rng.permutation(np.repeat(groups, [len(rows[g]) for g in groups]))
        after = {}
        for g, x in rows.items():
            dealt = _joined(before[g], _quantiles(pool[owner == g]))
            # Coordinates far from the median move to keep the mean. A shift of all would show where many are equal.
            spread = np.abs(dealt - np.median(dealt, axis=0)) + np.finfo(np.float64).tiny
            share = _interpolate(x, before[g], dealt).mean(axis=0) / _interpolate(x, before[g], spread).mean(axis=0)
            after[g] = x.mean(axis=0) + dealt - share * spread
        return cls(before, after)

    def first(self, n_columns: int) -> "Marginals":
        """Return the maps of the first coordinates.

        Parameters
        ----------
        n_columns : int
            Number of coordinates.

        Returns
        -------
        Marginals
            Maps of the same groups.
        """
        before, after = ({g: x[:, :n_columns] for g, x in side.items()} for side in (self.before, self.after))
        return Marginals(before, after)

    def apply(self, X: NDArray[np.float64], codes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the moved vectors.

        Parameters
        ----------
        X : array of shape (m, K)
            Vectors.
        codes : array of shape (m,)
            Group of each vector.

        Returns
        -------
        array of shape (m, K)
            Vectors with mapped coordinates; beyond the quantiles, coordinates become the first or the last of them.
        """
        moved = X.copy()
        for g in np.unique(codes).tolist():
            if g in self.before:
                moved[codes == g] = _interpolate(X[codes == g], self.before[g], self.after[g])
        return moved


def _quantiles(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values at equal steps of their rank, without interpolation, which would round ties apart."""
    ranks = np.linspace(0, len(X) - 1, min(len(X), _MOST_KNOTS))
    return np.asarray(np.sort(X, axis=0)[np.rint(ranks).astype(np.int64)])


def _barycenter(rows: dict[int, NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the mean over nodes of the quantiles of their groups, around the means of the groups."""
    n_rows = sum(map(len, rows.values()))
    weighted = [_stretched(_quantiles(x - x.mean(axis=0)), _MOST_KNOTS) * (len(x) / n_rows) for x in rows.values()]
    return np.asarray(np.sum(weighted, axis=0))


def _stretched(quantiles: NDArray[np.float64], n_knots: int) -> NDArray[np.float64]:
    """Return another number of quantiles of the same distribution, by interpolation."""
    grid, levels = np.linspace(0.0, 1.0, len(quantiles)), np.linspace(0.0, 1.0, n_knots)
    return np.stack([np.interp(levels, grid, column) for column in quantiles.T], axis=1)


def _joined(before: NDArray[np.float64], after: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return quantiles after the map where equal quantiles before remain equal: the middle one counts."""
    columns = []
    for knots, values in zip(before.T, after.T, strict=True):
        first, last = (np.searchsorted(knots, knots, side=side) for side in ("left", "right"))
        columns.append(values[(first + last - 1) // 2])
    return np.stack(columns, axis=1)


def _interpolate(
    X: NDArray[np.float64], before: NDArray[np.float64], after: NDArray[np.float64]
) -> NDArray[np.float64]:
    columns = zip(X.T, before.T, after.T, strict=True)
    return np.stack([np.interp(x, knots, values) for x, knots, values in columns], axis=1)
