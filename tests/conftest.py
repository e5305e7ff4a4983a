"""What the tests of several rooms share."""

import importlib.util
import logging
import os
from collections.abc import Iterator

import pytest

from residuum import _threads, datasets
from residuum._kernels.cache import COMPILING

# Whether kernels are compiled depends on earlier runs; the output of the command line must not.
logging.getLogger(COMPILING).disabled = True


@pytest.fixture
def gnn() -> None:
    """Skip, and say so, where the [gnn] extra is not installed; ``make setup`` installs it."""
    if importlib.util.find_spec("torch") is None or importlib.util.find_spec("torch_geometric") is None:
        pytest.skip("the [gnn] extra (torch, torch-geometric) is not installed")


@pytest.fixture
def four_cores(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give the library a new pool of four threads on any machine."""
    monkeypatch.setattr(_threads, "_available", lambda: 4)
    _threads._pool.cache_clear()
    yield
    _threads._pool(os.getpid()).shutdown()
    _threads._pool.cache_clear()


@pytest.fixture
def real_graphs() -> list[str]:
    """Return the names of the real graphs, or skip: they are too large to be part of the repository."""
    if not os.environ.get(datasets.DATA_VARIABLE):
        pytest.skip(f"{datasets.DATA_VARIABLE} is not set: it names the folder of the real graphs")
    return datasets.names()
