"""Registry of null models by name, built in or provided by installed packages."""

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from residuum._discovery import classes_in
from residuum.errors import InvalidParameterError
from residuum.nulls.base import NullModel

__all__ = ["ENTRY_POINTS", "describe_null_models", "null_model_class", "null_model_from_name", "null_model_names"]

# Entry point group in which packages register null models.
ENTRY_POINTS = "residuum.null_models"


@cache
def _built_in() -> dict[str, Any]:
    """Return the built-in null model classes by name, the default first."""
    classes = {kind.name: kind for kind in classes_in("residuum.nulls", "removes")}
    return {name: classes[name] for name in sorted(classes, key=lambda name: (name != "configuration", name))}


def null_model_names() -> list[str]:
    """Return the names of all null models.

    Returns
    -------
    list of str
        Built-in null models, the default first, then those of installed packages.

    Examples
    --------
    >>> from residuum.nulls import null_model_names
    >>> null_model_names()[:3]
    ['configuration', 'bipartite', 'dcsbm']
    """
    return list(describe_null_models())


def describe_null_models() -> dict[str, str]:
    """Return one-line descriptions of all null models.

    Returns
    -------
    dict of str to str
        The structure that each null model removes, by name; the package and entry point for those of installed
        packages.

    Examples
    --------
    >>> from residuum.nulls import describe_null_models
    >>> describe_null_models()["temporal"]
    'degree and time (years, growth and aging)'
    """
    lines = {name: kind.removes for name, kind in _built_in().items()}
    for point in entry_points(group=ENTRY_POINTS):
        if point.name not in lines:
            lines[point.name] = f"from {point.dist.name if point.dist else 'an installed package'}: {point.value}"
    return lines


def null_model_class(name: str) -> type:
    """Return the class of a null model.

    Parameters
    ----------
    name : str
        A name from :func:`null_model_names`.

    Returns
    -------
    type
        Class that implements :class:`NullModel`.

    Raises
    ------
    InvalidParameterError
        If no null model has this name.

    Examples
    --------
    >>> from residuum.nulls import null_model_class
    >>> null_model_class("dcsbm").__name__
    'DegreeCorrectedSBM'
    """
    if name in _built_in():
        built_in: type = _built_in()[name]
        return built_in
    for point in entry_points(group=ENTRY_POINTS, name=name):
        kind: type = point.load()
        return kind
    names = ", ".join(map(repr, null_model_names()))
    raise InvalidParameterError(f"null_model must be one of {names}, or a null model object; got {name!r}.")


def null_model_from_name(name: str, **parameters: object) -> NullModel:
    """Create a null model by name.

    Parameters
    ----------
    name : str
        A name from :func:`null_model_names`.
    **parameters : object
        Parameters of the null model class.

    Returns
    -------
    NullModel
        The null model, not yet fitted.

    Examples
    --------
    >>> from residuum.nulls import null_model_from_name
    >>> null_model_from_name("configuration", exponent=0.75)
    Configuration(exponent=0.75)
    """
    model: NullModel = null_model_class(name)(**parameters)
    return model
