import csv
import errno
import os
import stat
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from residuum._files import _replace_folder, atomic_folder, atomic_path, check_output, missing_file, reading
from residuum.errors import (
    GraphFileError,
    InvalidGraphError,
    InvalidParameterError,
    MissingExtraError,
    ResiduumWarning,
)


def test_the_file_appears_after_the_with_block(tmp_path: Path) -> None:
    file = tmp_path / "x.tar.gz"
    with atomic_path(file) as temporary:
        temporary.write_text("new")
        assert temporary.parent == tmp_path
        assert temporary.suffix == ".gz"
        assert not file.exists()
    assert file.read_text() == "new"
    assert list(tmp_path.iterdir()) == [file]


def test_an_existing_file_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_text("old")
    with atomic_path(str(file)) as temporary:
        temporary.write_text("new")
        assert file.read_text() == "old"
    assert file.read_text() == "new"


def test_a_long_name_with_several_dots_can_be_written(tmp_path: Path) -> None:
    file = tmp_path / f"x.{'y' * 240}.parquet"
    with atomic_path(file) as temporary:
        temporary.write_text("new")
    assert file.read_text() == "new"


def test_a_symbolic_link_is_kept_and_its_target_replaced(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "file").write_text("old")
    (tmp_path / "elsewhere" / "folder").mkdir()
    for kind in ("file", "folder"):
        (tmp_path / kind).symlink_to(tmp_path / "elsewhere" / kind)
    with atomic_path(tmp_path / "file") as temporary:
        temporary.write_text("new")
    with atomic_folder(tmp_path / "folder") as temporary:
        (temporary / "part").touch()
    assert all((tmp_path / kind).is_symlink() for kind in ("file", "folder"))
    assert (tmp_path / "elsewhere" / "file").read_text() == "new"
    assert sorted(path.name for path in (tmp_path / "elsewhere").rglob("*")) == ["file", "folder", "part"]


@pytest.mark.parametrize("atomic", [atomic_path, atomic_folder])
def test_an_error_of_the_file_system_names_the_target(tmp_path: Path, atomic: Callable[[Path], Any]) -> None:
    target = tmp_path / "nowhere" / "x"
    with pytest.raises(FileNotFoundError) as caught, atomic(target):
        pass
    assert caught.value.filename == str(target)


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_leaves_only_the_old_file(tmp_path: Path, error: type[BaseException]) -> None:
    file = tmp_path / "x"
    file.write_text("old")

    def fail() -> None:
        with atomic_path(file) as temporary:
            temporary.write_text("half")
            raise error

    with pytest.raises(error):
        fail()
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
def test_the_file_has_the_default_permissions(tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    with atomic_path(tmp_path / "x") as temporary:
        temporary.write_text("new")
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("other", "x")]
    assert modes[0] == modes[1]


def test_the_folder_appears_after_the_with_block(tmp_path: Path) -> None:
    with atomic_folder(tmp_path / "x") as temporary:
        (temporary / "part").write_text("new")
        assert not (tmp_path / "x").exists()
    assert (tmp_path / "x" / "part").read_text() == "new"
    assert list(tmp_path.iterdir()) == [tmp_path / "x"]


def test_an_existing_folder_is_replaced_completely(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "old").touch()
    with atomic_folder(tmp_path / "x") as temporary:
        (temporary / "new").touch()
    assert [file.name for file in (tmp_path / "x").iterdir()] == ["new"]
    assert list(tmp_path.iterdir()) == [tmp_path / "x"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_leaves_only_the_old_folder(tmp_path: Path, error: type[BaseException]) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "old").touch()

    def fail() -> None:
        with atomic_folder(tmp_path / "x") as temporary:
            (temporary / "half").touch()
            raise error

    with pytest.raises(error):
        fail()
    assert [file.name for file in (tmp_path / "x").iterdir()] == ["old"]
    assert list(tmp_path.iterdir()) == [tmp_path / "x"]


def test_the_old_folder_is_restored_if_the_renaming_fails(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "old").touch()
    with pytest.raises(FileNotFoundError):
        _replace_folder(tmp_path / "nothing", tmp_path / "x")
    assert (tmp_path / "x" / "old").exists()
    assert list(tmp_path.iterdir()) == [tmp_path / "x"]


def test_errors_of_libraries_are_converted_and_name_the_file() -> None:
    with pytest.raises(GraphFileError, match=r"x\.csv cannot be read: odd\.$"), reading(Path("x.csv"), GraphFileError):
        raise ValueError("odd\nand more")
    with pytest.raises(GraphFileError, match=r"x\.csv: empty"), reading(Path("x.csv"), GraphFileError):
        raise InvalidGraphError("empty")
    with pytest.raises(MissingExtraError), reading(Path("x.csv"), GraphFileError):
        raise MissingExtraError("install it")


@pytest.mark.parametrize(
    "error", [MemoryError, RecursionError, ZeroDivisionError, struct.error, zlib.error, csv.Error, pa.ArrowInvalid]
)
def test_s7_any_error_of_a_damaged_file_is_converted(error: type[Exception]) -> None:
    with pytest.raises(GraphFileError, match=r"x\.csv cannot be read: .* Copy it\."):  # noqa: SIM117
        with reading(Path("x.csv"), GraphFileError, "Copy it"):
            raise error


def test_a_full_disk_and_a_warning_are_not_errors_of_the_file() -> None:
    with pytest.raises(OSError, match="No space"), reading(Path("x.csv"), GraphFileError):
        raise OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(ResiduumWarning), reading(Path("x.csv"), GraphFileError):
        raise ResiduumWarning("odd")


def test_s10_a_short_write_of_numpy_names_the_file(tmp_path: Path) -> None:
    def write() -> None:
        with atomic_path(tmp_path / "x.npy"):
            raise OSError("1000 requested and 96 written")

    with pytest.raises(OSError, match="No space left on device") as caught:
        write()
    assert caught.value.filename == str(tmp_path / "x.npy")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="needs special files")
def test_s4_special_files_and_folders_are_never_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "folder").mkdir()
    for path, kind in ((tmp_path / "fifo", "a FIFO"), (tmp_path / "folder", "a folder"), ("/dev/null", "a device")):
        with pytest.raises(InvalidParameterError, match=f"is {kind}, not a regular file"), atomic_path(path):
            pass
        with pytest.raises(InvalidParameterError, match=f"is {kind}, not a regular file"):
            check_output(path, overwrite=True)


def test_s4_an_input_is_never_replaced(tmp_path: Path) -> None:
    source, link = tmp_path / "edges.txt", tmp_path / "link.txt"
    source.touch()
    link.symlink_to(source)
    (tmp_path / "g.r2g").mkdir()
    for output in (source, link, tmp_path / "g.r2g" / "x.npz"):
        with pytest.raises(InvalidParameterError, match="is an input, which is never replaced"):
            check_output(output, overwrite=True, inputs=[source, tmp_path / "g.r2g", tmp_path / "nothing"])


def test_an_existing_output_needs_overwrite(tmp_path: Path) -> None:
    (tmp_path / "x.npz").touch()
    check_output(tmp_path / "y.npz", overwrite=False)
    check_output(tmp_path / "x.npz", overwrite=True)
    with pytest.raises(InvalidParameterError, match=r"x\.npz exists; use overwrite=True \(--overwrite\)"):
        check_output(tmp_path / "x.npz", overwrite=False)


def test_s11_a_loop_of_symbolic_links_is_named(tmp_path: Path) -> None:
    loop = tmp_path / "loop.npz"
    loop.symlink_to(loop)
    for atomic in (atomic_path, atomic_folder):
        with pytest.raises(InvalidParameterError, match=r"loop\.npz is a loop of symbolic links"), atomic(loop):
            pass
    assert missing_file(loop) == "is a loop of symbolic links"
    assert missing_file(tmp_path / "nothing") == "does not exist"
