"""Files and folders that are either whole or not there."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

__all__ = ["atomic_folder", "atomic_path"]


@contextlib.contextmanager
def atomic_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path beside ``path``; rename it to ``path`` if the block ends well, else remove it.

    Readers see the old file or the new one, never half of one, and an error leaves the old file alone.
    """
    target = Path(path)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix="".join(target.suffixes))
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def atomic_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a new folder beside ``path``; rename it to ``path`` if the block ends well, else remove it and all in it.

    A folder that is already at ``path`` is put aside first, put back if the renaming fails, and then removed.
    """
    target = Path(path)
    temporary = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    try:
        yield temporary
        temporary.chmod(0o777 & ~_umask())
        _replace_folder(temporary, target)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _replace_folder(new: Path, target: Path) -> None:
    if not target.exists():
        new.rename(target)
        return
    # A folder cannot be renamed to one that has something in it.
    aside = new.with_name(f"{new.name}.old")
    target.rename(aside)
    try:
        new.rename(target)
    except BaseException:
        aside.rename(target)
        raise
    shutil.rmtree(aside)


def _umask() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return umask
