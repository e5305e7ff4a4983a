"""Labels and numbers of nodes, aligned with the vectors; some may be missing."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._validation import check_choice
from residuum.embedding import Embedding
from residuum.errors import InvalidParameterError
from residuum.evaluation.vectors import Vectors
from residuum.graph import Graph
from residuum.graph.attributes import require_ids, values_by_id

__all__ = ["Kind", "Values", "check_varied", "of_kind", "values_of"]

Values = ArrayLike | Mapping[Any, Any]
Kind = Literal["number", "label"]


def values_of(vectors: Vectors, values: Values, name: str, graph: Graph | None = None) -> NDArray[Any]:
    """Return one value per row of ``vectors``.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node.
    values : array of shape (N,), mapping of node id to value, or pandas Series
        An array follows the order of the rows; beside an Embedding, whose order may be another, it is refused unless
        the ids are integers in ascending order. A mapping requires the node ids of an Embedding or of ``graph``.
    name : str
        The parameter that holds the values, for error messages.
    graph : Graph, optional
        Graph whose node order the rows follow.

    Returns
    -------
    array of shape (N,)
        Values in the order of the rows.

    Examples
    --------
    >>> values_of(np.ones((2, 3)), ["a", "b"], "labels").tolist()
    ['a', 'b']
    >>> values_of(Embedding([7, 5], np.ones((2, 3))), {5: "a", 7: "b"}, "labels").tolist()
    ['b', 'a']
    """
    if isinstance(vectors, Embedding):
        ids, source = (vectors.ids, "embedding.ids") if graph is None else (graph.node_ids, "graph.node_ids")
        require_ids(ids, values, name, source)
        return values_by_id(ids.tolist(), values, name)
    if graph is not None:
        return values_by_id(graph.node_ids.tolist(), values, name)
    if isinstance(values, Mapping):
        raise InvalidParameterError(
            f"{name} must be an array in the order of the vectors if vectors is an array; got a mapping. "
            "Use an Embedding, which has node ids, to pass values by node id."
        )
    return values_by_id(range(len(np.asarray(vectors))), values, name)


def of_kind(values: NDArray[Any], kind: Kind | None, name: str) -> tuple[NDArray[Any], bool]:
    """Return values as numbers or as labels, and whether they are numbers.

    Parameters
    ----------
    values : array of shape (N,)
        Values of the nodes.
    kind : {"number", "label"}, optional
        By default floating-point values are numbers and all others, including integers, are labels.
    name : str
        The parameter that holds the values, for error messages.

    Returns
    -------
    values : array of shape (N,)
        Numbers as float64, or the labels unchanged.
    numeric : bool
        Whether the values are numbers.

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
        raise InvalidParameterError(
            f"{name} must be numbers if kind is 'number' ({error}); use kind='label' for labels."
        ) from error


def check_varied(numbers: NDArray[np.float64], name: str) -> None:
    """Raise an error unless numbers have at least two distinct values.

    Parameters
    ----------
    numbers : array of shape (N,)
        Finite numbers.
    name : str
        The parameter that holds the numbers, for the error message.

    Examples
    --------
    >>> check_varied(np.array([1.0, 2.0]), "numbers")
    """
    if len(np.unique(numbers)) < 2:
        raise InvalidParameterError(
            f"{name} must have at least two distinct values; the {len(numbers)} nodes with a number have "
            f"{np.unique(numbers).tolist()}."
        )
