"""Checkpoints of the stages of a long run, and scratch files for arrays that do not fit in memory."""

import json
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from residuum._files import atomic_path, is_disk_full
from residuum.errors import CheckpointError

__all__ = ["Store", "load_array", "open_checkpoint"]

_RUN = "run.json"
# Attempts to read the header of an array.
_ATTEMPTS = 20


def load_array(path: Path, *, in_memory: bool = True, writable: bool = False) -> NDArray[Any]:
    """Return the array of a ``.npy`` file, in any thread.

    numpy reads the header as a Python expression, and Python 3.11 raises SystemError now and then if another thread
    parses one at the same moment. The next attempt succeeds.

    Parameters
    ----------
    path : Path
        File.
    in_memory : bool, default True
        Whether to read the array; otherwise it is a memory map.
    writable : bool, default False
        Whether a map may be changed, in this process only: the file keeps its content. numba has one type for such maps
        and for arrays in memory, and another for read-only ones.

    Returns
    -------
    array
        The array.
    """
    array: NDArray[Any]
    mode: Literal["c", "r"] | None = None if in_memory else "c" if writable else "r"
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            array = np.load(path, mmap_mode=mode)
            break
        except SystemError:
            if attempt == _ATTEMPTS:
                raise
    return array


class Store:
    """Arrays by name, each computed once: a saved stage is loaded instead of computed again.

    If each stage depends only on earlier stages, an interrupted and resumed run returns the same bits as one without
    interruption. Files are written under a temporary name and renamed, so that a run killed at any moment, even by
    ``kill -9``, leaves only complete stages.

    Parameters
    ----------
    folder : Path or None
        Folder of the checkpoints. If None, nothing is saved, and arrays that do not fit in memory are stored in a
        temporary folder.

    Examples
    --------
    >>> with Store(None) as store:
    ...     store.once("squares", lambda: np.arange(3) ** 2)
    array([0, 1, 4])
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._scratch: Path | None = None
        self._lock = threading.Lock()

    @property
    def persistent(self) -> bool:
        """Whether the stages are kept after the process ends."""
        return self.folder is not None

    def __contains__(self, name: str) -> bool:
        return self.folder is not None and (self.folder / f"{name}.npy").exists()

    def once(self, name: str, compute: Callable[[], NDArray[Any]], *, in_memory: bool = True) -> NDArray[Any]:
        """Return a stage: load its file if there is one, else compute and save it.

        Parameters
        ----------
        name : str
            Name of the stage and, without the suffix, of its file.
        compute : callable
            Function without arguments that returns the array. It depends only on earlier stages, and does not use a
            random generator shared with other stages.
        in_memory : bool, default True
            Whether to hold the array in memory. If False, it is a read-only memory map of its file.

        Returns
        -------
        array
            The stage, as returned by ``compute``.
        """
        if self.folder is None and in_memory:
            return compute()
        path = self._place() / f"{name}.npy"
        if not _readable(path):
            array = compute()
            _write(path, array)
            if in_memory:
                return array
        return load_array(path, in_memory=in_memory)

    def forget(self, prefix: str) -> None:
        """Remove the stages whose names start with ``prefix``."""
        for folder in (self.folder, self._scratch):
            for path in [] if folder is None else folder.glob(f"{prefix}*.npy"):
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Remove the temporary folder, if there is one."""
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)
            self._scratch = None

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _place(self) -> Path:
        if self.folder is not None:
            return self.folder
        with self._lock:
            if self._scratch is None:
                self._scratch = Path(tempfile.mkdtemp(prefix="residuum-"))
            return self._scratch


def open_checkpoint(folder: str | os.PathLike[str], run: Mapping[str, Any]) -> Store:
    """Return the store of a run; create the folder if it does not exist.

    Parameters
    ----------
    folder : path
        Folder of the checkpoints.
    run : mapping
        Everything that determines the results of the run, as JSON values.

    Returns
    -------
    Store
        Store with the stages saved so far.

    Raises
    ------
    CheckpointError
        If the folder holds the checkpoints of a different run, or other files.
    """
    place = Path(folder)
    current = json.loads(json.dumps(dict(run)))
    record = place / _RUN
    if not record.exists():
        if place.exists() and (not place.is_dir() or any(place.iterdir())):
            raise CheckpointError(f"{place} exists and is not a checkpoint folder; use a new or an empty folder.")
        place.mkdir(parents=True, exist_ok=True)
        with atomic_path(record) as path:
            path.write_text(json.dumps(current, indent=1))
        return Store(place)
    try:
        saved = json.loads(record.read_text())
    except ValueError:
        raise CheckpointError(f"{record} is damaged; remove the folder to start again.") from None
    for key in current:
        if saved.get(key) != current[key]:
            raise CheckpointError(
                f"{place} holds checkpoints of a different run: {key} was {_short(saved.get(key))} and is now "
                f"{_short(current[key])}. Use another folder, or remove this one."
            )
    return Store(place)


def _readable(path: Path) -> bool:
    """Whether there is a complete array file; a damaged file is written again."""
    try:
        load_array(path, in_memory=False)
    except (OSError, ValueError, EOFError):
        return False
    return True


def _write(path: Path, array: NDArray[Any]) -> None:
    try:
        with atomic_path(path) as temporary, temporary.open("wb") as file:
            np.save(file, array)
    except OSError as error:
        if not is_disk_full(error):
            raise
        raise CheckpointError(
            f"no space left for {path.name} ({array.nbytes:,} bytes) in {path.parent}; files saved earlier are intact. "
            "Free some space and run again."
        ) from error


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:37] + "..."
