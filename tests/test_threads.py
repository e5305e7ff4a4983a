import itertools
import multiprocessing
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from residuum import _threads
from residuum._threads import (
    even_ranges,
    exp_in_place,
    in_parts,
    in_threads,
    log_in_place,
    n_threads,
    on_one_thread,
    resolve_jobs,
    run_ranges,
    thread_limit,
)
from residuum.errors import InvalidParameterError

# Seconds after which a test fails instead of waiting for a deadlock.
PATIENCE = 30.0
# The function that `four_cores` replaces.
available = _threads._available

pytestmark = [
    pytest.mark.usefixtures("four_cores"),
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]


@pytest.fixture
def set_cpu_count(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """Return a function that sets the number of cores that joblib counts."""
    monkeypatch.setattr(_threads, "_available", available)

    def set_count(cores: int) -> None:
        available.cache_clear()
        monkeypatch.setattr("joblib.cpu_count", lambda: cores)

    yield set_count
    available.cache_clear()


def blas_threads() -> list[int]:
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def in_new_thread(function: Callable[[], None]) -> None:
    """Call a function in a Python thread, and raise its exception here."""
    errors: list[BaseException] = []

    def call() -> None:
        try:
            function()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert not thread.is_alive(), "deadlock"
    if errors:
        raise errors[0]


@pytest.mark.parametrize("cores", [1, 2, 7])
def test_none_and_minus_one_use_all_available_cores(set_cpu_count: Callable[[int], None], cores: int) -> None:
    set_cpu_count(cores)
    assert resolve_jobs(None) == resolve_jobs(-1) == n_threads() == cores


def test_n_jobs_is_capped_at_the_number_of_cores(set_cpu_count: Callable[[int], None]) -> None:
    set_cpu_count(3)
    assert [resolve_jobs(n_jobs) for n_jobs in (1, 2, 3, 4, 10_000)] == [1, 2, 3, 3, 3]


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
    def block() -> None:
        with thread_limit(3), thread_limit(2) as threads:
            assert threads == n_threads() == 2
            assert set(blas_threads()) <= {1}
            raise ZeroDivisionError

    before = n_threads(), blas_threads()
    with pytest.raises(ZeroDivisionError):
        block()
    assert (n_threads(), blas_threads()) == before
    with pytest.raises(InvalidParameterError), thread_limit(0):
        pass
    assert (n_threads(), blas_threads()) == before


def test_nested_limits_are_restored_in_turn() -> None:
    with thread_limit(3):
        with thread_limit(1):
            assert n_threads() == 1
        assert n_threads() == 3
        assert set(blas_threads()) <= {1}
    assert n_threads() == 4


def test_each_python_thread_has_its_own_limit() -> None:
    both, limits = threading.Barrier(2), {}

    def block(limit: int) -> None:
        with thread_limit(limit):
            both.wait(PATIENCE)
            limits[limit] = n_threads()
            both.wait(PATIENCE)

    threads = [threading.Thread(target=block, args=(limit,)) for limit in (2, 3)]
    with thread_limit(1):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        assert n_threads() == 1
    assert limits == {2: 2, 3: 3}


def test_a_new_python_thread_has_no_limit() -> None:
    seen: list[int] = []
    with thread_limit(1):
        in_new_thread(lambda: seen.append(n_threads()))
    assert seen == [4]


def test_blas_has_one_thread_until_the_last_of_overlapping_blocks_ends() -> None:
    from threadpoolctl import threadpool_limits

    entered, leave = threading.Event(), threading.Event()

    def other() -> None:
        with thread_limit(2):
            entered.set()
            leave.wait(PATIENCE)

    thread = threading.Thread(target=other)
    with threadpool_limits(limits=2, user_api="blas"):
        before = blas_threads()
        with thread_limit(2):
            thread.start()
            assert entered.wait(PATIENCE)
            assert set(blas_threads()) <= {1}
        assert set(blas_threads()) <= {1}
        leave.set()
        thread.join(PATIENCE)
        assert blas_threads() == before


def test_blas_has_one_thread_in_the_workers() -> None:
    with thread_limit(2):
        assert {count for counts in in_threads(lambda _: blas_threads(), range(4)) for count in counts} <= {1}


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("n_items", [0, 1, 2, 50])
def test_results_are_in_the_order_of_the_items(n_items: int, threads: int) -> None:
    delays = np.random.default_rng(0).random(n_items) / 200

    def square(item: int) -> int:
        time.sleep(delays[item])
        return item**2

    with thread_limit(threads):
        assert list(in_threads(square, iter(range(n_items)))) == [item**2 for item in range(n_items)]


def test_as_many_calls_run_at_once_as_there_are_threads() -> None:
    # Each call waits for the two others.
    together = threading.Barrier(3)
    with thread_limit(3):
        assert len(list(in_threads(lambda _: together.wait(PATIENCE), range(6)))) == 6


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_no_more_calls_run_at_once_than_there_are_threads(threads: int) -> None:
    lock, running, most = threading.Lock(), 0, 0

    def call(_: int) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.002)
        with lock:
            running -= 1

    with thread_limit(threads):
        assert len(list(in_threads(call, range(30)))) == 30
    assert most <= threads


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("slow", ["first calls", "consumer"])
def test_at_most_one_more_result_than_threads_is_outstanding(slow: str, threads: int) -> None:
    lock, started, consumed, most = threading.Lock(), 0, 0, 0

    def call(item: int) -> None:
        nonlocal started, most
        with lock:
            started += 1
            most = max(most, started - consumed)
        time.sleep(0.05 if slow == "first calls" and item % 10 == 0 else 0.0)

    with thread_limit(threads):
        for _ in in_threads(call, range(30)):
            if slow == "consumer":
                time.sleep(0.002)
            with lock:
                consumed += 1
    assert started == 30
    assert most <= threads + 1


def test_items_are_taken_when_they_are_needed() -> None:
    taken: list[int] = []
    with thread_limit(2):
        results = in_threads(lambda item: item, (taken.append(item) or item for item in itertools.count()))
        assert [next(results) for _ in range(5)] == [0, 1, 2, 3, 4]
        assert len(taken) <= 5 + 3
        results.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_exceptions_are_raised_in_order(threads: int) -> None:
    def divide(item: int) -> float:
        return 6 / (3 - item)

    with thread_limit(threads):
        results = in_threads(divide, range(20))
        assert [next(results) for _ in range(3)] == [2.0, 3.0, 6.0]
        with pytest.raises(ZeroDivisionError):
            next(results)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_no_call_starts_after_a_failed_call(threads: int) -> None:
    started: list[int] = []

    def call(item: int) -> None:
        started.append(item)
        if item == threads - 1:
            time.sleep(0.05)
            raise ZeroDivisionError
        # The other calls are still running when the last one fails.
        time.sleep(0.3)

    with thread_limit(threads), pytest.raises(ZeroDivisionError):
        list(in_threads(call, range(30)))
    assert sorted(started) == list(range(threads))


@pytest.mark.parametrize("threads", [2, 4])
def test_running_calls_end_before_an_error_is_raised(threads: int) -> None:
    lock, running = threading.Lock(), 0

    def call(item: int) -> None:
        nonlocal running
        if item == 0:
            raise ZeroDivisionError
        with lock:
            running += 1
        time.sleep(0.05)
        with lock:
            running -= 1

    with thread_limit(threads), pytest.raises(ZeroDivisionError):
        list(in_threads(call, range(30)))
    assert running == 0


def test_errors_of_the_items_are_raised_after_running_calls() -> None:
    ended: list[int] = []

    def items() -> Iterator[int]:
        yield 0
        raise ZeroDivisionError

    def call(item: int) -> None:
        time.sleep(0.05)
        ended.append(item)

    with thread_limit(2), pytest.raises(ZeroDivisionError):
        list(in_threads(call, items()))
    assert ended == [0]


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_generator_that_is_closed_early_waits_for_running_calls(threads: int) -> None:
    started: list[int] = []
    ended: list[int] = []

    def call(item: int) -> None:
        started.append(item)
        time.sleep(0.02)
        ended.append(item)

    with thread_limit(threads):
        results = in_threads(call, range(100))
        next(results)
        results.close()  # type: ignore[attr-defined]
    assert sorted(started) == sorted(ended)
    n_started = len(started)
    assert n_started <= threads + 1
    time.sleep(0.05)
    assert len(started) == n_started


def test_the_pool_works_after_an_error() -> None:
    def fail(_: int) -> None:
        raise ZeroDivisionError

    with thread_limit(4):
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                list(in_threads(fail, range(10)))
        assert list(in_threads(abs, [-1, -2, -3])) == [1, 2, 3]


def test_nested_calls_run_in_the_thread_of_the_worker() -> None:
    def inner(_: int) -> str:
        return threading.current_thread().name

    def outer(_: int) -> tuple[int, str, set[str]]:
        return n_threads(), inner(0), set(in_threads(inner, range(5)))

    def nested() -> None:
        with thread_limit(4):
            for threads, worker, names in in_threads(outer, range(20)):
                assert threads == 1
                assert names == {worker}

    in_new_thread(nested)


def test_several_python_threads_share_the_pool() -> None:
    def total(count: int) -> None:
        with thread_limit(1 + count % 4):
            assert sum(in_threads(lambda item: item * count, range(200))) == 19_900 * count

    errors: list[BaseException] = []

    def check(count: int) -> None:
        try:
            total(count)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=check, args=(count,), daemon=True) for count in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    assert errors == []
    assert sum(thread.name.startswith("residuum") for thread in threading.enumerate()) <= 4


def use_threads() -> None:
    """Use limits and the pool, and raise an error if a result is wrong."""
    with thread_limit(2):
        if set(blas_threads()) - {1}:
            raise AssertionError(blas_threads())
        if list(in_threads(abs, range(-20, 0))) != list(range(20, 0, -1)):
            raise AssertionError
        if sum(in_parts(lambda begin, end: end - begin, 1001)) != 1001:
            raise AssertionError


def exit_code(method: str, target: Callable[..., Any] = use_threads) -> int | None:
    """Return the exit code of a function in a new process, or None after a timeout."""
    process: Any = multiprocessing.get_context(method).Process(target=target)  # type: ignore[attr-defined]
    process.start()
    process.join(PATIENCE)
    if process.is_alive():
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        return None
    return int(process.exitcode)


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform has no fork")


@needs_fork
def test_a_forked_child_starts_its_own_threads() -> None:
    use_threads()

    def child() -> None:
        parents = list(threading.enumerate())
        assert not any(thread.name.startswith("residuum") for thread in parents)
        use_threads()
        assert any(thread.name.startswith("residuum") for thread in threading.enumerate())

    assert exit_code("fork", child) == 0
    use_threads()


@needs_fork
def test_a_grandchild_can_be_forked() -> None:
    use_threads()

    def child() -> None:
        use_threads()
        assert exit_code("fork") == 0
        use_threads()

    assert exit_code("fork", child) == 0


@needs_fork
def test_a_child_can_be_forked_in_a_with_block() -> None:
    with thread_limit(2):
        use_threads()
        assert exit_code("fork") == 0
    use_threads()


@needs_fork
def test_a_child_can_be_forked_while_another_thread_has_a_limit() -> None:
    entered, leave = threading.Event(), threading.Event()

    def other() -> None:
        with thread_limit(2):
            entered.set()
            leave.wait(PATIENCE)

    thread = threading.Thread(target=other)
    thread.start()
    assert entered.wait(PATIENCE)
    try:
        assert exit_code("fork") == 0
    finally:
        leave.set()
        thread.join(PATIENCE)


@needs_fork
def test_children_can_be_forked_while_other_threads_use_the_pool() -> None:
    leave = threading.Event()

    def other() -> None:
        while not leave.is_set():
            use_threads()

    threads = [threading.Thread(target=other) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        assert [exit_code("fork") for _ in range(10)] == [0] * 10
    finally:
        leave.set()
        for thread in threads:
            thread.join(PATIENCE)


@needs_fork
def test_a_child_that_is_forked_during_a_call_leaves_the_pool_of_its_parent_alone() -> None:
    with thread_limit(2):
        results = in_threads(lambda item: time.sleep(0.01) or item, range(20))
        first = next(results)
        assert exit_code("fork") == 0
        assert [first, *results] == list(range(20))


@needs_fork
def test_a_limit_in_a_worker_causes_no_deadlock() -> None:
    def nested() -> None:
        everyone = threading.Barrier(4)

        def outer(_: int) -> list[int]:
            everyone.wait(PATIENCE)
            with thread_limit(4):
                return list(in_threads(abs, range(8)))

        with thread_limit(4):
            assert list(in_threads(outer, range(4))) == [list(range(8))] * 4

    # In a process, because threads that wait forever would also prevent the end of the tests.
    assert exit_code("fork", nested) == 0


def test_a_spawned_child_uses_threads() -> None:
    use_threads()
    with thread_limit(2):
        assert exit_code("spawn") == 0


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("length", [0, 1, 3, 15, 16, 17, 1000])
@pytest.mark.parametrize("operations", [0, 1e12])
def test_even_ranges_cover_the_length_once_and_are_even(length: int, threads: int, operations: float) -> None:
    with thread_limit(threads):
        bounds = even_ranges(length, operations)
    assert (bounds[0], bounds[-1]) == (0, length)
    assert len(bounds) == 2 or (threads > 1 and operations > 0)
    sizes = np.diff(bounds)
    assert (sizes >= 0).all()
    assert sizes.max() - sizes.min() <= 1


def test_there_are_a_few_even_ranges_per_thread() -> None:
    with thread_limit(2):
        assert len(even_ranges(10_000, 1e12)) - 1 >= 2 * 2


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("bounds", [[0, 0], [0, 7], [3, 9], [0, 1, 1, 5, 20], [5, 5, 6, 30, 30], [0, 0, 0]])
def test_ranges_are_each_visited_once(bounds: list[int], threads: int) -> None:
    visits: Counter[int] = Counter()
    lock = threading.Lock()

    def visit(begin: int, end: int) -> None:
        assert type(begin) is type(end) is int
        with lock:
            visits.update(range(begin, end))

    with thread_limit(threads):
        for sequence in (bounds, np.array(bounds)):
            visits.clear()
            run_ranges(visit, sequence)
            assert visits == Counter(range(bounds[0], bounds[-1]))


def test_one_thread_visits_all_ranges_in_one_call() -> None:
    calls: list[tuple[int, int]] = []
    with thread_limit(1):
        run_ranges(lambda begin, end: calls.append((begin, end)), [2, 5, 5, 9])
    assert calls == [(2, 9)]


def test_an_error_in_a_range_is_raised() -> None:
    def fail(begin: int, end: int) -> None:
        if begin == 5:
            raise ZeroDivisionError

    with thread_limit(2), pytest.raises(ZeroDivisionError):
        run_ranges(fail, [0, 5, 9])


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("length", [0, 1, 3, 1000])
def test_there_is_one_part_per_thread_in_order(length: int, threads: int) -> None:
    with thread_limit(threads):
        parts = in_parts(lambda begin, end: (begin, end), length)
    assert len(parts) == threads
    assert [item for begin, end in parts for item in range(begin, end)] == list(range(length))


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("shape", [(0,), (7,), (400, 300), (1, 120_000), (777, 901)])
def test_functions_in_place_equal_those_of_numpy(shape: tuple[int, ...], threads: int) -> None:
    values = np.random.default_rng(0).random(shape, dtype=np.float32) + np.float32(0.1)
    logs, exponentials = values.copy(), values.copy()
    with thread_limit(threads):
        log_in_place(logs)
        exp_in_place(exponentials)
    np.testing.assert_array_equal(logs, np.log(values))
    np.testing.assert_array_equal(exponentials, np.exp(values))


def test_on_one_thread_the_library_starts_no_others_and_leaves_blas_alone():
    before, blas = n_threads(), blas_threads()
    with on_one_thread():
        assert n_threads() == 1
        assert len(set(in_threads(lambda _: threading.get_ident(), range(8)))) == 1
        assert blas_threads() == blas
    assert n_threads() == before
