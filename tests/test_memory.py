import resource
from pathlib import Path

import numpy as np
import pytest

from residuum import _memory
from residuum._memory import available_bytes, format_bytes, release_pages, resolve_memory_limit
from residuum.errors import InvalidParameterError


@pytest.mark.parametrize(
    ("limit", "size"),
    [
        (1000, 1000),
        ("1000", 1000),
        ("1k", 1024),
        ("2 MB", 2 * 2**20),
        ("1.5GiB", 3 * 2**29),
        (" 8gib ", 2**33),
        ("1T", 2**40),
        ("7B", 7),
    ],
)
def test_units_are_powers_of_1024(limit: object, size: int) -> None:
    assert resolve_memory_limit(limit) == size


def test_the_default_limit_is_half_of_the_available_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_memory, "available_bytes", lambda: 1001)
    assert resolve_memory_limit(None) == 500


@pytest.mark.parametrize("limit", ["lots", "", "-1GiB", "1 PB", "GiB", "1e9"])
def test_an_invalid_size_raises_with_an_example(limit: str) -> None:
    with pytest.raises(
        InvalidParameterError, match=f"memory_limit must be .* such as '512MiB' or '8GiB'; got '{limit}'"
    ):
        resolve_memory_limit(limit)


@pytest.mark.parametrize("limit", [0, -5, "0", "0.1", 1.5, True])
def test_a_limit_below_one_byte_raises(limit: object) -> None:
    with pytest.raises(InvalidParameterError, match=r"memory_limit must be .*at least 1; got"):
        resolve_memory_limit(limit)


def test_this_machine_has_memory_available() -> None:
    assert available_bytes() > 2**20


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 bytes"), (1023, "1023 bytes"), (1024, "1.0 KiB"), (3 * 2**29, "1.5 GiB"), (2**50, "1024.0 TiB")],
)
def test_sizes_are_formatted_with_units(size: int, text: str) -> None:
    assert format_bytes(size) == text


def _machine(monkeypatch, folder, free_kib, files):
    (folder / "meminfo").write_text(f"MemTotal: 99 kB\nMemAvailable:  {free_kib} kB\n")
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.setattr(_memory, "_MEMINFO", folder / "meminfo")
    monkeypatch.setattr(_memory, "_CONTROL_GROUP", folder)


@pytest.mark.parametrize("names", _memory._CONTAINER_FILES)
def test_the_limit_of_a_container_applies(monkeypatch, tmp_path, names):
    limit, used, statistics, cache = names
    files = {limit: "5000\n", used: "3000\n", statistics: f"anon 7\n{cache} 400\nother_{cache} 9\n"}
    _machine(monkeypatch, tmp_path, 100, files)
    assert available_bytes() == 2400
    (tmp_path / used).write_text("9000\n")
    assert available_bytes() == 0


def test_without_a_container_limit_the_memory_of_the_machine_is_available(monkeypatch, tmp_path):
    _machine(monkeypatch, tmp_path, 100, {"memory.max": "max\n", "memory.current": "3000\n", "memory.stat": "anon 7\n"})
    assert available_bytes() == 102_400
    (tmp_path / "memory.max").unlink()
    assert available_bytes() == 102_400
    (tmp_path / "meminfo").unlink()
    assert available_bytes() == 4 * 2**30


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


@pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="needs the resident memory of the process, from Linux"
)
def test_released_pages_leave_the_resident_memory_and_are_read_again(tmp_path: Path) -> None:
    size = 64 << 20
    np.save(tmp_path / "ones.npy", np.ones(size, dtype=np.uint8))
    mapped = np.asarray(np.load(tmp_path / "ones.npy", mmap_mode="r"))
    assert mapped.sum(dtype=np.int64) == size
    before = resident_bytes()
    release_pages(mapped)
    assert before - resident_bytes() > size // 2
    assert mapped.sum(dtype=np.int64) == size


def test_arrays_in_memory_are_not_released() -> None:
    values = np.arange(10_000)
    view = values[10:]
    view.flags.writeable = False
    release_pages(values)
    release_pages(view)
    assert values.sum() == 49_995_000


@pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="needs the resident memory of the process, from Linux"
)
def test_a_range_of_rows_is_released_alone(tmp_path: Path) -> None:
    size = 16 << 20
    np.save(tmp_path / "ones.npy", np.ones(4 * size, dtype=np.uint8).reshape(-1, 4))
    mapped = np.asarray(np.load(tmp_path / "ones.npy", mmap_mode="r"))
    assert mapped.sum(dtype=np.int64) == 4 * size
    before = resident_bytes()
    release_pages(mapped, size // 4, size // 2)
    assert size // 2 < before - resident_bytes() < 2 * size
    assert mapped.sum(dtype=np.int64) == 4 * size


def test_less_than_a_page_is_not_released(tmp_path: Path) -> None:
    np.save(tmp_path / "few.npy", np.arange(12.0).reshape(4, 3))
    mapped = np.load(tmp_path / "few.npy", mmap_mode="r")
    for begin, end in ((0, None), (1, 3), (4, 4)):
        release_pages(mapped, begin, end)
    assert mapped.sum() == 66.0
