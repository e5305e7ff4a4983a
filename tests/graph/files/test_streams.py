import gzip
import re
from pathlib import Path

import numpy as np
import pytest

from residuum.errors import GraphFileError
from residuum.graph import convert, read_graph
from residuum.graph.files import streams
from residuum.graph.files.streams import line_chunks, open_stream, single_blanks

LINES = b"".join(b"%d %d\n" % (k, k + 1) for k in range(1000))


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("chunk_bytes", [1, 100, 1 << 20])
@pytest.mark.parametrize("end", [b"", b"\n"])
def test_chunks_are_complete_lines_with_their_number(
    tmp_path: Path, packed: bool, chunk_bytes: int, end: bytes
) -> None:
    content = LINES[:-1] + end
    (tmp_path / "x").write_bytes(gzip.compress(content, mtime=0) if packed else content)
    number, whole = 1, b""
    for first, chunk in line_chunks(tmp_path / "x", chunk_bytes):
        assert first == number
        number += chunk.count(b"\n")
        whole += chunk
        assert whole.endswith(b"\n") or whole == content
    assert whole == content


def test_damaged_gzip_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(gzip.compress(b"1 2\n" * 5, mtime=0)[:-8])
    with pytest.raises(GraphFileError, match=r"x, line 6: the gzip file is damaged or truncated here"):
        list(line_chunks(tmp_path / "x", 100))


@pytest.mark.parametrize("chunk_bytes", [1 << 10, 64 << 20])
def test_s6_a_line_without_end_is_refused_after_its_first_bytes(tmp_path: Path, chunk_bytes: int) -> None:
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(b"a,b\n", mtime=0) + gzip.compress(bytes(16 << 20)) * 200)
    with pytest.raises(GraphFileError, match=r"x\.csv\.gz, line 2: the line has more than 1048576 bytes"):
        list(line_chunks(tmp_path / "x.csv.gz", chunk_bytes))
    with pytest.raises(GraphFileError, match="line 2: the line has more than 1048576 bytes"):
        convert(tmp_path / "x.csv.gz", tmp_path / "x.r2g", memory_limit="64MiB")


def test_s6_a_file_that_expands_too_far_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.txt.gz").write_bytes(gzip.compress(b"0 1\n" * (5 << 20), mtime=0))
    monkeypatch.setattr(streams, "_LINE_BYTES", 1 << 22)
    with pytest.raises(GraphFileError, match=r"x\.txt\.gz cannot be read: a file of .* expands to .* or more"):
        read_graph(tmp_path / "x.txt.gz")


def test_streams_are_recognized_by_content_not_by_name(tmp_path: Path) -> None:
    for content in (LINES, gzip.compress(LINES)):
        (tmp_path / "x").write_bytes(content)
        with open_stream(tmp_path / "x") as stream:
            assert stream.read() == LINES


@pytest.mark.parametrize("n_blanks", [1, 2, 3, 7, 8, 9, 1000])
def test_any_number_of_blanks_is_one_space(n_blanks: int) -> None:
    blanks = (b" \t" * n_blanks)[:n_blanks]
    lines = blanks.join([b"", b"0", b"1", b"\n", b"2", b"3", b"\n", b"\n", b"4\v5", b""])
    assert single_blanks(lines, b"\t") == b"0 1\n2 3\n\n4\v5"


def test_blanks_are_collapsed_as_a_regular_expression_would() -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        text = bytes(rng.choice(list(b"  \t\r\n1,"), rng.integers(40)).tolist())
        expected = re.sub(rb"[ \t]+", b" ", text).replace(b"\n ", b"\n").replace(b" \n", b"\n").strip(b" ")
        assert single_blanks(text, b"\t") == expected
