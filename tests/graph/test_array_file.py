from pathlib import Path

import numpy as np
import pytest

from residuum.errors import GraphFileError
from residuum.graph.array_file import ArrayFile, checksum_of_file, map_array


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "x.npy"


def test_appended_pieces_are_one_array_that_numpy_reads(file: Path) -> None:
    array = ArrayFile(file, np.int32)
    for piece in ([1, 2], [], np.arange(1000)):
        array.append(piece)
    record = array.close()
    assert np.load(file).tolist() == [1, 2, *range(1000)]
    assert record == {
        "bytes": file.stat().st_size,
        "checksum": checksum_of_file(file, is_array=True),
        "dtype": "<i4",
        "length": 1002,
    }


def test_checksum_does_not_depend_on_the_pieces(file: Path) -> None:
    checksums = []
    for pieces in ([[1.0, 2.0, 3.0]], [[1.0], [2.0, 3.0]]):
        array = ArrayFile(file, np.float64)
        for piece in pieces:
            array.append(piece)
        checksums.append(array.close()["checksum"])
    assert checksums[0] == checksums[1]


def test_widened_file_holds_the_same_numbers_and_grows_on(file: Path) -> None:
    array = ArrayFile(file, np.float32)
    array.append([1.5, 2.0])
    array = array.widen(np.float64)
    array.append([0.1])
    record = array.close()
    assert map_array(file, record).tolist() == [1.5, 2.0, 0.1]
    assert record["checksum"] == checksum_of_file(file, is_array=True)
    assert list(file.parent.iterdir()) == [file]


def test_mapped_array_cannot_be_written_to(file: Path) -> None:
    array = ArrayFile(file, np.float32)
    array.append([1.0])
    mapped = map_array(file, array.close())
    assert type(mapped) is np.ndarray
    with pytest.raises(ValueError, match="read-only"):
        mapped[0] = 2.0


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda file: file.unlink(), r"x\.npy is missing\. Copy"),
        (lambda file: file.write_bytes(file.read_bytes()[:-4]), r"x\.npy has 136 bytes, but header\.json says 140"),
        (lambda file: file.write_bytes(b"?" * 140), r"x\.npy is damaged: .* Copy the folder again"),
        (lambda file: np.save(file, np.array([1, 2, 3], dtype=np.int32)), r"x\.npy holds \(3,\) numbers of type <i4"),
    ],
    ids=["missing", "cut off", "overwritten", "another type"],
)
def test_spoiled_file_is_named(file: Path, spoil: object, message: str) -> None:
    array = ArrayFile(file, np.float32)
    array.append([1.0, 2.0, 3.0])
    record = array.close()
    spoil(file)  # type: ignore[operator]
    with pytest.raises(GraphFileError, match=message):
        map_array(file, record)
