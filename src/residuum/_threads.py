"""Threads of the library: one pool, work in chunks, and BLAS on a single thread inside each of them.

Kernels and BLAS release the interpreter lock, so chunks of one computation run at once in ordinary Python threads. Idle
threads sleep. Code in a worker runs on that worker only. The pool belongs to the process that created it, so a forked
child starts its own.
"""

import contextlib
import itertools
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from residuum._validation import check_integer
from residuum.errors import InvalidParameterError

__all__ = [
    "even_ranges",
    "exp_in_place",
    "in_parts",
    "in_threads",
    "log_in_place",
    "n_threads",
    "on_one_thread",
    "resolve_jobs",
    "run_ranges",
    "thread_limit",
]

Item = TypeVar("Item")
Result = TypeVar("Result")

# Ranges per thread: enough to balance uneven rows.
_RANGES_PER_THREAD = 4
# Fewer operations than this take less time than waking a thread.
_WORTH_THREADS = 200_000


class _Local(threading.local):
    """Number of threads that the current thread may use, None if it has not been set; whether it is a worker."""

    threads: int | None = None
    is_worker = False


_local = _Local()


@cache
def _available() -> int:
    import joblib

    return int(joblib.cpu_count())


def resolve_jobs(n_jobs: int | None) -> int:
    """Return the number of threads.

    Parameters
    ----------
    n_jobs : int or None
        Number of threads, at most the number of available cores. None and -1 use all cores available to the process,
        cgroup quotas included.

    Returns
    -------
    int
        Number of threads, at least 1.
    """
    if n_jobs is None or n_jobs == -1:
        return _available()
    if isinstance(n_jobs, int) and n_jobs < -1:
        raise InvalidParameterError(f"n_jobs must be -1, None or at least 1; got {n_jobs}.")
    return min(check_integer("n_jobs", n_jobs, minimum=1), _available())


def n_threads() -> int:
    """Return the number of threads that the current thread may use: 1 in a worker, otherwise as in `thread_limit`."""
    return _available() if _local.threads is None else _local.threads


@cache
def _pool(process: int) -> ThreadPoolExecutor:
    """Return the pool of a process; threads do not survive a fork."""
    del process

    def work_alone() -> None:
        _local.threads, _local.is_worker = 1, True

    return ThreadPoolExecutor(_available(), thread_name_prefix="residuum", initializer=work_alone)


def in_threads(function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Yield ``function(item)`` in the order of the items, computed in several threads.

    At most one more result than threads is in memory. If a call fails, no further call starts.
    """
    threads = n_threads()
    if threads == 1:
        yield from map(function, items)
        return
    pool, waiting = _pool(os.getpid()), iter(items)
    futures: deque[Future[Result]] = deque()
    try:
        while True:
            running = [future for future in futures if not future.done()]
            failed = any(future.done() and future.exception() is not None for future in futures)
            while not failed and len(running) < threads and len(futures) <= threads:
                try:
                    item = next(waiting)
                except StopIteration:
                    break
                futures.append(pool.submit(function, item))
                running.append(futures[-1])
            if not futures:
                return
            if futures[0].done():
                yield futures.popleft().result()
            else:
                wait(running, return_when=FIRST_COMPLETED)
    finally:
        for future in futures:
            future.cancel()
        wait(futures)


def run_ranges(function: Callable[[int, int], Any], bounds: Sequence[int] | NDArray[np.int64]) -> None:
    """Call ``function(begin, end)`` for consecutive bounds, in several threads; in one call if there is one thread."""
    if n_threads() == 1 or len(bounds) <= 2:
        function(int(bounds[0]), int(bounds[-1]))
        return
    ranges = [(int(begin), int(end)) for begin, end in itertools.pairwise(bounds) if begin < end]
    for _ in in_threads(lambda bound: function(*bound), ranges):
        pass


def in_parts(function: Callable[[int, int], Result], length: int) -> list[Result]:
    """Return ``function(begin, end)`` of as many ranges of equal length as there are threads."""
    parts = n_threads()
    return list(in_threads(lambda part: function(length * part // parts, length * (part + 1) // parts), range(parts)))


def even_ranges(length: int, operations: float) -> list[int]:
    """Return the bounds of ranges of equal length, a few per thread; one range if there are few operations in all."""
    if n_threads() == 1 or operations < _WORTH_THREADS:
        return [0, length]
    parts = min(_RANGES_PER_THREAD * n_threads(), max(length, 1))
    return [length * part // parts for part in range(parts + 1)]


def log_in_place(values: NDArray[np.float32]) -> None:
    """Replace positive values by their logarithm, with numpy's vectorized ``log``."""
    _in_place(np.log, values)


def exp_in_place(values: NDArray[np.float32]) -> None:
    """Replace values by their exponential, with numpy's vectorized ``exp``."""
    _in_place(np.exp, values)


def _in_place(function: np.ufunc, values: NDArray[np.float32]) -> None:
    def apply(begin: int, end: int) -> None:
        function(values[begin:end], out=values[begin:end])

    run_ranges(apply, even_ranges(len(values), values.size))


class _Libraries:
    """BLAS and OpenMP on one thread while any fit is running; restored after the last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._limits: Any = None

    def __enter__(self) -> None:
        from threadpoolctl import threadpool_limits

        with self._lock:
            self._users += 1
            if self._users == 1:
                self._take_control()
                self._limits = threadpool_limits(limits=1)

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0:
                self._take_control()
                self._limits.restore_original_limits()

    @staticmethod
    def _take_control() -> None:
        """Let this thread change the limits: threadpoolctl otherwise ignores all threads but the first one that did."""
        from threadpoolctl import OpenBLASController

        if hasattr(OpenBLASController, "clear_controlling_thread"):
            OpenBLASController.clear_controlling_thread(force=True)


_libraries = _Libraries()


def _after_fork() -> None:
    """Give a forked child libraries without a lock that another thread of its parent may hold."""
    global _libraries
    _libraries = _Libraries()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


@contextlib.contextmanager
def on_one_thread() -> Iterator[None]:
    """Let the current thread use no other threads of the library in a ``with`` block.

    Unlike :func:`thread_limit`, it leaves BLAS and OpenMP alone, which takes no time: for short tasks in processes
    whose libraries are limited already, such as the workers of Dask.
    """
    before, _local.threads = _local.threads, 1
    try:
        yield
    finally:
        _local.threads = before


@contextlib.contextmanager
def thread_limit(n_jobs: int | None) -> Iterator[int]:
    """Set the number of threads of the current thread for a ``with`` block, and restore it afterward.

    BLAS and OpenMP run on one thread meanwhile: the library divides the work between its own threads, and theirs would
    wait actively. A worker stays on its one thread.
    """
    threads, before = 1 if _local.is_worker else resolve_jobs(n_jobs), _local.threads
    _local.threads = threads
    libraries = _libraries
    try:
        with libraries:
            yield threads
    finally:
        _local.threads = before
