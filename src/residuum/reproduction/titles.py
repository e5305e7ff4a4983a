"""Names and titles of the targets, read without importing them, which would be slow."""

import ast
import importlib.util
from pathlib import Path

from residuum._discovery import module_names

__all__ = ["target_titles"]

_ROOM = "residuum.reproduction.targets"


def target_titles() -> dict[str, str]:
    """Return the title of each target: the second argument of ``TARGET = Target(name, title, ...)`` in its module.

    Returns
    -------
    dict of str to str
        Titles by name.

    Examples
    --------
    >>> target_titles()["figure-1"]
    'Figure 1: random walkers prefer hubs'
    """
    spec = importlib.util.find_spec(_ROOM)
    assert spec is not None
    folder = Path(str(spec.origin)).parent
    return dict(_name_and_title(folder / f"{name}.py") for name in module_names(_ROOM))


def _name_and_title(file: Path) -> tuple[str, str]:
    for line in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "TARGET":
            assert isinstance(line.value, ast.Call)
            name, title = (ast.literal_eval(argument) for argument in line.value.args[:2])
            return name, title
    raise AssertionError(f"{file} has no TARGET.")
