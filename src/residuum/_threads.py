"""How many threads the kernels and the linear algebra use."""

import contextlib
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from residuum._validation import check_integer
from residuum.errors import InvalidParameterError

__all__ = ["exp_in_place", "log_in_place", "resolve_jobs", "thread_limit"]


# Arrays below this size are done before a thread has started.
_WORTH_THREADS = 100_000


def resolve_jobs(n_jobs: int | None) -> int:
    """Return a number of threads: None and -1 mean every core that this process may use."""
    available = min(int(vars(numba.config)["NUMBA_NUM_THREADS"]), _usable_cores())
    if n_jobs is None or n_jobs == -1:
        return available
    if isinstance(n_jobs, int) and n_jobs < -1:
        raise InvalidParameterError(f"n_jobs must be -1, None or at least 1; got {n_jobs}.")
    return min(check_integer("n_jobs", n_jobs, minimum=1), available)


def _usable_cores() -> int:
    """Cores that this process may use; systems without affinity count them all."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def log_in_place(values: NDArray[np.float32]) -> None:
    """Take the logarithm of positive numbers in place: numpy's vectorised one, on as many threads as the kernels."""
    _in_place(np.log, values)


def exp_in_place(values: NDArray[np.float32]) -> None:
    """Take the exponential in place, in the same way."""
    _in_place(np.exp, values)


def _in_place(function: np.ufunc, values: NDArray[np.float32]) -> None:
    threads = numba.get_num_threads()
    if threads == 1 or values.size < _WORTH_THREADS:
        function(values, out=values)
        return
    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(function, part, out=part) for part in np.array_split(values, threads)]:
            done.result()


@contextlib.contextmanager
def thread_limit(n_jobs: int | None) -> Iterator[int]:
    """Run a block with ``n_jobs`` threads in the kernels and in BLAS, then restore what was set before."""
    threads = resolve_jobs(n_jobs)
    before = numba.get_num_threads()
    numba.set_num_threads(threads)
    try:
        with threadpool_limits(limits=threads):
            yield threads
    finally:
        numba.set_num_threads(before)
