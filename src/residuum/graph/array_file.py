"""Arrays in ``.npy`` files: appended to while their length is unknown, mapped into memory when they are read."""

import hashlib
from pathlib import Path
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from residuum.errors import GraphFileError

__all__ = ["WAY_OUT", "ArrayFile", "FileRecord", "check_size", "checksum_of_file", "map_array"]

WAY_OUT = "Copy the folder again, or write it again with 'residuum convert'"
_HASHED_AT_ONCE = 16 << 20


class FileRecord(TypedDict):
    """What the header of a graph says of one of its files; ``dtype`` and ``length`` are of arrays only."""

    bytes: int
    checksum: str
    dtype: str | None
    length: int | None


class ArrayFile:
    """A one-dimensional ``.npy`` file that grows at its end, and is hashed on the way.

    Parameters
    ----------
    file : Path
    dtype : numpy dtype
    """

    def __init__(self, file: Path, dtype: DTypeLike) -> None:
        self.file = file
        self.dtype = np.dtype(dtype)
        self.length = 0
        self._digest = _new_digest()
        self._write_header("wb")

    def append(self, values: ArrayLike) -> None:
        """Write ``values`` behind those that are there."""
        data = np.ascontiguousarray(values, dtype=self.dtype)
        view = data.view(np.uint8).data
        # Opened for each piece, so that no file stays open when an error ends the work.
        with self.file.open("ab") as stream:
            stream.write(view)
        self._digest.update(view)
        self.length += data.size

    def widen(self, dtype: DTypeLike) -> "ArrayFile":
        """Return a file in this one's place that holds the same numbers in a larger type, and grows on."""
        self.close()
        narrow = self.file.rename(self.file.with_suffix(".narrow"))
        wide = ArrayFile(self.file, dtype)
        values = np.load(narrow, mmap_mode="r")
        for begin in range(0, self.length, _HASHED_AT_ONCE):
            wide.append(values[begin : begin + _HASHED_AT_ONCE])
        del values
        narrow.unlink()
        return wide

    def close(self) -> FileRecord:
        """Write the final length into the file and return what is to be known of it."""
        self._write_header("r+b")
        return FileRecord(
            bytes=self.file.stat().st_size,
            checksum=self._digest.hexdigest(),
            dtype=self.dtype.str,
            length=self.length,
        )

    def _write_header(self, mode: Literal["wb", "r+b"]) -> None:
        # numpy leaves room for the digits of a length that grows, so that a header can be written over.
        with self.file.open(mode) as stream:
            np.lib.format.write_array_header_1_0(
                stream, {"descr": self.dtype.str, "fortran_order": False, "shape": (self.length,)}
            )


def map_array(file: Path, record: FileRecord) -> NDArray[Any]:
    """Map an array into memory, read-only, after checking its size and type against the record."""
    check_size(file, record)
    try:
        array = np.asarray(np.load(file, mmap_mode="r", allow_pickle=False))
    except (ValueError, EOFError, OSError) as error:
        raise GraphFileError(f"{file} is damaged: {str(error).splitlines()[0]} {WAY_OUT}.") from error
    if array.dtype != record["dtype"] or array.shape != (record["length"],):
        raise GraphFileError(
            f"{file} holds {array.shape} numbers of type {array.dtype.str}, but header.json says "
            f"({record['length']},) of type {record['dtype']}: one of the two was replaced. {WAY_OUT}."
        )
    return array


def check_size(file: Path, record: FileRecord) -> None:
    """Raise if a file is not there, or not as long as it was when it was written."""
    if not file.is_file():
        raise GraphFileError(f"{file} is missing. {WAY_OUT}.")
    size = file.stat().st_size
    if size != record["bytes"]:
        raise GraphFileError(
            f"{file} has {size} bytes, but header.json says {record['bytes']}: it was cut off or replaced. {WAY_OUT}."
        )


def checksum_of_file(file: Path, *, is_array: bool) -> str:
    """Return the checksum of a file; that of an array is of its numbers, without the header."""
    digest = _new_digest()
    with file.open("rb") as stream:
        if is_array:
            np.lib.format.read_magic(stream)
            np.lib.format.read_array_header_1_0(stream)
        while block := stream.read(_HASHED_AT_ONCE):
            digest.update(block)
    return digest.hexdigest()


def _new_digest() -> "hashlib.blake2b":
    return hashlib.blake2b(digest_size=16)
