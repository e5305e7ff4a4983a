"""Public docstrings are complete numpydoc."""

import dataclasses
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import pytest
from numpydoc.validate import validate

import residuum

# Left out: a docstring starts on the line of its quotes (GL01, GL02); an extended summary and See Also are not always
# needed (ES01, SA01); the paper's symbols have no capital letter (PR08); the order of sections is ruff's concern.
CHECKED = {
    "GL03": "double blank line",
    "GL06": "unknown section",
    "GL08": "no docstring",
    "SS03": "summary without a period",
    "SS06": "summary of several lines",
    "PR01": "parameters that are not documented",
    "PR02": "documented parameters that do not exist",
    "PR03": "parameters in another order",
    "PR04": "parameter without a type",
    "PR07": "parameter without a description",
    "PR09": "description without a period",
    "PR10": "type without a space before the colon",
    "RT01": "no Returns section",
    "RT03": "return value without a description",
    "RT05": "description of the return value without a period",
    "YD01": "no Yields section",
}
# Classes and functions, but not each method, need an example.
NO_EXAMPLE = "EX01"


def rooms() -> Iterator[Any]:
    yield residuum
    for module in pkgutil.iter_modules(residuum.__path__):
        if not module.name.startswith("_") and module.name != "cli":
            yield importlib.import_module(f"residuum.{module.name}")


def public_objects() -> dict[str, Any]:
    """Return everything that the rooms export, and the public methods of its classes, by qualified name."""
    found: dict[str, Any] = {}
    for room in rooms():
        for name in room.__all__:
            thing = getattr(room, name)
            if callable(thing) and thing.__module__.startswith("residuum"):
                found[f"{thing.__module__}.{thing.__qualname__}"] = thing
                if inspect.isclass(thing):
                    found.update(public_methods(thing))
    return found


def public_methods(kind: type) -> dict[str, Any]:
    return {
        f"{kind.__module__}.{kind.__qualname__}.{name}": getattr(kind, name)
        for name, member in vars(kind).items()
        if not name.startswith("_") and (inspect.isroutine(member) or isinstance(member, (property, classmethod)))
    }


PUBLIC = public_objects()


def inherits_docstring(name: str) -> bool:
    """Whether a method has one line because a base class documents it."""
    owner, _, method = name.rpartition(".")
    kind = PUBLIC.get(owner)
    return inspect.isclass(kind) and any(method in vars(base) for base in kind.__mro__[1:-1])


def is_expected(name: str, code: str) -> bool:
    """Whether a finding is a rule that this object need not follow."""
    thing = PUBLIC[name]
    if dataclasses.is_dataclass(thing) and code == "PR01":
        return "Attributes\n" in (thing.__doc__ or "")
    if getattr(thing, "_is_protocol", False) and code == "PR01":
        return True  # a protocol has no constructor
    if code in {"PR01", "RT01", "RT03"} and inherits_docstring(name):
        return True
    if inspect.isclass(thing) and (
        issubclass(thing, Exception) or inspect.isabstract(thing) or getattr(thing, "_is_protocol", False)
    ):
        return code == NO_EXAMPLE
    return code == "RT03" and "\n        self\n" in (getattr(thing, "__doc__", "") or "")


@pytest.mark.parametrize("name", PUBLIC)
def test_complete(name: str):
    wanted = set(CHECKED)
    if not isinstance(PUBLIC[name], (property, cached_property)) and "." not in PUBLIC[name].__qualname__:
        wanted.add(NO_EXAMPLE)
    findings = validate(name)["errors"]
    assert [f"{code} {text}" for code, text in findings if code in wanted and not is_expected(name, code)] == []
