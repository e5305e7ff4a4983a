"""Atomic writing of files and folders, and reading errors that name the file."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from residuum.errors import ResiduumError

__all__ = ["atomic_folder", "atomic_path", "reading"]

# Short, so that the temporary name is within the length limit of file names.
_PREFIX = ".residuum-"


@contextlib.contextmanager
def atomic_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path next to ``path``; rename it to ``path`` on success, remove it on error.

    Readers see the old file or the new file, never a partial file, and an error does not change the old file. The
    temporary path has the same suffix as ``path``. A symbolic link is kept, and its target is replaced.

    Parameters
    ----------
    path : path
        File to write.

    Yields
    ------
    Path
        Temporary file to write to.
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
    """Yield a temporary folder next to ``path``; rename it to ``path`` on success, remove it on error.

    An existing folder is moved aside and removed after the renaming, or restored if that fails. A symbolic link is
    kept, and its target is replaced.

    Parameters
    ----------
    path : path
        Folder to write.

    Yields
    ------
    Path
        Temporary folder to write to.
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
    # A folder cannot be renamed to an existing folder that is not empty.
    aside = new.with_name(f"{new.name}.old")
    target.rename(aside)
    try:
        new.rename(target)
    except BaseException:
        aside.rename(target)
        raise
    shutil.rmtree(aside)


@contextlib.contextmanager
def reading(file: Path, error_type: type[ResiduumError]) -> Iterator[None]:
    """Convert the errors that libraries raise for a damaged file to an error that names the file.

    Parameters
    ----------
    file : Path
        File that is read in the ``with`` block.
    error_type : type
        Type of the error. Errors of this type and missing extras are not changed.
    """
    try:
        yield
    except error_type:
        raise
    except ResiduumError as error:
        if isinstance(error, ImportError):  # a missing extra
            raise
        raise error_type(f"{file}: {error}") from error
    except (ValueError, KeyError, TypeError, AttributeError, EOFError, OSError) as error:
        raise error_type(f"{file} cannot be read: {_first_line(error)}") from error
    except Exception as error:
        # Some libraries define their own error types for damaged files.
        if type(error).__module__.split(".")[0] in _LIBRARIES:
            raise error_type(f"{file} cannot be read: {_first_line(error)}") from error
        raise


_LIBRARIES = {"networkx", "xml", "zipfile", "zlib", "_csv", "pyarrow"}


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


@contextlib.contextmanager
def _named_in_errors(target: Path) -> Iterator[None]:
    """Put the target instead of its temporary name into errors of the file system."""
    try:
        yield
    except OSError as error:
        error.filename = str(target)
        raise


def _umask() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return umask
