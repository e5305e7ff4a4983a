"""The options that say what to remove, and the null model and erasure that they make."""

import math
from pathlib import Path
from typing import Any

from residuum import nulls
from residuum.errors import InvalidParameterError
from residuum.graph import Graph, read_node_column

__all__ = ["attribute", "erasure_from_options", "null_model_from_options"]


def null_model_from_options(
    graph: Graph,
    *,
    null_name: str | None,
    gamma: float | str | None,
    groups: tuple[str, ...],
    time: str | None,
    coordinates: str | None,
) -> nulls.NullModel:
    """Return the null model; groups, times and several of them at once make a product."""
    if null_name is None:
        null_name = _implied(groups, time, coordinates)
    if gamma is not None and null_name != "configuration":
        raise InvalidParameterError(f"--gamma is for the configuration null; got --null {null_name}.")
    if coordinates is not None or null_name == "spatial":
        return _spatial(graph, null_name, groups, time, coordinates)
    return _product(_factors(graph, null_name, gamma, groups, time))


def _implied(groups: tuple[str, ...], time: str | None, coordinates: str | None) -> str:
    if coordinates is not None:
        return "spatial"
    return "temporal" if time is not None else "dcsbm" if groups else "configuration"


def _factors(
    graph: Graph, name: str, gamma: float | str | None, groups: tuple[str, ...], time: str | None
) -> list[nulls.NullModel]:
    labels = [attribute(graph, text, "--groups") for text in groups]
    if name in {"dcsbm", "multilayer", "bipartite"} and labels:
        factors = [nulls.null_model_from_name(name, **{_LABEL_PARAMETER[name]: labels[0]})]
        labels = labels[1:]
    elif name == "temporal":
        times = None if time is None else attribute(graph, time, "--time")
        factors, time = [nulls.null_model_from_name(name, times=times)], None
    elif gamma is not None:
        factors = [nulls.null_model_from_name(name, exponent=gamma)]
    else:
        factors = [nulls.null_model_from_name(name)]
    factors += [nulls.DegreeCorrectedSBM(groups=label) for label in labels]
    if time is not None:
        factors.append(nulls.Temporal(times=attribute(graph, time, "--time")))
    return factors


_LABEL_PARAMETER = {"dcsbm": "groups", "multilayer": "layers", "bipartite": "sides"}


def _product(factors: list[nulls.NullModel]) -> nulls.NullModel:
    product = factors[0]
    for factor in factors[1:]:
        if not isinstance(product, nulls.GroupedNull) or not isinstance(factor, nulls.GroupedNull):
            raise InvalidParameterError(
                f"--groups and --time go with null models that are made of groups, not with {product!r}; "
                "leave --null out, or take degree-correlated, dcsbm or temporal."
            )
        product = product * factor
    return product


def _spatial(
    graph: Graph, name: str, groups: tuple[str, ...], time: str | None, coordinates: str | None
) -> nulls.NullModel:
    if name != "spatial" or groups or time is not None:
        raise InvalidParameterError("--coordinates are for --null spatial, which takes no --groups and no --time.")
    if coordinates is None:
        return nulls.Spatial()
    file, _, names = coordinates.rpartition(":")
    axes = names.split(",")
    if len(axes) != 2:
        raise InvalidParameterError(f"--coordinates must be FILE:X,Y or FILE:LAT,LON; got {coordinates!r}.")
    given = [attribute(graph, f"{file}:{axis}" if file else axis, "--coordinates") for axis in axes]
    pairs = given if isinstance(given[0], str) else {k: (given[0][k], given[1][k]) for k in given[0] if k in given[1]}
    on_earth = axes[0].lower().startswith("lat")
    return nulls.Spatial(pairs, metric="great-circle" if on_earth else "euclidean")


_ERASED_BY_NAME = ("degree", "null")


def erasure_from_options(graph: Graph, erase: tuple[str, ...]) -> dict[str, Any] | None:
    """Return what to erase, by the name of its column; by its whole text where that name is taken already."""
    found: dict[str, Any] = {}
    words = {text for text in erase if text in _ERASED_BY_NAME}
    for text in dict.fromkeys(erase):
        name = text.rpartition(":")[2]
        if text in words:
            found[text] = text
        else:
            found[text if name in found or name in words else name] = attribute(graph, text, "--erase")
    return found or None


def attribute(graph: Graph, text: str, option: str, *, complete: bool = True) -> Any:
    """Return a column of a file, keyed by node id, or the name of a node attribute.

    Parameters
    ----------
    graph : Graph
    text : str
        What the user wrote.
    option : str
        Where, for the messages.
    complete : bool
        Whether a node without a value is refused.
    """
    if text in graph.node_attributes:
        values = dict(zip(graph.node_ids.tolist(), graph.node_attributes[text].tolist(), strict=True))
        given: Any = text
    else:
        file, _, column = text.rpartition(":")
        if not file or not column:
            raise InvalidParameterError(
                f"{option} must be FILE:COLUMN, or one of the graph's node attributes "
                f"({', '.join(graph.node_attributes) or 'it has none'}); got {text!r}."
            )
        given = values = read_node_column(Path(file), column, graph)
    if complete:
        _require_values(graph, values, f"{option} {text}")
    return given


def _require_values(graph: Graph, values: dict[Any, Any], what: str) -> None:
    missing = [node for node in graph.node_ids.tolist() if node in values and _is_missing(values[node])]
    if missing:
        raise InvalidParameterError(
            f"{what}: node {missing[0]!r} has no value ({len(missing)} such in all). "
            "Fill them; a label may be one of its own, such as 'unknown'."
        )


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))
