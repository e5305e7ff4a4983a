"""Null model and erasure, built from the options that name node attributes."""

from typing import TYPE_CHECKING, Any

from residuum._validation import check_choice
from residuum.cli.attribute_options import AttributeReader
from residuum.errors import InvalidParameterError

if TYPE_CHECKING:
    from residuum import nulls

__all__ = ["ERASED_BY_NAME", "coordinates_of", "erasure_from_options", "null_model_from_options"]

ERASED_BY_NAME = ("degree", "null")


def null_model_from_options(
    reader: AttributeReader,
    *,
    null_name: str | None,
    gamma: float | None,
    groups: tuple[str, ...],
    time: str | None,
    coordinates: str | None,
) -> "nulls.NullModel":
    """Return the null model; several attributes make a product of null models.

    Parameters
    ----------
    reader : AttributeReader
        Reads the attributes of the nodes.
    null_name : str or None
        Value of ``--null``. None means the null model that the attributes imply.
    gamma : float or None
        Value of ``--gamma``. None means the default of the null model.
    groups : tuple of str
        Values of ``--groups``, unparsed.
    time : str or None
        Value of ``--time``, unparsed.
    coordinates : str or None
        Value of ``--coordinates``, unparsed.

    Returns
    -------
    NullModel
        Null model, not fitted.
    """
    from residuum import nulls

    name = check_choice("--null", null_name or _implied_name(groups, time, coordinates), nulls.null_model_names())
    accepted = getattr(nulls.null_model_class(name), "options", {})
    if gamma is not None and "gamma" not in accepted:
        raise InvalidParameterError(f"--gamma is for the configuration null model; got --null {name}.")
    if coordinates is not None and "coordinates" not in accepted:
        raise InvalidParameterError(
            f"--coordinates needs --null spatial, without --groups and --time; got --null {name}."
        )
    parameters: dict[str, Any] = {}
    labels = [reader.labels(text, "--groups") for text in groups]
    if "gamma" in accepted and gamma is not None:
        parameters[accepted["gamma"]] = gamma
    if "coordinates" in accepted:
        if groups or time is not None:
            raise InvalidParameterError("--null spatial does not accept --groups or --time; leave them out.")
        if coordinates is not None:
            parameters["coordinates"], parameters["metric"] = coordinates_of(reader, coordinates)
    if "groups" in accepted and labels:
        parameters[accepted["groups"]] = labels.pop(0)
    if "time" in accepted and time is not None:
        parameters[accepted["time"]], time = reader.numbers(time, "--time"), None
    factors = [nulls.null_model_from_name(name, **parameters)]
    factors += [nulls.DegreeCorrectedSBM(groups=label) for label in labels]
    if time is not None:
        factors.append(nulls.Temporal(times=reader.numbers(time, "--time")))
    return _product(factors)


def _implied_name(groups: tuple[str, ...], time: str | None, coordinates: str | None) -> str:
    if coordinates is not None:
        return "spatial"
    return "temporal" if time is not None else "dcsbm" if groups else "configuration"


def _product(factors: "list[nulls.NullModel]") -> "nulls.NullModel":
    from residuum import nulls

    product = factors[0]
    for factor in factors[1:]:
        if not isinstance(product, nulls.GroupedNull) or not isinstance(factor, nulls.GroupedNull):
            raise InvalidParameterError(
                f"--groups and --time need a null model with groups; got {product!r}. "
                "Leave --null out, or use degree-correlated, dcsbm or temporal."
            )
        product = product * factor
    return product


def coordinates_of(reader: AttributeReader, text: str) -> tuple[Any, str]:
    """Return the coordinates that ``--coordinates`` names, and their metric.

    Parameters
    ----------
    reader : AttributeReader
        Reads the coordinates of the nodes.
    text : str
        Value of the option: ``FILE:X,Y`` or the names of two node attributes.

    Returns
    -------
    coordinates : pair of attribute names, or dict of node id to pair
        Coordinates as the spatial null model accepts them.
    metric : str
        ``"great-circle"`` if the first name starts with "lat", else ``"euclidean"``.
    """
    file, _, names = text.rpartition(":")
    axes = names.split(",")
    if len(axes) != 2:
        raise InvalidParameterError(f"--coordinates must be FILE:X,Y or FILE:LAT,LON; got {text!r}.")
    columns = [reader.numbers(f"{file}:{axis}" if file else axis, "--coordinates") for axis in axes]
    metric = "great-circle" if axes[0].lower().startswith("lat") else "euclidean"
    if isinstance(columns[0], str):
        return columns, metric
    return {node: (columns[0][node], columns[1][node]) for node in columns[0]}, metric


def erasure_from_options(reader: AttributeReader, erase: tuple[str, ...]) -> dict[str, Any] | None:
    """Return the attributes to erase, keyed by column name.

    Parameters
    ----------
    reader : AttributeReader
        Reads the attributes of the nodes.
    erase : tuple of str
        Values of ``--erase``, unparsed.

    Returns
    -------
    dict of name to attribute, or None
        The key is the full text of the option if another attribute already has that name. None if there is nothing to
        erase.
    """
    attributes: dict[str, Any] = {}
    keywords = {text for text in erase if text in ERASED_BY_NAME}
    for text in dict.fromkeys(erase):
        name = text.rpartition(":")[2]
        if text in keywords:
            attributes[text] = text
        else:
            attributes[text if name in attributes or name in keywords else name] = reader.labels(text, "--erase")
    return attributes or None
