"""Node ids as integers and Python objects."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["id_array", "python_value"]


def python_value(value: Any) -> Any:
    """Return a numpy scalar as the Python object it stands for, and any other object unchanged.

    Parameters
    ----------
    value : object
        For example a node id; time stamps are not changed.

    Returns
    -------
    object
        The value, which prints as ``7`` instead of ``np.int64(7)``.

    Examples
    --------
    >>> python_value(np.int64(7)), python_value("a")
    (7, 'a')
    """
    return value.item() if isinstance(value, np.generic) and value.dtype.kind not in "mM" else value


def id_array(ids: Any) -> NDArray[Any]:
    """Return node ids as an array of integers, or of Python objects if they are not all integers.

    Parameters
    ----------
    ids : sequence or array of N node ids
        Lists among them become tuples, and numpy scalars Python objects.

    Returns
    -------
    int or object array of shape (N,)
        The ids, in the same order.

    Examples
    --------
    >>> id_array([np.int64(7), "a"]).tolist()
    [7, 'a']
    """
    if isinstance(ids, np.ndarray) and ids.dtype.kind in "iu":
        return ids
    values = [python_value(value) for value in (ids.tolist() if isinstance(ids, np.ndarray) else ids)]
    if all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        return np.asarray(values)
    objects = np.empty(len(values), dtype=object)
    objects[:] = [tuple(value) if isinstance(value, list) else value for value in values]
    return objects
