"""Number of threads of the kernels and of BLAS, and elementwise functions on several threads."""

import contextlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import joblib
import numba
import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from residuum._validation import check_integer
from residuum.errors import InvalidParameterError

__all__ = ["exp_in_place", "log_in_place", "resolve_jobs", "thread_limit"]

# Smaller arrays are faster on one thread.
_WORTH_THREADS = 100_000


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
    available = min(int(vars(numba.config)["NUMBA_NUM_THREADS"]), int(joblib.cpu_count()))
    if n_jobs is None or n_jobs == -1:
        return available
    if isinstance(n_jobs, int) and n_jobs < -1:
        raise InvalidParameterError(f"n_jobs must be -1, None or at least 1; got {n_jobs}.")
    return min(check_integer("n_jobs", n_jobs, minimum=1), available)


def log_in_place(values: NDArray[np.float32]) -> None:
    """Replace positive values by their logarithm, with numpy's vectorized ``log`` on the threads of the kernels."""
    _in_place(np.log, values)


def exp_in_place(values: NDArray[np.float32]) -> None:
    """Replace values by their exponential, with numpy's vectorized ``exp`` on the threads of the kernels."""
    _in_place(np.exp, values)


def _in_place(function: np.ufunc, values: NDArray[np.float32]) -> None:
    threads = numba.get_num_threads()
    if threads == 1 or values.size < _WORTH_THREADS:
        function(values, out=values)
        return
    with ThreadPoolExecutor(threads) as pool:
        for future in [pool.submit(function, chunk, out=chunk) for chunk in np.array_split(values, threads)]:
            future.result()


@contextlib.contextmanager
def thread_limit(n_jobs: int | None) -> Iterator[int]:
    """Set the number of threads of the kernels and of BLAS for a ``with`` block, and restore it afterward."""
    threads = resolve_jobs(n_jobs)
    before = numba.get_num_threads()
    numba.set_num_threads(threads)
    try:
        with threadpool_limits(limits=threads):
            yield threads
    finally:
        numba.set_num_threads(before)
