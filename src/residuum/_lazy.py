"""Names of a package that are imported on first use, so that a package is cheap to import."""

import ast
import importlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["lazy_exports"]


def lazy_exports(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package (PEP 562) that import its public names on first use.

    The names and their modules are those of the imports in the block ``if TYPE_CHECKING:`` of ``__init__.py``. They are
    written once, type checkers read them as they stand, and the ``else:`` block calls this function. Public modules of
    the package are imported by their names as well.

    Parameters
    ----------
    package : str
        Full name of the package, whose ``__init__.py`` defines ``__all__``.

    Returns
    -------
    __getattr__, __dir__ : callables
        Functions to define in the package.

    Examples
    --------
    >>> get_name, names = lazy_exports("residuum")
    >>> get_name("Graph")
    <class 'residuum.graph.graph.Graph'>
    >>> "Graph" in names()
    True
    """
    homes = _homes(package)

    def get_name(name: str) -> Any:
        if homes.get(name, package) != package:
            value = getattr(importlib.import_module(homes[name]), name)
        elif not name.startswith("_") and importlib.util.find_spec(f"{package}.{name}"):
            value = importlib.import_module(f"{package}.{name}")
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return list(sys.modules[package].__all__)

    return get_name, names


def _homes(package: str) -> dict[str, str]:
    """Return the module of each name that the block ``if TYPE_CHECKING:`` of a package imports."""
    source = Path(str(sys.modules[package].__file__)).read_text(encoding="utf-8")
    blocks = [
        node
        for node in ast.parse(source).body
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    ]
    imports = [line for block in blocks for line in block.body if isinstance(line, ast.ImportFrom)]
    return {alias.name: str(line.module) for line in imports for alias in line.names}
