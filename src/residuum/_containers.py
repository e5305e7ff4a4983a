"""Files with several arrays or columns (npz, parquet), whose sizes are checked before memory is allocated."""

import math
import warnings
import zipfile
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from residuum._memory import format_bytes

__all__ = ["MAX_EXPANSION", "check_expansion", "open_parquet", "read_npy", "read_npz"]

# Graphs and vectors rarely compress by more than 20; gzip reaches 1032 for constant input.
MAX_EXPANSION = 100
# A small file may expand to this size whatever the ratio.
_FREE_BYTES = 16 << 20
_NUMBER_BYTES = 8
_ENCRYPTED = 1


def check_expansion(file_bytes: int, expanded_bytes: int) -> None:
    """Raise an error if a file promises, or has produced, far more data than its size justifies.

    Parameters
    ----------
    file_bytes : int
        Size of the file.
    expanded_bytes : int
        Size of its content in memory.

    Raises
    ------
    ValueError
        If the content is larger than 16 MiB and than 100 times the file.
    """
    if expanded_bytes > max(_FREE_BYTES, MAX_EXPANSION * file_bytes):
        raise ValueError(
            f"a file of {format_bytes(file_bytes)} expands to {format_bytes(expanded_bytes)} or more, beyond the limit "
            f"of {MAX_EXPANSION} times its size; it is damaged or malicious. If it is neither, store it uncompressed."
        )


def read_npz(file: Path) -> dict[str, NDArray[Any]]:
    """Read the arrays of an npz file.

    Parameters
    ----------
    file : Path
        File written by ``numpy.savez`` or ``scipy.sparse.save_npz``.

    Returns
    -------
    dict of str to array
        Arrays by name.

    Raises
    ------
    ValueError
        If the file is encrypted, has an array of objects, or an array has another size than its header says.
    """
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        check_expansion(file.stat().st_size, sum(member.file_size for member in members))
        arrays = {}
        for member in members:
            if member.flag_bits & _ENCRYPTED:
                raise ValueError(f"{member.filename!r} is encrypted.")
            with archive.open(member) as stream:
                arrays[member.filename.removesuffix(".npy")] = _read_array(member.filename, member.file_size, stream)
    return arrays


def read_npy(file: Path) -> NDArray[Any]:
    """Read the array of a npy file.

    Parameters
    ----------
    file : Path
        File written by ``numpy.save``.

    Returns
    -------
    array
        The array.

    Raises
    ------
    ValueError
        If the array has objects, or another size than its header says.
    """
    with file.open("rb") as stream:
        return _read_array(file.name, file.stat().st_size, stream)


def _read_array(name: str, size: int, stream: IO[bytes]) -> NDArray[Any]:
    version = np.lib.format.read_magic(stream)
    read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numpy warns of headers that Python 2 or old versions of numpy wrote
        shape, is_fortran, dtype = read_header(stream)
    if dtype.hasobject:
        raise ValueError(f"{name!r} contains Python objects, which are not read.")
    if not dtype.itemsize:  # any number of such values fits into an empty file
        raise ValueError(f"{name!r} has values of the type {dtype.str}, which are empty.")
    n_bytes = math.prod(shape) * dtype.itemsize
    if n_bytes != size - stream.tell() or min(shape, default=1) < 0:
        raise ValueError(f"{name!r} has another size than its header says.")
    # Read whole: bytes that are missing raise an error of zipfile.
    array = np.frombuffer(stream.read(n_bytes), dtype=dtype) if n_bytes else np.empty(shape, dtype)
    return array.reshape(shape, order="F" if is_fortran else "C").copy()


def open_parquet(file: Path) -> pq.ParquetFile:
    """Open a parquet file.

    Parameters
    ----------
    file : Path
        Parquet file.

    Returns
    -------
    pyarrow ParquetFile
        Open file, to be used as a context manager.
    """
    parquet = pq.ParquetFile(file)
    try:
        check_expansion(file.stat().st_size, _promised_bytes(parquet.metadata))
    except BaseException:
        parquet.close()
        raise
    return parquet


def _promised_bytes(metadata: Any) -> int:
    # The metadata of a single column is not used: if it is damaged, pyarrow aborts the process.
    stored = sum(metadata.row_group(number).total_byte_size for number in range(metadata.num_row_groups))
    return int(max(_NUMBER_BYTES * metadata.num_rows * metadata.num_columns, stored))
