"""Maps of the coordinates of groups of vectors, one by one, to their common distribution."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Marginals"]

_MOST_KNOTS = 1024


@dataclass(frozen=True)
class Marginals:
    """``x_k ↦ m_gk + F_k⁻¹(E_gk(x_k))``: coordinate k of all groups g gets the same distribution around their means m.

    ``F_k⁻¹`` is the mean of the groups' quantile functions, their Wasserstein barycenter.

    Attributes
    ----------
    before, after : dict of int to array of shape (n_knots, K)
        Quantiles of the coordinates of a group before and after the map. Other groups are not moved.

    Examples
    --------
    >>> X, codes = np.array([[-1.0], [0.0], [1.0], [-3.0], [0.0], [3.0]]), np.array([0, 0, 0, 1, 1, 1])
    >>> Marginals.fit(X, codes, [0, 1]).apply(X, codes).ravel()
    array([-2.,  0.,  2., -2.,  0.,  2.])
    """

    before: dict[int, NDArray[np.float64]]
    after: dict[int, NDArray[np.float64]]

    @classmethod
    def fit(cls, X: NDArray[np.float64], codes: NDArray[np.int64], groups: list[int]) -> "Marginals":
        """Return the maps of groups to their common distribution, which keep their means.

        Parameters
        ----------
        X : array of shape (n, K)
            Vectors.
        codes : array of shape (n,)
            Group of each vector.
        groups : list of int
            Groups to move.

        Returns
        -------
        Marginals
            One map per group and coordinate.
        """
        grid = np.linspace(0.0, 1.0, _MOST_KNOTS)
        rows = {g: X[codes == g] for g in groups}
        n_rows = sum(map(len, rows.values()))
        barycenter = sum(
            (np.quantile(x - x.mean(axis=0), grid, axis=0) * (len(x) / n_rows) for x in rows.values()),
            np.zeros((len(grid), X.shape[1])),
        )
        before, after = {}, {}
        for g, x in rows.items():
            levels = np.linspace(0.0, 1.0, min(len(x), _MOST_KNOTS))
            before[g] = np.sort(x, axis=0)[np.rint(levels * (len(x) - 1)).astype(np.int64)]  # ties without rounding
            quantiles = np.stack([np.interp(levels, grid, column) for column in barycenter.T], axis=1)
            after[g] = _joined(before[g], quantiles)
            # Coordinates far from the median move to keep the mean. A shift of all would show where many are equal.
            spread = np.abs(after[g] - np.median(after[g], axis=0)) + np.finfo(np.float64).tiny
            excess = _interpolate(x, before[g], after[g]).mean(axis=0)
            after[g] += x.mean(axis=0) - spread * excess / _interpolate(x, before[g], spread).mean(axis=0)
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
