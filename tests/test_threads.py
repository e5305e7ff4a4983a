import numba
import pytest
from threadpoolctl import threadpool_info

from residuum import _threads
from residuum._threads import resolve_jobs, thread_limit
from residuum.errors import InvalidParameterError


@pytest.mark.parametrize("cores", [1, 2])
def test_none_and_minus_one_are_every_core_that_may_be_used(monkeypatch: pytest.MonkeyPatch, cores: int) -> None:
    monkeypatch.setattr(_threads, "_usable_cores", lambda: cores)
    expected = min(cores, numba.config.NUMBA_NUM_THREADS)
    assert resolve_jobs(None) == resolve_jobs(-1) == expected


def test_more_jobs_than_cores_are_as_many_as_cores() -> None:
    assert resolve_jobs(10_000) == resolve_jobs(None)
    assert resolve_jobs(1) == 1


@pytest.mark.parametrize(
    ("n_jobs", "rule"),
    [
        (0, "n_jobs must be at least 1; got 0"),
        (-2, "n_jobs must be -1, None or at least 1; got -2"),
        (1.5, r"n_jobs must be a whole number of at least 1; got 1\.5"),
        ("2", "n_jobs must be a whole number of at least 1; got '2'"),
        (True, "n_jobs must be a whole number of at least 1; got True"),
    ],
)
def test_wrong_number_of_jobs_is_refused(n_jobs: object, rule: str) -> None:
    with pytest.raises(InvalidParameterError, match=rule):
        resolve_jobs(n_jobs)  # type: ignore[arg-type]


def test_limit_holds_in_the_block_and_is_taken_back_after_an_error() -> None:
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
