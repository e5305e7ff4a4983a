"""What all classes and functions of the mathematical rooms have in common."""

import ast
import contextlib
import dataclasses
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from typing import Any

import residuum

ROOMS = ("nulls", "walks", "residual", "solvers")
# What is assembled step by step; everything else is not changed once it is made.
CHANGEABLE = {
    "residuum.residual.krylov_spaces._Ritz",
    "residuum.residual.linalg.Factors",
    "residuum.solvers.guard._Share",
    "residuum.solvers.training.SkipGramVectors",
}
# What a new null model, solver or solution has to define.
ABSTRACT = {
    "residuum.nulls.base.FittedNull": {"log_probability", "sample"},
    "residuum.residual.left_out_ends.EdgeEnds": {
        *("coordinates", "energy", "is_edge", "quotients", "sample", "vectors"),
    },
    "residuum.solvers.base.MeasuredSolver": {"bytes", "features", "solve"},
    "residuum.solvers.base.Solver": {"bytes", "seconds", "solve"},
    "residuum.solvers.sketch.SampledColumns": {"at", "grow"},
    "residuum.solvers.solution.Solution": {"out_of_sample", "vectors"},
}
_DEFAULT = re.compile(r"^\s*(?P<names>\w+(?:, \w+)*) : .*\bdefault (?P<value>[^\n]+)$", re.MULTILINE)


def modules() -> Iterator[Any]:
    for room in ROOMS:
        for found in pkgutil.iter_modules([f"{residuum.__path__[0]}/{room}"], f"residuum.{room}."):
            yield importlib.import_module(found.name)


def classes() -> dict[str, type]:
    """Return the classes by module and name."""
    return {
        f"{module.__name__}.{kind.__qualname__}": kind
        for module in modules()
        for kind in vars(module).values()
        if inspect.isclass(kind) and kind.__module__ == module.__name__
    }


def functions() -> dict[str, Callable[..., Any]]:
    """Return the functions and methods of the rooms by module and name."""
    found = {
        f"{module.__name__}.{name}": thing
        for module in modules()
        for name, thing in vars(module).items()
        if inspect.isfunction(thing) and thing.__module__ == module.__name__
    }
    for name, kind in classes().items():
        for method, member in vars(kind).items():
            thing = getattr(member, "__func__", member)
            if inspect.isfunction(thing) and thing.__module__ == kind.__module__:
                found[f"{name}.{method}"] = thing
    return found


CLASSES, FUNCTIONS = classes(), functions()


def documented_defaults() -> Iterator[tuple[str, str, Any, Any]]:
    """Return object, parameter, and the default in the docstring and in the signature, where the former is a value."""
    for name, thing in (CLASSES | FUNCTIONS).items():
        for found in _DEFAULT.finditer(inspect.getdoc(thing) or ""):
            parameters = inspect.signature(thing).parameters
            with contextlib.suppress(ValueError, SyntaxError):  # a description, such as "all nodes"
                value = ast.literal_eval(found["value"])
                for parameter in found["names"].split(", "):
                    yield name, parameter, value, parameters[parameter].default


def test_defaults_are_those_of_the_docstrings() -> None:
    found = list(documented_defaults())
    assert len(found) > 15
    assert [row for row in found if row[2] != row[3] or isinstance(row[2], bool) != isinstance(row[3], bool)] == []


def test_dataclasses_are_frozen() -> None:
    changeable = {
        name
        for name, kind in CLASSES.items()
        if dataclasses.is_dataclass(kind) and not kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    }
    assert changeable == CHANGEABLE


def test_every_parameter_can_be_given_by_name() -> None:
    parameters = ((name, inspect.signature(thing).parameters.values()) for name, thing in FUNCTIONS.items())
    assert [name for name, given in parameters if any(each.kind is each.POSITIONAL_ONLY for each in given)] == []


def test_what_a_new_class_has_to_define() -> None:
    abstract = {name: set(kind.__abstractmethods__) for name, kind in CLASSES.items() if inspect.isabstract(kind)}
    assert abstract == ABSTRACT
