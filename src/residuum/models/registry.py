"""Registry of embedding methods: models and baselines, by name."""

import itertools
from collections.abc import Iterator
from functools import cache
from typing import Any

from residuum._discovery import classes_in
from residuum.errors import InvalidParameterError

__all__ = ["describe_methods", "method_from_name", "method_names"]

# Imported on first use, not with this module, because baselines import from it.
_PACKAGES = ("residuum.models", "residuum.baselines", "residuum.baselines.gnn")


def _kinds() -> Iterator[Any]:
    """Yield the estimator classes; a module is imported when its turn comes."""
    return itertools.chain.from_iterable(classes_in(package, "method_name") for package in _PACKAGES)


@cache
def _methods() -> dict[str, Any]:
    """Return the estimator classes by name, residual2vec first."""
    methods = {kind.method_name: kind for kind in _kinds()}
    return {name: methods[name] for name in sorted(methods, key=lambda name: (name != "residual2vec", name))}


def method_names() -> list[str]:
    """Return the names of all embedding methods.

    Returns
    -------
    list of str
        Names accepted by :func:`method_from_name`, residual2vec first.

    Examples
    --------
    >>> from residuum.models import method_names
    >>> method_names()[:3]
    ['residual2vec', 'crosswalk', 'deepwalk']
    """
    return list(_methods())


def describe_methods() -> dict[str, str]:
    """Return a one-line summary of each embedding method.

    Returns
    -------
    dict of str to str
        Summary by name, in the order of :func:`method_names`.

    Examples
    --------
    >>> from residuum.models import describe_methods
    >>> describe_methods()["modularity"]
    'leading eigenvectors of the modularity matrix'
    """
    return {name: kind.method_summary for name, kind in _methods().items()}


def method_from_name(name: str) -> Any:
    """Return the estimator class of an embedding method.

    Parameters
    ----------
    name : str
        One of :func:`method_names`.

    Returns
    -------
    type
        Class of the estimator.

    Raises
    ------
    InvalidParameterError
        If no method has this name.

    Examples
    --------
    >>> from residuum.models import method_from_name
    >>> method_from_name("node2vec").__name__
    'Node2Vec'
    """
    for kind in _kinds():
        if kind.method_name == name:
            return kind
    raise InvalidParameterError(f"method must be one of {', '.join(map(repr, _methods()))}; got {name!r}.")
