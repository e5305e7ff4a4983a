"""Tall matrices by columns: what needs all nodes of one coordinate at a time, such as quantiles and ranks."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum.distributed.cluster import Cluster
from residuum.distributed.stages import Stages

__all__ = ["ColumnFiles"]

# Tasks for each thread of the workers, and bytes per entry of the columns of a task: the columns, and sorted copies.
_TASKS_PER_THREAD, _ENTRY_BYTES = 2, 64


@dataclass(frozen=True)
class ColumnFiles:
    """Matrices of shape (n, W) on shared storage, in rows of one part each or in columns.

    A task of a stage by columns holds some columns of all nodes, a task of a stage by rows all columns of a part.

    Attributes
    ----------
    stages : Stages
        Shared storage.
    bounds : tuple of int
        First row of each part, and the number of rows n.
    width : int
        Number of columns W.
    """

    stages: Stages
    bounds: tuple[int, ...]
    width: int

    @property
    def n_parts(self) -> int:
        """Number of parts."""
        return len(self.bounds) - 1

    def save_rows(self, name: str, part: int, rows: NDArray[np.float64]) -> None:
        """Write the rows of a part.

        Parameters
        ----------
        name : str
            Name of the matrix.
        part : int
            Number of the part.
        rows : array of shape (m, W)
            Rows.
        """
        self.stages.array(f"{name}-rows-{part}", lambda: np.ascontiguousarray(rows.T))

    def rows(self, name: str, part: int) -> NDArray[np.float64]:
        """Return the rows of a part of a matrix that was written by columns.

        Parameters
        ----------
        name : str
            Name of the matrix.
        part : int
            Number of the part.

        Returns
        -------
        array of shape (m, W)
            Rows.
        """
        inside = slice(*self.bounds[part : part + 2])
        columns = [self.stages.load(f"{name}-column-{k}")[inside] for k in range(self.width)]
        return np.stack(columns, axis=1)

    def columns(self, name: str, first: int, last: int) -> NDArray[np.float64]:
        """Return columns of a matrix that was written by rows.

        Parameters
        ----------
        name : str
            Name of the matrix.
        first, last : int
            Range of columns.

        Returns
        -------
        array of shape (n, last − first)
            Columns.
        """
        parts = [self.stages.load(f"{name}-rows-{part}")[first:last] for part in range(self.n_parts)]
        return np.concatenate(parts, axis=1).T

    def by_rows(self, cluster: Cluster, stage: str, target: str, function: Callable[..., Any], *arguments: Any) -> None:
        """Write a matrix by rows.

        Parameters
        ----------
        cluster : Cluster
            Workers.
        stage : str
            Name of the tasks on the dashboard.
        target : str
            Name of the matrix.
        function : callable
            Function of this object, the part and the arguments that returns the rows.
        *arguments : objects
            Further arguments.
        """
        cluster.map(stage, save_rows, [(self, part, target, function, arguments) for part in range(self.n_parts)])

    def by_columns(
        self, cluster: Cluster, stage: str, target: str, function: Callable[..., Any], *arguments: Any
    ) -> None:
        """Write a matrix by columns.

        Parameters
        ----------
        cluster : Cluster
            Workers.
        stage : str
            Name of the tasks on the dashboard.
        target : str
            Name of the matrix.
        function : callable
            Function of this object, a range of columns and the arguments that returns these columns.
        *arguments : objects
            Further arguments.
        """
        n_tasks = _TASKS_PER_THREAD * cluster.n_threads
        if cluster.thread_bytes:
            n_tasks = max(n_tasks, -(-_ENTRY_BYTES * self.width * self.bounds[-1] // cluster.thread_bytes))
        bounds = np.linspace(0, self.width, min(n_tasks, self.width) + 1).astype(int).tolist()
        spans = itertools.pairwise(bounds)
        cluster.map(stage, save_columns, [(self, *span, target, function, arguments) for span in spans])

    def is_complete(self, name: str) -> bool:
        """Return whether all columns of a matrix are there.

        Parameters
        ----------
        name : str
            Name of the matrix.

        Returns
        -------
        bool
            Whether it was written by columns.
        """
        return all(self.stages.path(f"{name}-column-{k}.npy").exists() for k in range(self.width))

    def forget(self, name: str) -> None:
        """Delete a matrix.

        Parameters
        ----------
        name : str
            Name of the matrix.
        """
        for layout in ("rows", "column"):
            self.stages.forget(f"{name}-{layout}-")


def save_rows(
    files: ColumnFiles, part: int, target: str, function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    """Write the rows of a part of a matrix.

    Parameters
    ----------
    files : ColumnFiles
        Layout.
    part : int
        Number of the part.
    target : str
        Name of the matrix.
    function : callable
        Function of the layout, the part and the arguments.
    arguments : tuple
        Further arguments.
    """
    files.save_rows(target, part, function(files, part, *arguments))


def save_columns(
    files: ColumnFiles, first: int, last: int, target: str, function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    """Write some columns of a matrix.

    Parameters
    ----------
    files : ColumnFiles
        Layout.
    first, last : int
        Range of columns.
    target : str
        Name of the matrix.
    function : callable
        Function of the layout, the range and the arguments.
    arguments : tuple
        Further arguments.
    """
    names = [f"{target}-column-{k}" for k in range(first, last)]
    if all(files.stages.path(f"{name}.npy").exists() for name in names):
        return
    columns = function(files, first, last, *arguments)
    for name, column in zip(names, columns.T, strict=True):
        files.stages.save(name, np.ascontiguousarray(column))
