import importlib
import itertools
import subprocess
import sys

import pytest

import residuum
from residuum._lazy import lazy_exports

NUMBERS = itertools.count()


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return a package that exports a class, a function and a subpackage lazily."""
    name = f"lazy{next(NUMBERS)}"
    folder = tmp_path / name
    (folder / "nested").mkdir(parents=True)
    files = {
        "__init__.py": "from typing import TYPE_CHECKING\nfrom residuum._lazy import lazy_exports\n"
        f"if TYPE_CHECKING:\n    from {name} import nested\n    from {name}.walker import Walker, walk\n"
        "else:\n    __getattr__, __dir__ = lazy_exports(__name__)\n"
        "__all__ = ['Walker', 'nested', 'walk']\n",
        "walker.py": "class Walker:\n    pass\n\ndef walk():\n    return 'step'\n",
        "nested/__init__.py": "depth = 1\n",
    }
    for file, text in files.items():
        (folder / file).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    return importlib.import_module(name)


def test_a_module_is_imported_when_one_of_its_names_is_used(package):
    module = f"{package.__name__}.walker"
    assert module not in sys.modules
    assert package.walk() == "step"
    assert package.Walker is sys.modules[module].Walker


def test_a_name_is_looked_up_once(package):
    walker = package.Walker
    assert vars(package)["Walker"] is walker


def test_subpackages_and_public_modules_are_imported_by_their_names(package):
    assert package.nested.depth == 1
    assert package.walker.walk is package.walk


def test_star_imports_and_dir_list_the_public_names(package):
    names: dict[str, object] = {}
    exec(f"from {package.__name__} import *", names)
    assert {"Walker", "nested", "walk"} <= set(names)
    assert dir(package) == ["Walker", "nested", "walk"]


def test_an_unknown_name_raises_an_attribute_error(package):
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'runner'"):
        _ = package.runner
    with pytest.raises(ImportError, match="cannot import name 'runner'"):
        exec(f"from {package.__name__} import runner")


def test_names_of_the_type_checking_block_are_those_of_the_package():
    get_name, names = lazy_exports("residuum")
    assert names() == residuum.__all__
    assert get_name("Graph") is residuum.Graph


def test_importing_residuum_imports_no_other_library():
    script = "import sys, residuum; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout.split()
    assert not {"click", "numba", "numpy", "pyarrow", "scipy", "sklearn"} & set(modules)
