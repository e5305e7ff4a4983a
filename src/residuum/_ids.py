"""Node ids as integers and Python objects."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum.errors import InvalidParameterError

__all__ = ["id_array", "python_value"]

# numpy would turn larger integers into floats, and two ids into one.
_SMALLEST, _LARGEST = -(2**63), 2**63 - 1


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

    Raises
    ------
    InvalidParameterError
        If there is no sequence of ids, or an id is not hashable.

    Examples
    --------
    >>> id_array([np.int64(7), "a"]).tolist()
    [7, 'a']
    """
    if not isinstance(ids, Iterable) or (isinstance(ids, np.ndarray) and ids.ndim == 0):
        raise InvalidParameterError(f"node ids must be a sequence with one id per node; got {ids!r}.")
    if isinstance(ids, np.ndarray) and ids.dtype.kind in "iu":
        return ids
    values = [python_value(value) for value in (ids.tolist() if isinstance(ids, np.ndarray) else ids)]
    if all(type(value) is int and _SMALLEST <= value <= _LARGEST for value in values):
        return np.asarray(values)
    objects = np.empty(len(values), dtype=object)
    objects[:] = [tuple(value) if isinstance(value, list) else value for value in values]
    unhashable = next((value for value in objects.tolist() if not _is_hashable(value)), None)
    if unhashable is not None:
        raise InvalidParameterError(
            f"node ids must be hashable, such as numbers, strings and tuples of these; got {unhashable!r}."
        )
    return objects


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
