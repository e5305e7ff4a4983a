"""Arrays in ``.npy`` files, which are written by appending and read by memory mapping."""

import hashlib
import warnings
from pathlib import Path
from typing import IO, Any, Literal, TypedDict

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from residuum._files import reading
from residuum.errors import GraphFileError

__all__ = ["WAY_OUT", "ArrayFile", "FileRecord", "check_size", "checksum_of_file", "map_array"]

WAY_OUT = "Copy the folder again, or recreate it with 'residuum convert'"
_CHUNK_SIZE = 16 << 20
_DTYPES = ("<i4", "<i8", "<f4", "<f8")


class FileRecord(TypedDict):
    """Entry of ``header.json`` for one file; ``dtype`` and ``length`` are None for files that are not arrays."""

    bytes: int
    checksum: str
    dtype: str | None
    length: int | None


class ArrayFile:
    """One-dimensional ``.npy`` file that is written by appending, with a running checksum.

    Parameters
    ----------
    file : Path
        Path of the file, which is created or truncated.
    dtype : numpy dtype
        Type of the numbers in the file.
    """

    def __init__(self, file: Path, dtype: DTypeLike) -> None:
        self.file = file
        self.dtype = np.dtype(dtype)
        self.length = 0
        self._digest = _new_digest()
        self._write_header("wb")

    def append(self, values: ArrayLike) -> None:
        """Append values to the file.

        Parameters
        ----------
        values : array of shape (m,)
            Numbers to append, cast to ``dtype``.
        """
        data = np.ascontiguousarray(values, dtype=self.dtype)
        view = data.view(np.uint8).data
        # Opened for each call, so that an error leaves no open file.
        with self.file.open("ab") as stream:
            stream.write(view)
        self._digest.update(view)
        self.length += data.size

    def widen(self, dtype: DTypeLike) -> "ArrayFile":
        """Rewrite the file with a wider type.

        Parameters
        ----------
        dtype : numpy dtype
            Type that represents the numbers in the file exactly.

        Returns
        -------
        ArrayFile
            File at the same path with the same numbers, for further appending.
        """
        self.close()
        narrow = self.file.rename(self.file.with_suffix(".narrow"))
        wide = ArrayFile(self.file, dtype)
        values = np.load(narrow, mmap_mode="r")
        for begin in range(0, self.length, _CHUNK_SIZE):
            wide.append(values[begin : begin + _CHUNK_SIZE])
        del values
        narrow.unlink()
        return wide

    def close(self) -> FileRecord:
        """Write the final length to the header of the file.

        Returns
        -------
        FileRecord
            Size, checksum, type and length of the file.
        """
        self._write_header("r+b")
        return FileRecord(
            bytes=self.file.stat().st_size,
            checksum=self._digest.hexdigest(),
            dtype=self.dtype.str,
            length=self.length,
        )

    def _write_header(self, mode: Literal["wb", "r+b"]) -> None:
        # numpy pads the header for a growing length, so that it can be overwritten in place.
        with self.file.open(mode) as stream:
            np.lib.format.write_array_header_1_0(
                stream, {"descr": self.dtype.str, "fortran_order": False, "shape": (self.length,)}
            )


def map_array(file: Path, record: FileRecord) -> NDArray[Any]:
    """Return a read-only memory map of an array, after checking its size and type.

    Parameters
    ----------
    file : Path
        File in ``.npy`` format.
    record : FileRecord
        Expected size, type and length.

    Returns
    -------
    array
        Numbers of the file, which are read on first use.

    Raises
    ------
    GraphFileError
        If the file is missing, damaged or does not match the record.
    """
    check_size(file, record)
    with reading(file, GraphFileError, WAY_OUT), file.open("rb") as stream:
        shape, dtype = _read_header(stream)
    # numpy maps no values of size 0: the process would end with a division by zero.
    if dtype.str not in _DTYPES:
        raise GraphFileError(f"{file} has numbers of type {dtype.str}, which no graph has. {WAY_OUT}.")
    if dtype != record["dtype"] or shape != (record["length"],) or min(shape) < 0:
        raise GraphFileError(
            f"{file} has shape {shape} and type {dtype.str}, but header.json expects shape "
            f"({record['length']},) and type {record['dtype']}: one of the files was replaced. {WAY_OUT}."
        )
    with reading(file, GraphFileError, WAY_OUT), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(np.lib.format.open_memmap(file, mode="r"))


def check_size(file: Path, record: FileRecord) -> None:
    """Raise an error if a file is missing or its size differs from the record.

    Parameters
    ----------
    file : Path
        Path of the file.
    record : FileRecord
        Expected size.
    """
    if not file.is_file():
        raise GraphFileError(f"{file} is missing. {WAY_OUT}.")
    size = file.stat().st_size
    if size != record["bytes"]:
        raise GraphFileError(
            f"{file} has {size} bytes, but header.json expects {record['bytes']}: it was truncated or replaced. "
            f"{WAY_OUT}."
        )


def checksum_of_file(file: Path, *, is_array: bool) -> str:
    """Return the checksum of a file.

    Parameters
    ----------
    file : Path
        Path of the file.
    is_array : bool
        Whether to skip the header of a ``.npy`` file and hash the numbers only.

    Returns
    -------
    str
        BLAKE2b hash of 16 bytes, in hexadecimal.
    """
    digest = _new_digest()
    with file.open("rb") as stream:
        if is_array:
            _read_header(stream)
        while chunk := stream.read(_CHUNK_SIZE):
            digest.update(chunk)
    return digest.hexdigest()


def _read_header(stream: IO[bytes]) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return shape and type of the array in a ``.npy`` file, and leave the stream at its first number."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numpy warns of headers that Python 2 or old versions of numpy wrote
        np.lib.format.read_magic(stream)
        shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
    return shape, dtype


def _new_digest() -> "hashlib.blake2b":
    return hashlib.blake2b(digest_size=16)
