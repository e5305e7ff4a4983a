"""Tasks on the workers of a Dask cluster: maps, sums in a tree, progress, and errors that say what to do."""

import contextlib
import itertools
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from residuum._files import atomic_path
from residuum._progress import Stage
from residuum._threads import on_one_thread
from residuum._validation import import_extra
from residuum.errors import ClusterError

__all__ = ["Cluster", "alone", "new_token"]

# Number of results that one task adds up.
_FAN_IN = 8
# Seconds without any result after which a cluster without workers is given up.
_PATIENCE = 60.0
_PROBE = ".residuum-probe"
_RESUME = (
    "start the cluster and run the same command again: stages that are complete on shared storage are not repeated"
)


class Cluster:
    """Workers of a Dask client that share a folder with it.

    Functions run on one thread each, as many at once as the workers have threads. A task that is lost with its worker
    runs again, so a function must give the same result each time: it writes complete files or none.

    Parameters
    ----------
    client : dask.distributed.Client
        Connection to the scheduler.

    Examples
    --------
    >>> from distributed import Client
    >>> with Client(processes=False, dashboard_address=":0") as client:
    ...     Cluster(client).total("squares", pow, [(k, 2) for k in range(20)])
    2470
    """

    def __init__(self, client: Any) -> None:
        self.client = client

    @property
    def n_threads(self) -> int:
        """Number of threads of all workers; 1 while there is none."""
        return max(sum(int(worker["nthreads"]) for worker in self._workers()), 1)

    @property
    def thread_bytes(self) -> int:
        """Memory of a worker for each of its threads, in bytes, of the smallest worker; 0 if no worker has a limit."""
        limits = [worker["memory_limit"] // worker["nthreads"] for worker in self._workers() if worker["memory_limit"]]
        return int(min(limits, default=0))

    def _workers(self) -> list[dict[str, Any]]:
        return list(self.client.scheduler_info(n_workers=-1)["workers"].values())

    def check_storage(self, folder: Path) -> None:
        """Raise an error unless every worker sees the files of a folder.

        Parameters
        ----------
        folder : Path
            Folder that exists on this machine.

        Raises
        ------
        ClusterError
            If there is no worker, or a worker does not see a file that was just written.
        """
        if self.client.status != "running":
            raise ClusterError("the client of the cluster is closed; make a new one, such as Client(address).")
        with self._named_errors("check of shared storage"):
            self.client.wait_for_workers(1, timeout=60)
            name = f"{_PROBE}-{new_token()}"
            with atomic_path(folder / name) as probe:
                probe.write_text("residuum")
            try:
                is_seen = self.client.run(_sees, str(folder / name))
            finally:
                (folder / name).unlink(missing_ok=True)
        blind = [address for address, seen in is_seen.items() if not seen]
        if blind:
            raise ClusterError(
                f"{len(blind)} of {len(is_seen)} workers do not see {folder}, such as {blind[0]}; use a folder on "
                "storage that this machine and all workers share, under the same path (checkpoint=, --checkpoint)."
            )

    def map(
        self, name: str, function: Callable[..., Any], items: Sequence[tuple[Any, ...]], stage: Stage | None = None
    ) -> list[Any]:
        """Return ``function(*item)`` of each item, computed on the workers.

        Parameters
        ----------
        name : str
            Name of the tasks on the dashboard.
        function : callable
            Function of an item, which can be pickled.
        items : sequence of tuples
            Arguments.
        stage : Stage, optional
            Advances with each result.

        Returns
        -------
        list
            Small results, in the order of the items.
        """
        with self._named_errors(name):
            futures = self._submit(name, function, items)
            self._follow(futures, stage)
            return list(self.client.gather(futures))

    def total(
        self, name: str, function: Callable[..., Any], items: Sequence[tuple[Any, ...]], stage: Stage | None = None
    ) -> Any:
        """Return the sum of ``function(*item)`` over the items, added up on the workers in a tree.

        Parameters
        ----------
        name : str
            Name of the tasks on the dashboard.
        function : callable
            Function of an item that returns a number or an array.
        items : sequence of tuples
            Arguments; at least one.
        stage : Stage, optional
            Advances with each summand.

        Returns
        -------
        number or array
            The sum, always added up in the same order.
        """
        return self.totals(name, function, [items], stage)[0]

    def totals(
        self,
        name: str,
        function: Callable[..., Any],
        groups: Sequence[Sequence[tuple[Any, ...]]],
        stage: Stage | None = None,
    ) -> list[Any]:
        """Return the sum of ``function(*item)`` over the items of each group; all groups are on the cluster at once.

        Parameters
        ----------
        name : str
            Name of the tasks on the dashboard.
        function : callable
            Function of an item that returns a number or an array.
        groups : sequence of sequences of tuples
            Arguments of the summands of each sum; at least one.
        stage : Stage, optional
            Advances with each summand.

        Returns
        -------
        list of numbers or arrays
            The sums, always added up in the same order.
        """
        with self._named_errors(name):
            futures = [self._submit(name, function, items) for items in groups]
            sums = [self._sum(name, summands) for summands in futures]
            self._follow(list(itertools.chain(*futures)), stage)
            self._follow(sums)
            return list(self.client.gather(sums))

    def _sum(self, name: str, summands: list[Any]) -> Any:
        """Return the future of a sum, added up in a tree."""
        while len(summands) > 1:
            groups = [tuple(summands[begin : begin + _FAN_IN]) for begin in range(0, len(summands), _FAN_IN)]
            summands = self._submit(f"{name}-sum", _add, groups)
        return summands[0]

    def compute(
        self,
        name: str,
        graphs: Sequence[Callable[[], list[Any]]],
        in_flight: int = 1,
        done: Callable[[int], object] | None = None,
    ) -> list[list[Any]]:
        """Return the results of task graphs, of which only a few are on the cluster at a time.

        Parameters
        ----------
        name : str
            Name in error messages.
        graphs : sequence of callables
            Each returns delayed objects.
        in_flight : int
            Number of graphs at a time, which limits the memory for their intermediate results.
        done : callable, optional
            Called with the number of a graph that is complete.

        Returns
        -------
        list of lists
            Small results of the delayed objects of each graph.
        """
        results: list[list[Any]] = []
        waiting = iter(graphs)
        running: list[Any] = []
        with self._named_errors(name):
            while True:
                free = max(in_flight - len(running), 0)
                running += [
                    self.client.compute(build(), optimize_graph=False) for build in itertools.islice(waiting, free)
                ]
                if not running:
                    return results
                self._follow(running[0])
                results.append(list(self.client.gather(running.pop(0))))
                if done is not None:
                    done(len(results) - 1)

    def _submit(self, name: str, function: Callable[..., Any], items: Sequence[tuple[Any, ...]]) -> list[Any]:
        token = new_token()
        return [
            self.client.submit(alone, function, *item, key=f"{name}-{token}-{number}", pure=False)
            for number, item in enumerate(items)
        ]

    def _follow(self, futures: list[Any], stage: Stage | None = None) -> None:
        """Wait for all futures; the first that failed raises its error."""
        pending = dict.fromkeys(futures)
        while pending:
            for future in self._completed(list(pending)):
                del pending[future]
                if future.status == "error":
                    future.result()
                if stage is not None:
                    stage.advance()

    def _completed(self, futures: list[Any]) -> Iterator[Any]:
        """Return futures as they complete, for a while."""
        distributed: Any = import_extra("distributed", "distributed")
        completed = distributed.as_completed(futures, timeout=_PATIENCE)
        while True:
            try:
                future = next(completed)
            except StopIteration:
                return
            except TimeoutError:
                self._check_workers()
                return
            yield future

    def _check_workers(self) -> None:
        """Raise an error if all workers are gone: the scheduler would wait for new ones without end."""
        if self.client.status == "running" and not self._workers():
            raise ClusterError(f"no worker is left, and none came back within {_PATIENCE:g} seconds; {_RESUME}.")

    @contextlib.contextmanager
    def _named_errors(self, name: str) -> Iterator[None]:
        """Turn the errors of Dask into ours."""
        distributed: Any = import_extra("distributed", "distributed")
        dask_client = distributed.client
        lost = (dask_client.FutureCancelledError, dask_client.ClosedClientError, TimeoutError, OSError)
        try:
            yield
        except distributed.KilledWorker as error:
            raise ClusterError(
                f"a task of the stage {name!r} ended {error.allowed_failures + 1} workers one after the other, most "
                "likely because they ran out of memory; use more partitions (n_partitions=, --partitions) or workers "
                "with more memory."
            ) from error
        except lost as error:
            if isinstance(error, OSError) and error.errno is not None and self.client.status == "running":
                raise  # an error of the file system
            raise ClusterError(f"the scheduler was lost in the stage {name!r}; {_RESUME}.") from error


def alone(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function on the one thread of a task.

    Parameters
    ----------
    function : callable
        Function that may start threads of the library.
    *arguments : objects
        Its arguments.

    Returns
    -------
    object
        Its result.
    """
    with on_one_thread():
        return function(*arguments)


def new_token() -> str:
    """Return a name that no other task has.

    Returns
    -------
    str
        Eight hexadecimal digits.
    """
    return uuid.uuid4().hex[:8]


def _add(*parts: Any) -> Any:
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def _sees(path: str) -> bool:
    return Path(path).is_file()
