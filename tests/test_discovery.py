import itertools
from pathlib import Path

import pytest

import residuum.nulls
from residuum._discovery import classes_in, module_names

NUMBERS = itertools.count()


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return the name of a small package: two public modules, a private one and a subpackage."""
    name = f"family{next(NUMBERS)}"
    folder = tmp_path / name
    (folder / "nested").mkdir(parents=True)
    files = {
        "__init__.py": "",
        "walker.py": "class Walker:\n    label = 'w'\n\nclass Plain:\n    pass\n\nlabel = Walker()\n",
        "runner.py": f"from {name}.walker import Walker\n\nclass Runner(Walker):\n    label = 'r'\n\n"
        "class Heir(Walker):\n    pass\n",
        "_hidden.py": "class Hidden:\n    label = 'h'\n",
        "nested/__init__.py": "class Nested:\n    label = None\n",
    }
    for file, text in files.items():
        (folder / file).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    return name


def test_public_modules_and_subpackages_are_listed_in_order(package):
    assert module_names(package) == ["nested", "runner", "walker"]


def test_the_modules_of_a_room_are_its_files():
    files = Path(residuum.nulls.__file__).parent.glob("*.py")
    assert module_names("residuum.nulls") == sorted(file.stem for file in files if not file.stem.startswith("_"))


def test_classes_that_define_the_attribute_themselves_are_listed_once(package):
    assert [kind.__name__ for kind in classes_in(package, "label")] == ["Nested", "Runner", "Walker"]


def test_without_a_class_that_has_the_attribute_nothing_is_listed(package):
    assert list(classes_in(package, "missing")) == []


def test_a_package_that_does_not_exist_raises():
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        module_names("no_such_package")
