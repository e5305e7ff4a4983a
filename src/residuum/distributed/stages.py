"""Stages of a run on shared storage: a restart skips what is complete."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from residuum._checkpoint import Store, load_array
from residuum._files import atomic_path
from residuum.errors import CheckpointError

__all__ = ["Stages", "read_ids", "write_ids"]


class Stages:
    """Arrays, node ids and small records by name, in a folder that client and workers share.

    Each is written under a temporary name and renamed, so that a process that is killed at any moment leaves complete
    files only. The object can be pickled: tasks of workers receive it.

    Parameters
    ----------
    folder : Path
        Existing folder.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     stages = Stages(Path(folder))
    ...     first = stages.record("count", lambda: {"nodes": 3})
    ...     again = stages.record("count", lambda: {"nodes": 4})
    >>> again
    {'nodes': 3}
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def record(self, name: str, compute: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return the record of a stage: read it if there is one, else run the stage and write it.

        Parameters
        ----------
        name : str
            Name of the stage.
        compute : callable
            Function without arguments that runs the stage and returns JSON values.

        Returns
        -------
        dict
            The record.
        """
        path = self.folder / f"{name}.json"
        if path.exists():
            try:
                return dict(json.loads(path.read_text(encoding="utf-8")))
            except ValueError:
                raise CheckpointError(f"{path} is damaged; delete the folder to start over.") from None
        record = json.loads(json.dumps(compute()))
        with atomic_path(path) as temporary:
            temporary.write_text(json.dumps(record), encoding="utf-8")
        return dict(record)

    def array(self, name: str, compute: Callable[[], NDArray[Any]]) -> NDArray[Any]:
        """Return an array: map its file if there is one, else compute and save it.

        Parameters
        ----------
        name : str
            Name of the array.
        compute : callable
            Function without arguments that returns the array.

        Returns
        -------
        array
            Read-only memory map.
        """
        return Store(self.folder).once(name, compute, in_memory=False)

    def save(self, name: str, array: NDArray[Any]) -> None:
        """Write an array, unless its file is there already.

        Parameters
        ----------
        name : str
            Name of the array.
        array : array
            The array, the same for all tasks that write it.
        """
        self.array(name, lambda: array)

    def load(self, name: str) -> NDArray[Any]:
        """Return a memory map of an array that an earlier stage has saved.

        Parameters
        ----------
        name : str
            Name of the array.

        Returns
        -------
        array
            Read-only memory map.
        """
        return np.asarray(load_array(self.path(f"{name}.npy"), in_memory=False))

    def path(self, file: str) -> Path:
        """Return the path of a file.

        Parameters
        ----------
        file : str
            Name with the extension.

        Returns
        -------
        Path
            Path in the folder.
        """
        return self.folder / file

    def forget(self, prefix: str) -> None:
        """Delete the arrays and ids whose names start with a prefix.

        Parameters
        ----------
        prefix : str
            First letters of the names.
        """
        Store(self.folder).forget(prefix)
        for path in self.folder.glob(f"{prefix}*.arrow"):
            path.unlink(missing_ok=True)


def write_ids(path: Path, ids: pa.Array) -> None:
    """Write node ids to an Arrow file.

    Parameters
    ----------
    path : Path
        File to write.
    ids : pyarrow Array
        Integers or strings.
    """
    table = pa.table({"id": ids})
    with atomic_path(path) as temporary, pa.ipc.new_file(str(temporary), table.schema) as writer:
        writer.write_table(table)


def read_ids(path: Path) -> pa.Array:
    """Return node ids from an Arrow file, memory-mapped.

    Parameters
    ----------
    path : Path
        File of :func:`write_ids`.

    Returns
    -------
    pyarrow Array
        Integers or strings.
    """
    with pa.memory_map(str(path)) as source:
        column = pa.ipc.open_file(source).read_all().column("id")
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
