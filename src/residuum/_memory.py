"""Memory in bytes: the limit set by the user, and the memory available."""

import contextlib
import mmap
import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._validation import check_integer
from residuum.errors import InvalidParameterError

__all__ = ["available_bytes", "format_bytes", "release_pages", "resolve_memory_limit"]

_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:I?B)?\s*", re.IGNORECASE)
_MEMINFO, _CONTROL_GROUP = Path("/proc/meminfo"), Path("/sys/fs/cgroup")
# Files of cgroup v2 and v1: limit, usage and statistics, and the name of the file cache in the statistics.
_CONTAINER_FILES = (
    ("memory.max", "memory.current", "memory.stat", "inactive_file"),
    ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "memory/memory.stat", "total_inactive_file"),
)
# Assumed where the system does not report its memory.
_UNKNOWN = 4 * 2**30
# Default limit as a share of the available memory, which other processes use, too.
_SAFE_SHARE = 0.5


def resolve_memory_limit(limit: Any) -> int:
    """Return the memory limit in bytes.

    Parameters
    ----------
    limit : int, str or None
        Number of bytes, a size such as ``"8GiB"``, or None for half of the available memory. Units are powers of 1024.

    Returns
    -------
    int
        Limit in bytes.

    Examples
    --------
    >>> resolve_memory_limit("1.5GiB")
    1610612736
    """
    if limit is None:
        return int(available_bytes() * _SAFE_SHARE)
    if isinstance(limit, str):
        match = _SIZE.fullmatch(limit)
        if match is None:
            raise InvalidParameterError(
                f"memory_limit must be a number of bytes or a size such as '512MiB' or '8GiB'; got {_shortened(limit)}."
            )
        size = float(match[1]) * _UNITS[match[2].upper()]
        if size >= 2**63:
            raise InvalidParameterError(f"memory_limit must be below 8 EiB; got {_shortened(limit)}.")
        return check_integer("memory_limit", int(size), minimum=1)
    return check_integer("memory_limit", limit, minimum=1)


def _shortened(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:20]}…{text[-10:]}")


def available_bytes() -> int:
    """Return the memory that can be allocated without swapping.

    In a container, the limit of the container applies, too. If the system reports nothing, 4 GiB are assumed.

    Returns
    -------
    int
        Memory in bytes.
    """
    sizes = [_machine_bytes(), *(_container_bytes(*names) for names in _CONTAINER_FILES)]
    return min((size for size in sizes if size is not None), default=_UNKNOWN)


def _machine_bytes() -> int | None:
    if not _MEMINFO.exists():
        return None
    match = re.search(r"MemAvailable:\s+(\d+) kB", _MEMINFO.read_text())
    return None if match is None else int(match[1]) * 1024


def _container_bytes(limit: str, usage: str, statistics: str, cache: str) -> int | None:
    """Return the memory below the limit of a control group; the file cache counts as free."""
    try:
        allowed, used = ((_CONTROL_GROUP / name).read_text().strip() for name in (limit, usage))
        cached = re.search(rf"^{cache} (\d+)$", (_CONTROL_GROUP / statistics).read_text(), re.MULTILINE)
    except OSError:
        return None
    if not (allowed.isdecimal() and used.isdecimal()):  # "max"
        return None
    return max(int(allowed) - int(used) + (0 if cached is None else int(cached[1])), 0)


def format_bytes(size: float) -> str:
    """Return a size with its unit, in powers of 1024.

    Parameters
    ----------
    size : float
        Number of bytes.

    Returns
    -------
    str
        Size with one decimal, or none for bytes.

    Examples
    --------
    >>> format_bytes(1610612736)
    '1.5 GiB'
    """
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TiB"


def release_pages(array: NDArray[Any], begin: int = 0, end: int | None = None) -> None:
    """Remove a memory-mapped array from the resident memory of the process; it is read again when it is used.

    Parameters
    ----------
    array : array
        Any array; nothing happens if it is not a read-only memory map, or the system cannot do it.
    begin, end : int, optional
        Range of rows whose pages are removed; all by default.
    """
    part, base = array[begin:end], array
    while isinstance(base, np.ndarray) and base.base is not None and not base.flags.writeable:
        base = base.base
    if isinstance(base, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED") and part.flags.c_contiguous:
        start = part.__array_interface__["data"][0] - np.frombuffer(base, np.uint8).__array_interface__["data"][0]
        first, last = -(-start // mmap.PAGESIZE), (start + part.nbytes) // mmap.PAGESIZE
        if first >= last:  # less than a page
            return
        with contextlib.suppress(OSError):
            base.madvise(mmap.MADV_DONTNEED, mmap.PAGESIZE * first, mmap.PAGESIZE * (last - first))
