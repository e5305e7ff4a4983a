"""What is known of nodes: labels and numbers, one for each vector, some of them missing."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._validation import check_choice
from residuum.embedding import Embedding
from residuum.errors import InvalidParameterError
from residuum.evaluation.vectors import Vectors
from residuum.graph import Graph

__all__ = ["Kind", "Values", "codes_of", "is_known", "of_kind", "values_of"]

Values = ArrayLike | Mapping[Any, Any]
Kind = Literal["number", "label"]


def values_of(vectors: Vectors, values: Values, name: str, graph: Graph | None = None) -> NDArray[Any]:
    """Return values as an array, one for each row of ``vectors``.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
    values : array of shape (N,), or mapping of node id to value
        An array is in the order of the rows. A mapping needs to know whose the rows are, by an embedding or the graph.
    name : str
        What the parameter is called.
    graph : Graph, optional
        If rows were put in the order of its nodes.

    Examples
    --------
    >>> values_of(np.ones((2, 3)), ["a", "b"], "labels").tolist()
    ['a', 'b']
    >>> values_of(Embedding([7, 5], np.ones((2, 3))), {5: "a", 7: "b"}, "labels").tolist()
    ['b', 'a']
    """
    if isinstance(values, Mapping):
        values = _by_id(vectors, values, name, graph)
    array: NDArray[Any] = np.asarray(values)
    n_rows = len(vectors) if graph is None else graph.n_nodes  # type: ignore[arg-type]  # checked by as_vectors
    if array.shape != (n_rows,):
        raise InvalidParameterError(
            f"{name} must have one value for each of the {n_rows} vectors, in their order; "
            f"got {len(array) if array.ndim == 1 else f'shape {array.shape}'}."
        )
    if array.dtype.kind == "U" and isinstance(values, (list, tuple)):
        # In a list of texts NumPy makes the text "nan" of NaN.
        return np.where(is_known(np.array(values, dtype=object)), array, "")
    return array


def _by_id(vectors: Vectors, values: Mapping[Any, Any], name: str, graph: Graph | None) -> list[Any]:
    if graph is None and not isinstance(vectors, Embedding):
        raise InvalidParameterError(
            f"{name} must be an array in the order of the vectors where these are one; got a mapping. "
            "Give an Embedding, whose vectors have ids, to look values up by node."
        )
    ids: list[Any] = (graph.node_ids if graph is not None else vectors.ids).tolist()  # type: ignore[union-attr]
    absent = [one for one in ids if one not in values]
    if absent:
        raise InvalidParameterError(
            f"{name} must have a value for each of the {len(ids)} nodes; {len(absent)} are not in it, such as "
            f"{absent[0]!r}. Give NaN for a number that is missing, None for a label."
        )
    return [values[one] for one in ids]


def of_kind(values: NDArray[Any], kind: Kind | None, name: str) -> tuple[NDArray[Any], bool]:
    """Return values as numbers or as labels, and whether they are numbers.

    Parameters
    ----------
    values : array of shape (N,)
    kind : {"number", "label"}, optional
        By default floating-point numbers are numbers and anything else is a label, whole numbers too.
    name : str
        What the parameter is called.

    Examples
    --------
    >>> of_kind(np.array([1999, 2001]), "number", "attribute")
    (array([1999., 2001.]), True)
    >>> of_kind(np.array([1999, 2001]), None, "attribute")
    (array([1999, 2001]), False)
    """
    if kind is None:
        return values, values.dtype.kind == "f"
    if check_choice("kind", kind, ("number", "label")) == "label":
        return values, False
    try:
        return values.astype(np.float64), True
    except (TypeError, ValueError) as error:
        raise InvalidParameterError(f"{name} must be numbers, or kind be 'label': {error}.") from error


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


def codes_of(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the G different values that are there, in order, and the place of each node's among them.

    The place is −1 where :func:`is_known` says that a value is missing. Shapes (G,) and (N,).

    Parameters
    ----------
    values : array of shape (N,)

    Examples
    --------
    >>> names, codes = codes_of(np.array(["b", "", "a", "b"]))
    >>> names.tolist(), codes.tolist()
    (['a', 'b'], [1, -1, 0, 1])
    """
    known = is_known(values)
    names, places = np.unique(values[known], return_inverse=True)
    codes = np.full(len(values), -1, dtype=np.int64)
    codes[known] = places.ravel()
    return names, codes
