"""Reading and writing of files: errors that name the file, and outputs that are complete or absent."""

import contextlib
import errno
import os
import shutil
import tempfile
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

from residuum.errors import InvalidParameterError, MemoryLimitError, MissingExtraError, ResiduumError

__all__ = ["atomic_folder", "atomic_path", "check_output", "is_disk_full", "missing_file", "reading"]

# Short, so that the temporary name is within the length limit of file names.
_PREFIX = ".residuum-"
_umask_lock = threading.Lock()


@contextlib.contextmanager
def atomic_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path next to ``path``; rename it to ``path`` on success, remove it on error.

    Readers see the old file or the new file, never a partial file, and an error does not change the old file. The
    temporary path has the same suffix as ``path``. A symbolic link is kept, and its target is replaced. Only a regular
    file is replaced.

    Parameters
    ----------
    path : path
        File to write.

    Yields
    ------
    Path
        Temporary file to write to.
    """
    target = _resolved(path)
    if target.exists() and not target.is_file():
        raise InvalidParameterError(f"{target} is {_kind(target)}, not a regular file; choose another output path.")
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
    target = _resolved(path)
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


def check_output(
    path: str | os.PathLike[str], *, overwrite: bool, inputs: Iterable[str | os.PathLike[str]] = ()
) -> None:
    """Raise an error if a file must not be written to a path.

    Parameters
    ----------
    path : path
        File to write.
    overwrite : bool
        Whether an existing regular file may be replaced; an input never is.
    inputs : iterable of paths, optional
        Files and folders that are read.

    Raises
    ------
    InvalidParameterError
        If the path exists and ``overwrite`` is False, is not a regular file, is one of the inputs, or lies in one.
    """
    target = _resolved(path)
    if not target.parent.is_dir():
        raise InvalidParameterError(f"the folder {Path(path).parent} does not exist; create it first.")
    if target.exists() and not target.is_file():
        raise InvalidParameterError(f"{path} is {_kind(target)}, not a regular file; choose another output path.")
    for source in map(Path, inputs):
        if source.exists() and any(place.samefile(source) for place in (target, *target.parents) if place.exists()):
            raise InvalidParameterError(f"{path} is an input, which is never replaced; choose another output path.")
    if target.exists() and not overwrite:
        raise InvalidParameterError(f"{path} exists; use overwrite=True (--overwrite) to replace it.")


def missing_file(path: Path) -> str:
    """Return why a path cannot be read as a file.

    Parameters
    ----------
    path : Path
        Path that is not a regular file.

    Returns
    -------
    str
        The end of a sentence, such as "does not exist".
    """
    if path.exists():
        return f"is {_kind(path)}, not a file"
    return "is a loop of symbolic links" if path.is_symlink() and _is_loop(path) else "does not exist"


def _is_loop(path: Path) -> bool:
    try:
        path.stat()
    except OSError as error:
        return error.errno == errno.ELOOP
    return False


def _kind(path: Path) -> str:
    if path.is_dir():
        return "a folder"
    if path.is_fifo():
        return "a FIFO"
    return "a device" if path.is_char_device() or path.is_block_device() else "a special file"


def _resolved(path: str | os.PathLike[str]) -> Path:
    """Return the absolute path without symbolic links."""
    try:
        target = Path(path).resolve()
    except RuntimeError:  # a loop, before Python 3.13
        target = Path(path)
    if target.is_symlink():
        raise InvalidParameterError(f"{path} is a loop of symbolic links; choose another path.")
    return target


@contextlib.contextmanager
def reading(file: Path, error_type: type[ResiduumError], way_out: str = "") -> Iterator[None]:
    """Convert every error that a damaged file causes to an error that names the file.

    Libraries raise almost any type of exception for a damaged file, so all of them are converted; the original is the
    cause of the new error.

    Parameters
    ----------
    file : Path
        File that is read in the ``with`` block.
    error_type : type
        Type of the error. Errors of this type, warnings, missing extras, exceeded memory limits and a full disk are
        not changed.
    way_out : str, optional
        Sentence that says what to do, without its period.
    """
    end = f" {way_out}." if way_out else ""
    try:
        yield
    except (error_type, MissingExtraError, MemoryLimitError, Warning):
        raise
    except ResiduumError as error:
        raise error_type(f"{file}: {error}") from error
    except MemoryError as error:
        raise error_type(
            f"{file} cannot be read: it needs more memory than is available, or is damaged.{end}"
        ) from error
    except RecursionError as error:
        raise error_type(f"{file} cannot be read: it is nested too deeply.{end}") from error
    except Exception as error:
        if is_disk_full(error):
            raise
        raise error_type(f"{file} cannot be read: {_first_line(error).removesuffix('.')}.{end}") from error


def _first_line(error: Exception) -> str:
    return next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)


def is_disk_full(error: BaseException) -> bool:
    """Return whether an error says that a file cannot grow: a full disk, a quota or a size limit.

    Parameters
    ----------
    error : exception
        Any exception.

    Returns
    -------
    bool
        True for the error numbers of a full disk, and for numpy's short writes, which have none.
    """
    if not isinstance(error, OSError):
        return False
    return error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG} or (
        error.errno is None and "requested and" in str(error)
    )


@contextlib.contextmanager
def _named_in_errors(target: Path) -> Iterator[None]:
    """Put the target instead of its temporary name, or of no name, into errors of the file system."""
    try:
        yield
    except OSError as error:
        if error.errno is None and is_disk_full(error):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target)) from error
        error.filename = str(target)
        raise


def _umask() -> int:
    """Return the file mode mask, which can be read only by setting it; not from two threads at once."""
    with _umask_lock:
        umask = os.umask(0)
        os.umask(umask)
    return umask
