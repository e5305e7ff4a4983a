import numba
import numpy as np
import pytest
from threadpoolctl import threadpool_info

from residuum._threads import exp_in_place, log_in_place, resolve_jobs, thread_limit
from residuum.errors import InvalidParameterError


@pytest.mark.parametrize("cores", [1, 2])
def test_none_and_minus_one_use_all_available_cores(monkeypatch: pytest.MonkeyPatch, cores: int) -> None:
    monkeypatch.setattr("joblib.cpu_count", lambda: cores)
    expected = min(cores, numba.config.NUMBA_NUM_THREADS)
    assert resolve_jobs(None) == resolve_jobs(-1) == expected


def test_n_jobs_is_capped_at_the_number_of_cores() -> None:
    assert resolve_jobs(10_000) == resolve_jobs(None)
    assert resolve_jobs(1) == 1


@pytest.mark.parametrize(
    ("n_jobs", "rule"),
    [
        (0, "n_jobs must be at least 1; got 0"),
        (-2, "n_jobs must be -1, None or at least 1; got -2"),
        (1.5, r"n_jobs must be an integer of at least 1; got 1\.5"),
        ("2", "n_jobs must be an integer of at least 1; got '2'"),
        (True, "n_jobs must be an integer of at least 1; got True"),
    ],
)
def test_an_invalid_n_jobs_raises(n_jobs: object, rule: str) -> None:
    with pytest.raises(InvalidParameterError, match=rule):
        resolve_jobs(n_jobs)  # type: ignore[arg-type]


def test_the_limit_holds_in_the_with_block_and_is_restored_after_an_error() -> None:
    def state() -> tuple[int, list[int]]:
        return numba.get_num_threads(), [pool["num_threads"] for pool in threadpool_info()]

    def block() -> None:
        with thread_limit(1) as threads:
            assert threads == numba.get_num_threads() == 1
            assert all(pool["num_threads"] == 1 for pool in threadpool_info() if pool["user_api"] == "blas")
            raise ZeroDivisionError

    before = state()
    with pytest.raises(ZeroDivisionError):
        block()
    assert state() == before


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("shape", [(0,), (7,), (400, 300), (1, 120_000)])
def test_functions_in_place_equal_those_of_numpy(shape: tuple[int, ...], threads: int) -> None:
    values = np.random.default_rng(0).random(shape, dtype=np.float32) + np.float32(0.1)
    logs, exponentials = values.copy(), values.copy()
    with thread_limit(threads):
        log_in_place(logs)
        exp_in_place(exponentials)
    np.testing.assert_array_equal(logs, np.log(values))
    np.testing.assert_array_equal(exponentials, np.exp(values))
