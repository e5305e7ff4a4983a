"""Integer codes of labels and of binned numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum.errors import InvalidParameterError

__all__ = ["Bins", "Labels", "is_known", "object_array"]


def object_array(values: Sequence[Any]) -> NDArray[Any]:
    """Return a one-dimensional array of Python objects.

    Parameters
    ----------
    values : sequence of m objects
        Entries of the array; sequences among them stay single entries.

    Returns
    -------
    object array of shape (m,)
        The objects, in the same order.
    """
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def is_known(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Return a mask of the values that are not missing.

    Parameters
    ----------
    values : array of shape (N,)
        Labels, numbers or time stamps; None, NaN, NaT, ``pandas.NA``, infinite numbers and empty strings count as
        missing.

    Returns
    -------
    bool array of shape (N,)
        False where a value is missing.

    Examples
    --------
    >>> is_known(np.array(["a", "", None, float("nan"), 0], dtype=object)).tolist()
    [True, False, False, False, True]
    """
    if values.dtype.kind == "f":
        return np.asarray(np.isfinite(values))
    if values.dtype.kind == "M":
        return np.asarray(~np.isnat(values))
    if values.dtype.kind in "OU":
        return np.array([not _is_missing(value) for value in values.tolist()], dtype=bool)
    return np.ones(values.shape, dtype=np.bool_)


def _is_missing(value: Any) -> bool:
    if value is None or (isinstance(value, str) and not value):
        return True
    try:
        return bool(value != value)
    except TypeError:
        # pandas.NA has no truth value.
        return True


@dataclass(frozen=True)
class Labels:
    """Distinct labels of an attribute, with codes 0, …, B − 1.

    Attributes
    ----------
    values : array of shape (B,)
        Labels in sorted order; the code of a label is its position.

    Examples
    --------
    >>> labels, codes = Labels.of(np.array(["b", "", "a", "b"]))
    >>> labels.values.tolist(), codes.tolist()
    (['a', 'b'], [1, -1, 0, 1])
    """

    values: NDArray[Any]

    @classmethod
    def of(cls, values: NDArray[Any]) -> tuple["Labels", NDArray[np.int32]]:
        """Return the distinct labels of an array, and the code of each entry.

        Parameters
        ----------
        values : array of shape (N,)
            Label of each node.

        Returns
        -------
        labels : Labels
            Distinct labels, without missing values.
        codes : int array of shape (N,)
            Code of each node's label; −1 for missing values (see :func:`is_known`).
        """
        has_label = is_known(values)
        present = values[has_label]
        codes = np.full(len(values), -1, dtype=np.int32)
        if present.dtype == object and len({type(value) for value in present.tolist()}) > 1:
            # Sorted by type, then as strings: 1 and "1" are different labels.
            mixed = sorted(dict.fromkeys(present.tolist()), key=lambda label: (type(label).__name__, str(label)))
            labels = cls(object_array(mixed))
            codes[has_label] = labels.codes(present.tolist(), "labels")
        else:
            distinct, inverse = np.unique(present, return_inverse=True)
            labels = cls(distinct)
            codes[has_label] = inverse.ravel()
        return labels, codes

    def __len__(self) -> int:
        return len(self.values)

    def codes(self, values: Sequence[Any], name: str) -> NDArray[np.int32]:
        """Return the code of each label.

        Parameters
        ----------
        values : sequence of m labels
            Labels that occur in ``self.values``; any other raises an error.
        name : str
            Name of the caller's parameter, for error messages.

        Returns
        -------
        int array of shape (m,)
            Codes 0, …, B − 1.
        """
        code_of = {label: code for code, label in enumerate(self.values.tolist())}
        unknown = [label for label in values if label not in code_of]
        if unknown:
            raise InvalidParameterError(
                f"{name}: no node of the graph has the label {unknown[0]!r}; "
                f"the labels are {', '.join(map(repr, self.values[:5].tolist()))}{', …' if len(self) > 5 else ''}."
            )
        return np.array([code_of[label] for label in values], dtype=np.int32)


@dataclass(frozen=True)
class Bins:
    """Intervals that divide the real line, with codes 0, …, B − 1.

    Attributes
    ----------
    borders : array of shape (B − 1,)
        Increasing borders; each belongs to the bin above it.

    Examples
    --------
    >>> Bins(np.array([2.0, 5.0])).codes([1.0, 2.0, 9.0])
    array([0, 1, 2], dtype=int32)
    """

    borders: NDArray[np.float64]

    @classmethod
    def distinct(cls, values: NDArray[np.float64]) -> "Bins":
        """Return one bin per distinct value.

        Parameters
        ----------
        values : array of shape (N,)
            Numbers, in any order.

        Returns
        -------
        Bins
            Bins with borders halfway between consecutive values.
        """
        distinct = np.unique(values)
        return cls((distinct[1:] + distinct[:-1]) / 2)

    @classmethod
    def equal_counts(cls, values: NDArray[np.float64], n_bins: int) -> "Bins":
        """Return bins that contain about the same number of values each.

        Parameters
        ----------
        values : array of shape (N,)
            Numbers, in any order.
        n_bins : int
            Maximum number of bins; equal values share a bin, so there may be fewer.

        Returns
        -------
        Bins
            Bins with borders near the quantiles of the values.
        """
        distinct = np.unique(values)
        quantiles = np.quantile(values, np.linspace(0, 1, n_bins + 1)[1:-1])
        upper = np.unique(np.searchsorted(distinct, quantiles, side="left"))
        upper = upper[(upper > 0) & (upper < len(distinct))]
        # Borders halfway between values, so that rounding moves no value across a border.
        return cls((distinct[upper - 1] + distinct[upper]) / 2)

    def __len__(self) -> int:
        return len(self.borders) + 1

    def codes(self, values: ArrayLike) -> NDArray[np.int32]:
        """Return the bin of each number.

        Parameters
        ----------
        values : array of m numbers
            Numbers beyond the outer borders belong to the first or last bin.

        Returns
        -------
        int array of shape (m,)
            Codes 0, …, B − 1.
        """
        return np.searchsorted(self.borders, np.asarray(values, dtype=np.float64), side="right").astype(np.int32)
