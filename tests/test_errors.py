import re

import pytest

from residuum import errors


def test_the_tree_in_the_docstring_has_exactly_the_exported_errors() -> None:
    assert set(re.findall(r"\b\w+(?:Error|Warning)(?=\s{2,}|$)", errors.__doc__ or "", re.MULTILINE)) == {
        name for name, thing in vars(errors).items() if isinstance(thing, type)
    }
    assert set(errors.__all__) == {name for name, thing in vars(errors).items() if isinstance(thing, type)}


@pytest.mark.parametrize("name", [name for name in errors.__all__ if name != "ResiduumWarning"])
def test_every_error_has_the_base_classes_shown_in_the_tree(name: str) -> None:
    line = next(line for line in (errors.__doc__ or "").splitlines() if re.search(rf"\b{name}\b", line))
    error = getattr(errors, name)
    assert issubclass(error, errors.ResiduumError)
    also = re.search(r"\(also (\w+)\)", line)
    builtin = {parent.__name__ for parent in error.__mro__} & {"ValueError", "KeyError", "MemoryError", "ImportError"}
    inherited = {"ValueError"} if name == "GraphFileError" else set()
    assert builtin == ({also[1]} if also else inherited)


def test_the_message_of_an_unknown_node_has_no_quotes() -> None:
    assert str(errors.UnknownNodeError("node 1 is unknown.")) == "node 1 is unknown."
