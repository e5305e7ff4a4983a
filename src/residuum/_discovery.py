"""Discovery of modules and classes in a package, so that a new null model or solver needs no registration."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

__all__ = ["classes_in", "module_names"]


def module_names(package: str) -> list[str]:
    """Return the names of the public modules and subpackages of a package.

    Parameters
    ----------
    package : str
        Full name of the package, for example ``"residuum.nulls"``.

    Returns
    -------
    list of str
        Names without the package, sorted; names with a leading underscore are excluded.

    Examples
    --------
    >>> "configuration" in module_names("residuum.nulls")
    True
    """
    path = importlib.import_module(package).__path__
    return [module.name for module in pkgutil.iter_modules(path) if not module.name.startswith("_")]


def classes_in(package: str, attribute: str) -> Iterator[Any]:
    """Yield the classes of a package that define an attribute in their own body.

    Parameters
    ----------
    package : str
        Full name of the package; its public modules are imported.
    attribute : str
        Name of the class attribute, for example ``"removes"``. Inherited attributes do not count.

    Yields
    ------
    type
        Each class, in the module that defines it.

    Examples
    --------
    >>> "Configuration" in [kind.__name__ for kind in classes_in("residuum.nulls", "removes")]
    True
    """
    for name in module_names(package):
        module = importlib.import_module(f"{package}.{name}")
        for kind in vars(module).values():
            if isinstance(kind, type) and kind.__module__ == module.__name__ and attribute in vars(kind):
                yield kind
