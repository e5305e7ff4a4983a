import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import numba
import pytest

from residuum._kernels import cache

COUNT_TRIANGLE = """
import logging
import numpy as np
from residuum._kernels.rows import count_components
logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
for kind in (np.int32, np.int64):
    indptr, indices = np.array([0, 2, 4, 6], kind), np.array([1, 2, 0, 2, 0, 1], kind)
    assert count_components(indptr, indices, np.arange(3)) == 1
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder that takes the place of /tmp."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_without_a_writable_folder_kernels_are_cached_among_the_temporary_files(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**options: bool) -> None:
        raise RuntimeError("cannot cache function '_probe': no locator available")

    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    with monkeypatch.context() as patch:
        patch.setattr(numba, "njit", refuse)
        cache.ensure_cache()
    (folder,) = temporary.iterdir()
    assert str(folder) == numba.config.CACHE_DIR
    numba.njit(cache=True)(abs_of)(-1)
    assert list(folder.rglob("*abs_of*.nbi"))


def abs_of(x):
    return abs(x)


def test_a_folder_that_numba_finds_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    cache.ensure_cache()
    assert str(tmp_path) == numba.config.CACHE_DIR


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="temporary files of this system belong to one user")
def test_the_temporary_folder_is_the_same_in_every_run_and_private(temporary: Path) -> None:
    folder = cache._private_folder()
    assert cache._private_folder() == folder
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="temporary files of this system belong to one user")
def test_a_folder_that_others_can_write_to_is_not_used(temporary: Path) -> None:
    folder = cache._private_folder()
    folder.chmod(0o777)
    other = cache._private_folder()
    assert other != folder
    assert stat.S_IMODE(other.stat().st_mode) == 0o700


def test_the_first_compilation_is_logged_and_loading_from_the_cache_is_not(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    lines = [
        subprocess.run(
            [sys.executable, "-c", COUNT_TRIANGLE], env=environment, check=True, capture_output=True, text=True
        ).stderr
        for _ in range(2)
    ]
    assert lines == [f"{cache.COMPILING} compiling kernels (first run only)\n", ""]
