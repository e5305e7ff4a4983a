"""A folder for compiled kernels that is always writable, and a log entry when kernels are compiled.

numba stores compiled kernels in the ``__pycache__`` of this package or, if it is read-only, in the user's cache folder;
the environment variable ``NUMBA_CACHE_DIR`` overrides both. Where none of them is writable, importing a kernel would
fail. There, a folder of the user among the temporary files takes their place.
"""

import logging
import os
import stat
import tempfile
from pathlib import Path

import numba
from numba.core import event

__all__ = ["COMPILING", "ensure_cache", "log_compilation"]

# Name of the logger of compilation, a child of "residuum".
COMPILING = "residuum.compiling"


def ensure_cache():
    """Cache kernels among the temporary files if numba finds no writable folder."""
    try:
        numba.njit(cache=True)(_probe)
    except RuntimeError:
        numba.config.CACHE_DIR = str(_private_folder())


def _probe():
    """Do nothing; numba looks for a cache folder when it is decorated."""


def _private_folder():
    """Return a folder that only this user can write to, because numba unpickles what it finds in it."""
    user = os.getuid() if hasattr(os, "getuid") else None
    folder = Path(tempfile.gettempdir(), "residuum-kernels" if user is None else f"residuum-kernels-{user}")
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    is_private = user is None or (status.st_uid == user and not status.st_mode & 0o077)
    if stat.S_ISDIR(status.st_mode) and is_private:
        return folder
    return Path(tempfile.mkdtemp(prefix="residuum-kernels-"))


class _FirstCompilation(event.Listener):
    """Logs one line when the first kernel is compiled; kernels loaded from the cache do not count."""

    def __init__(self):
        self._logged = False

    def on_start(self, event):
        kernel = event.data["dispatcher"].py_func
        if not self._logged and kernel.__module__.startswith("residuum."):
            self._logged = True
            logging.getLogger(COMPILING).info("compiling kernels (first run only)")

    def on_end(self, event):
        pass


def log_compilation():
    """Log the first compilation of a kernel in this process, at level INFO to the logger ``COMPILING``."""
    event.register("numba:compile", _FirstCompilation())
