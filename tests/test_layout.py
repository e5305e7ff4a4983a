"""The tests mirror the modules: ``tests/nulls/test_configuration.py`` stands for ``nulls/configuration.py``."""

from pathlib import Path

import residuum

TESTS = Path(__file__).parent
PACKAGE = Path(residuum.__file__).parent
# Tests of what several modules do together, or of the repository itself.
SPANNING = {"contract", "metamorphic", "fuzzing", "statistical", "hostile", "benchmarks", "browser"}
OF_THE_REPOSITORY = {"test_docs.py", "test_docstrings.py", "test_layout.py", "test_public_names.py"}
# Modules without anything to test.
WITHOUT_TESTS = {"__init__.py", "__main__.py", "_version.py"}


def mirrored_tests() -> set[Path]:
    """Return the test file that belongs to each module."""
    modules = {file.relative_to(PACKAGE) for file in PACKAGE.rglob("*.py") if file.name not in WITHOUT_TESTS}
    return {module.with_name(f"test_{module.name.lstrip('_')}") for module in modules}


def present_tests() -> set[Path]:
    """Return the test files that stand for one module."""
    files = {file.relative_to(TESTS) for file in TESTS.rglob("test_*.py")}
    return {file for file in files if file.parts[0] not in SPANNING and str(file) not in OF_THE_REPOSITORY}


def test_every_module_has_a_test_file():
    assert sorted(map(str, mirrored_tests() - present_tests())) == []


def test_every_test_file_stands_for_a_module():
    assert sorted(map(str, present_tests() - mirrored_tests())) == []


def test_no_module_is_longer_than_400_lines():
    lengths = {
        str(file.relative_to(PACKAGE)): len(file.read_text("utf-8").splitlines()) for file in PACKAGE.rglob("*.py")
    }
    assert {name: length for name, length in lengths.items() if length > 400} == {}
