from pathlib import Path

import numpy as np
import pytest

from residuum.errors import GraphFileError
from residuum.graph.disk.arrays import ArrayFile, FileRecord, checksum_of_file, map_array


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "x.npy"


def test_appended_chunks_form_one_array_that_numpy_reads(file: Path) -> None:
    array = ArrayFile(file, np.int32)
    for chunk in ([1, 2], [], np.arange(1000)):
        array.append(chunk)
    record = array.close()
    assert np.load(file).tolist() == [1, 2, *range(1000)]
    assert record == {
        "bytes": file.stat().st_size,
        "checksum": checksum_of_file(file, is_array=True),
        "dtype": "<i4",
        "length": 1002,
    }


def test_checksum_does_not_depend_on_the_chunks(file: Path) -> None:
    checksums = []
    for chunks in ([[1.0, 2.0, 3.0]], [[1.0], [2.0, 3.0]]):
        array = ArrayFile(file, np.float64)
        for chunk in chunks:
            array.append(chunk)
        checksums.append(array.close()["checksum"])
    assert checksums[0] == checksums[1]


def test_widened_file_keeps_its_numbers_and_can_be_appended_to(file: Path) -> None:
    array = ArrayFile(file, np.float32)
    array.append([1.5, 2.0])
    array = array.widen(np.float64)
    array.append([0.1])
    record = array.close()
    assert map_array(file, record).tolist() == [1.5, 2.0, 0.1]
    assert record["checksum"] == checksum_of_file(file, is_array=True)
    assert list(file.parent.iterdir()) == [file]


def test_mapped_array_is_read_only(file: Path) -> None:
    array = ArrayFile(file, np.float32)
    array.append([1.0])
    mapped = map_array(file, array.close())
    assert type(mapped) is np.ndarray
    with pytest.raises(ValueError, match="read-only"):
        mapped[0] = 2.0


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda file: file.unlink(), r"x\.npy is missing\. Copy"),
        (lambda file: file.write_bytes(file.read_bytes()[:-4]), r"x\.npy has 136 bytes, but header\.json expects 140"),
        (lambda file: file.write_bytes(b"?" * 140), r"x\.npy cannot be read: .* Copy the folder again"),
        (
            lambda file: np.save(file, np.array([1, 2, 3], dtype=np.int32)),
            r"x\.npy has shape \(3,\) and type <i4, but header\.json expects",
        ),
    ],
    ids=["missing", "truncated", "overwritten", "wrong type"],
)
def test_error_names_a_damaged_file(file: Path, damage: object, message: str) -> None:
    array = ArrayFile(file, np.float32)
    array.append([1.0, 2.0, 3.0])
    record = array.close()
    damage(file)  # type: ignore[operator]
    with pytest.raises(GraphFileError, match=message):
        map_array(file, record)


@pytest.mark.parametrize(("dtype", "length"), [("|V0", -1), ("|V0", 8), ("<f4", -1)])
def test_values_of_size_zero_and_negative_lengths_are_refused(file: Path, dtype: str, length: int) -> None:
    with file.open("wb") as stream:
        np.lib.format.write_array_header_1_0(stream, {"descr": dtype, "fortran_order": False, "shape": (length,)})
    record = FileRecord(bytes=file.stat().st_size, checksum="", dtype=dtype, length=length)
    with pytest.raises(GraphFileError, match=r"x\.npy has (numbers of type \|V0|shape \(-1,\))"):
        map_array(file, record)


def test_a_header_of_python_2_is_read_without_a_warning(file: Path) -> None:
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1L,)}\n"
    file.write_bytes(np.lib.format.magic(1, 0) + len(header).to_bytes(2, "little") + header + bytes(4))
    record = FileRecord(bytes=file.stat().st_size, checksum="", dtype="<f4", length=1)
    assert map_array(file, record).tolist() == [0.0]
