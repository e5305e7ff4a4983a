"""What is known of nodes: labels and numbers, one for each vector, some of them missing."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum.errors import InvalidParameterError

__all__ = ["is_known", "values_of"]


def values_of(vectors: NDArray[np.float64], values: ArrayLike, name: str) -> NDArray[Any]:
    """Return values as an array, one for each row of ``vectors``.

    Parameters
    ----------
    vectors : array of shape (N, K)
    values : array of shape (N,)
    name : str
        What the parameter is called.

    Examples
    --------
    >>> values_of(np.ones((2, 3)), ["a", "b"], "labels").tolist()
    ['a', 'b']
    """
    array = np.asarray(values)
    if array.shape != (len(vectors),):
        raise InvalidParameterError(
            f"{name} must have one value for each of the {len(vectors)} vectors, in their order; "
            f"got {len(array) if array.ndim == 1 else f'shape {array.shape}'}."
        )
    return array


def is_known(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which values are there: None, NaN, infinite numbers and empty texts are missing.

    Parameters
    ----------
    values : array of shape (N,)

    Examples
    --------
    >>> is_known(np.array(["a", "", None, float("nan"), 0], dtype=object)).tolist()
    [True, False, False, False, True]
    """
    if values.dtype.kind == "f":
        return np.asarray(np.isfinite(values))
    if values.dtype.kind in "OU":
        return np.array([not (one is None or one != one or one == "") for one in values.tolist()], dtype=np.bool_)
    return np.ones(values.shape, dtype=np.bool_)
