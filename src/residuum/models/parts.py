"""Parts of a fitted model as JSON values and arrays, without pickle.

Only the classes listed here are written and read, each by the arguments of its constructor, so that a file can neither
name other code nor run any.
"""

import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum.errors import InvalidParameterError
from residuum.graph import Bins, Graph, Labels
from residuum.nulls import BlockForm, BlockNull
from residuum.nulls.bipartite import Sides
from residuum.nulls.degree_correlated import DirectedGroups
from residuum.nulls.grouping import BinGroups, LabelGroups, ProductGroups, StrengthGroups
from residuum.nulls.spatial import Places
from residuum.residual import (
    Cells,
    DetrendedRows,
    Erasure,
    LogisticRows,
    ProjectedRows,
    ResidualMatrix,
    Transport,
    TransportedRows,
)
from residuum.residual.affine_maps import AffineMaps
from residuum.residual.erasure import ConstantValue, LabelColumns, LogStrength, NullGroups, NumberColumns, Part
from residuum.residual.marginals import Marginals
from residuum.residual.trend import Trend
from residuum.walks import WindowProbabilities

__all__ = ["NotSaved", "decode", "encode"]

_KINDS: tuple[type[Any], ...] = (
    *(LogisticRows, ProjectedRows, DetrendedRows, TransportedRows, ResidualMatrix, WindowProbabilities),
    *(BlockNull, BlockForm, BinGroups, DirectedGroups, LabelGroups, Places, ProductGroups, Sides, StrengthGroups),
    *(Erasure, Part, LabelColumns, NumberColumns, ConstantValue, LogStrength, NullGroups, Labels, Bins),
    *(Transport, Cells, AffineMaps, Marginals, Trend),
)
_KIND_OF_NAME = {kind.__name__: kind for kind in _KINDS}
_PLAIN = (str, bool, int, float, type(None))


class NotSaved:
    """Stands for a parameter of a loaded model that is not saved: an object of the user.

    Parameters
    ----------
    description : str
        Representation of the object.
    """

    def __init__(self, description: str) -> None:
        self.description = description

    def __repr__(self) -> str:
        return self.description


def _arguments(kind: type[Any]) -> tuple[str, ...]:
    return tuple(inspect.signature(kind).parameters)


def encode(value: Any, graph: Graph, arrays: dict[str, NDArray[Any]]) -> Any:
    """Return a value as JSON values; its arrays are added to a dict.

    Parameters
    ----------
    value : object
        Number, string, array, list, tuple or dict, the graph, or an object of one of the classes of a fitted model.
    graph : Graph
        The training graph, which is written separately.
    arrays : dict of str to array
        Receives the arrays by name. An array that occurs twice is stored once.

    Returns
    -------
    JSON value
        Input of :func:`decode`.

    Raises
    ------
    InvalidParameterError
        If a value has another type.

    Examples
    --------
    >>> arrays = {}
    >>> encode({"bins": Bins(np.array([1.0, 2.0]))}, Graph([[0, 1], [1, 0]]), arrays)
    {'dict': [['bins', {'class': 'Bins', 'arguments': {'borders': {'array': '0'}}}]]}
    >>> arrays["0"]
    array([1., 2.])
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, _PLAIN):
        return value
    if value is graph:
        return {"graph": True}
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return {"objects": [encode(item, graph, arrays) for item in value.tolist()]}
        name = next((name for name, array in arrays.items() if array is value), str(len(arrays)))
        arrays[name] = value
        return {"array": name}
    if isinstance(value, (list, tuple)):
        return {type(value).__name__: [encode(item, graph, arrays) for item in value]}
    if isinstance(value, Mapping):
        return {"dict": [[encode(part, graph, arrays) for part in item] for item in value.items()]}
    kind = type(value)
    if kind not in _KINDS:
        raise InvalidParameterError(
            f"an object of type {kind.__module__}.{kind.__qualname__} cannot be saved without pickle."
        )
    arguments = {name: encode(getattr(value, name), graph, arrays) for name in _arguments(kind)}
    return {"class": kind.__name__, "arguments": arguments}


def decode(code: Any, graph: Graph, arrays: Mapping[str, NDArray[Any]]) -> Any:
    """Return the value that :func:`encode` turned into JSON values.

    Parameters
    ----------
    code : JSON value
        Output of :func:`encode`.
    graph : Graph
        The training graph.
    arrays : mapping of str to array
        Arrays by name.

    Returns
    -------
    object
        The value.

    Raises
    ------
    ValueError
        If the code is damaged.

    Examples
    --------
    >>> decode({"tuple": [1, {"array": "0"}]}, Graph([[0, 1], [1, 0]]), {"0": np.zeros(2)})
    (1, array([0., 0.]))
    """
    if isinstance(code, _PLAIN):
        return code
    if not isinstance(code, dict) or set(code) not in _FORMS:
        raise ValueError(f"unknown code {str(code)[:60]!r}.")
    form = next(iter(code))
    if form == "graph":
        return graph
    if form == "array":
        return arrays[code["array"]]
    if form == "dict":
        return {decode(key, graph, arrays): decode(value, graph, arrays) for key, value in code["dict"]}
    if form in ("list", "tuple", "objects"):
        items = [decode(item, graph, arrays) for item in code[form]]
        return _object_array(items) if form == "objects" else {"list": list, "tuple": tuple}[form](items)
    kind = _KIND_OF_NAME.get(code["class"])
    if kind is None or set(code["arguments"]) != set(_arguments(kind)):
        raise ValueError(f"unknown class or arguments of {str(code['class'])[:60]!r}.")
    return kind(**{name: decode(value, graph, arrays) for name, value in code["arguments"].items()})


_FORMS = [{"graph"}, {"array"}, {"dict"}, {"list"}, {"tuple"}, {"objects"}, {"class", "arguments"}]


def _object_array(items: list[Any]) -> NDArray[Any]:
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array
