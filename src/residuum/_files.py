"""Files and folders that are either whole or not there."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

__all__ = ["atomic_folder", "atomic_path"]

# Short, so that whatever name the file system takes for the result can be written.
_PREFIX = ".residuum-"


@contextlib.contextmanager
def atomic_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path beside ``path``; rename it to ``path`` if the block ends well, else remove it.

    Readers see the old file or the new one, never half of one, and an error leaves the old file alone. The temporary
    path has the last ending of ``path``. A symbolic link stays one, and what it leads to is replaced.
    """
    target = Path(path).resolve()
    with _named_in_errors(target):
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=_PREFIX, suffix=target.suffix)
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

    A folder that is already at ``path`` is put aside first, put back if the renaming fails, and then removed. A
    symbolic link stays one, and the folder that it leads to is replaced.
    """
    target = Path(path).resolve()
    with _named_in_errors(target):
        temporary = Path(tempfile.mkdtemp(dir=target.parent, prefix=_PREFIX))
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


@contextlib.contextmanager
def _named_in_errors(target: Path) -> Iterator[None]:
    """Errors name what was to be written, not its temporary name."""
    try:
        yield
    except OSError as error:
        error.filename = str(target)
        raise


def _umask() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return umask
