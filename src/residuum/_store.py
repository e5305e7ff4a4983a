"""Results of the stages of a long run, on disk: checkpoints, and scratch space for what memory does not hold."""

import errno
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._files import atomic_path
from residuum.errors import CheckpointError

__all__ = ["Store", "open_checkpoint"]

_RUN = "run.json"


class Store:
    """Arrays by name, each computed once: a stage that was saved is read instead of computed.

    A run whose stages are functions of the stages before them ends with the same bits, wherever it was stopped.
    Files are written to a temporary name and renamed, so that a stop at any moment, ``kill -9`` included, leaves whole
    stages only.

    Parameters
    ----------
    folder : Path or None
        Where stages stay; None for no checkpoints, when only what memory does not hold goes to a temporary folder.

    Examples
    --------
    >>> with Store(None) as store:
    ...     store.once("squares", lambda: np.arange(3) ** 2)
    array([0, 1, 4])
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._scratch: Path | None = None

    @property
    def persistent(self) -> bool:
        """Whether stages outlive this process."""
        return self.folder is not None

    def __contains__(self, name: str) -> bool:
        return self.folder is not None and (self.folder / f"{name}.npy").exists()

    def once(self, name: str, compute: Callable[[], NDArray[Any]], *, in_memory: bool = True) -> NDArray[Any]:
        """Return the array of that name: from its file if there is one, else computed, and saved.

        Parameters
        ----------
        name : str
        compute : callable
            Must depend on nothing but stages that were made before; it draws no random numbers that others share.
        in_memory : bool
            Whether the array may stay in memory; if not, it is a read-only map of its file.
        """
        if self.folder is None and in_memory:
            return compute()
        path = self._place() / f"{name}.npy"
        if not _readable(path):
            array = compute()
            _write(path, array)
            if in_memory:
                return array
        return np.asarray(np.load(path)) if in_memory else np.load(path, mmap_mode="r")

    def forget(self, prefix: str) -> None:
        """Remove the stages whose names begin like this."""
        for folder in (self.folder, self._scratch):
            for path in [] if folder is None else folder.glob(f"{prefix}*.npy"):
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Remove the scratch space, if there is any."""
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
        if self._scratch is None:
            self._scratch = Path(tempfile.mkdtemp(prefix="residuum-"))
        return self._scratch


def open_checkpoint(folder: str | os.PathLike[str], run: Mapping[str, Any]) -> Store:
    """Return the store of a run in ``folder``, made if it is not there.

    Parameters
    ----------
    folder : path
    run : mapping
        What makes the run what it is, as JSON values. A folder with another run's stages is refused.
    """
    place = Path(folder)
    wanted = json.loads(json.dumps(dict(run)))
    record = place / _RUN
    if not record.exists():
        if place.exists() and (not place.is_dir() or any(place.iterdir())):
            raise CheckpointError(f"{place} holds something else than checkpoints; name a new or an empty folder.")
        place.mkdir(parents=True, exist_ok=True)
        with atomic_path(record) as path:
            path.write_text(json.dumps(wanted, indent=1))
        return Store(place)
    try:
        found = json.loads(record.read_text())
    except ValueError:
        raise CheckpointError(f"{record} is damaged; remove the folder to begin anew.") from None
    for key in wanted:
        if found.get(key) != wanted[key]:
            raise CheckpointError(
                f"{place} has the checkpoints of another run: {key} was {_short(found.get(key))}, "
                f"and is {_short(wanted[key])} now. Name another folder, or remove this one."
            )
    return Store(place)


def _readable(path: Path) -> bool:
    """Whether a saved array is there and whole; a damaged one is computed anew."""
    try:
        np.load(path, mmap_mode="r")
    except (OSError, ValueError, EOFError):
        return False
    return True


def _write(path: Path, array: NDArray[Any]) -> None:
    try:
        with atomic_path(path) as temporary, temporary.open("wb") as file:
            np.save(file, array)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise
        raise CheckpointError(
            f"no space is left for {path.name} ({array.nbytes:,} bytes) in {path.parent}; what was saved before is "
            "whole. Make room and run the same again."
        ) from error


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:37] + "..."
