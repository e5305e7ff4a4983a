"""Bytes of plain or gzipped files, with limits on the expansion and on the length of a line."""

import contextlib
import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from residuum._containers import check_expansion
from residuum._progress import ProgressCallback, Stage
from residuum.errors import GraphFileError

__all__ = ["line_chunks", "open_stream", "single_blanks"]

_LINE_BYTES = 1 << 20
_GZIP_MAGIC = b"\x1f\x8b"


def line_chunks(file: Path, chunk_bytes: int, progress: ProgressCallback | None = None) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a plain or gzipped file in chunks.

    Parameters
    ----------
    file : Path
        Plain or gzipped text.
    chunk_bytes : int
        Approximate number of bytes of a chunk.
    progress : callable, optional
        Called with a :class:`ProgressEvent` after each chunk.

    Yields
    ------
    number : int
        Number of the first line of the chunk.
    chunk : bytes
        Complete lines.

    Raises
    ------
    GraphFileError
        If the gzip file is damaged, or a line is far too long for an edge.
    """
    stage = Stage("reading edges", file.stat().st_size, progress)
    number, pieces, size, tail = 1, list[bytes](), 0, 0
    with open_stream(file) as stream:
        while block := _next_block(file, stream, min(chunk_bytes, _LINE_BYTES), number, pieces):
            pieces.append(block)
            size += len(block)
            last = block.rfind(b"\n")
            tail = tail + len(block) if last < 0 else len(block) - last - 1
            if tail > _LINE_BYTES:
                raise GraphFileError(
                    f"{file}, line {_line(number, pieces)}: the line has more than {_LINE_BYTES} bytes, so it is not "
                    "an edge. Break the file into lines."
                )
            if size >= chunk_bytes and last >= 0:
                data = b"".join(pieces)
                pieces, size = [data[len(data) - tail :]], tail
                chunk = data[: len(data) - tail]
                yield number, chunk
                number += chunk.count(b"\n")
                stage.advance(stream.tell_compressed() - stage.done)
    if any(pieces):
        yield number, b"".join(pieces)
    stage.finish()


def single_blanks(text: bytes, blanks: bytes) -> bytes:
    r"""Collapse the blanks of lines, at ten times the speed of a regular expression.

    Parameters
    ----------
    text : bytes
        Complete lines.
    blanks : bytes
        Characters that separate columns as a space does.

    Returns
    -------
    bytes
        The text with one space where it had several blanks, and none at the start and the end of a line.

    Examples
    --------
    >>> single_blanks(b" 0\t 1 \n2   3", b"\t")
    b'0 1\n2 3'
    """
    for blank in blanks:
        text = text.replace(bytes([blank]), b" ")
    while b"  " in text:
        text = text.replace(b"  ", b" ")
    return text.replace(b"\n ", b"\n").replace(b" \n", b"\n").strip(b" ")


def _next_block(file: Path, stream: "_Stream", size: int, number: int, pieces: list[bytes]) -> bytes:
    try:
        return stream.read1(size)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise GraphFileError(
            f"{file}, line {_line(number, pieces)}: the gzip file is damaged or truncated here ({error})."
        ) from error


def _line(number: int, pieces: list[bytes]) -> int:
    return number + sum(piece.count(b"\n") for piece in pieces)


class _Stream(io.BufferedReader):
    """Content of a plain or gzipped file."""

    raw: "_Content"

    def tell_compressed(self) -> int:
        """Return the position in the file itself."""
        return self.raw.file.tell()


class _Content(io.RawIOBase):
    def __init__(self, file: BinaryIO, size: int) -> None:
        self.file = file
        self._size = size
        self._expanded = 0
        is_gzipped = file.read(2) == _GZIP_MAGIC
        file.seek(0)
        self._gzip = gzip.GzipFile(fileobj=file) if is_gzipped else None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self.file.read(len(buffer)) if self._gzip is None else self._gzip.read1(len(buffer))
        self._expanded += len(data)
        check_expansion(self._size, self._expanded)
        buffer[: len(data)] = data
        return len(data)


@contextlib.contextmanager
def open_stream(file: Path) -> Iterator[_Stream]:
    """Open a plain or gzipped file, by its first bytes, for reading.

    Parameters
    ----------
    file : Path
        Plain or gzipped file.

    Yields
    ------
    binary stream
        Unpacked content; reading fails with a ValueError if it exceeds the limit of expansion.
    """
    with file.open("rb") as packed:
        yield _Stream(_Content(packed, file.stat().st_size), _LINE_BYTES)
