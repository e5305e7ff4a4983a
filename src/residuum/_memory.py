"""Sizes in bytes: what the user allows, what the machine has left."""

import re
from pathlib import Path
from typing import Any

from residuum._validation import check_integer
from residuum.errors import InvalidParameterError

__all__ = ["available_bytes", "format_bytes", "resolve_memory_limit"]

_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:I?B)?\s*", re.IGNORECASE)
_MEMINFO, _CONTROL_GROUP = Path("/proc/meminfo"), Path("/sys/fs/cgroup")
# Limit, use, statistics, and the name of the file cache in these: of version 2 and of version 1.
_CONTAINER_FILES = (
    ("memory.max", "memory.current", "memory.stat", "inactive_file"),
    ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "memory/memory.stat", "total_inactive_file"),
)
_UNKNOWN = 4 * 2**30
# What is free now is shared with the rest of the machine: take half of it unless told otherwise.
_SAFE_SHARE = 0.5


def resolve_memory_limit(limit: Any) -> int:
    """Return the memory limit in bytes: a number, a text such as ``"8GiB"``, or None for half of what is free.

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
                f"memory_limit must be a number of bytes or a size such as '512MiB' or '8GiB'; got {limit!r}."
            )
        return check_integer("memory_limit", int(float(match[1]) * _UNITS[match[2].upper()]), minimum=1)
    return check_integer("memory_limit", limit, minimum=1)


def available_bytes() -> int:
    """Return the memory that can be taken without swapping, as far as the system tells.

    In a container it is what the container is allowed, if that is less than what the machine has free.
    """
    found = [_machine_bytes(), *(_container_bytes(*names) for names in _CONTAINER_FILES)]
    return min((size for size in found if size is not None), default=_UNKNOWN)


def _machine_bytes() -> int | None:
    if not _MEMINFO.exists():
        return None
    match = re.search(r"MemAvailable:\s+(\d+) kB", _MEMINFO.read_text())
    return None if match is None else int(match[1]) * 1024


def _container_bytes(limit: str, used: str, statistics: str, cache: str) -> int | None:
    """Return what the limit of a control group leaves; files that are cached can be dropped, and are not in use."""
    try:
        allowed, taken = ((_CONTROL_GROUP / name).read_text().strip() for name in (limit, used))
        cached = re.search(rf"^{cache} (\d+)$", (_CONTROL_GROUP / statistics).read_text(), re.MULTILINE)
    except OSError:
        return None
    if not (allowed.isdecimal() and taken.isdecimal()):  # "max"
        return None
    return max(int(allowed) - int(taken) + (0 if cached is None else int(cached[1])), 0)


def format_bytes(size: float) -> str:
    """Return a size as a person writes it.

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
