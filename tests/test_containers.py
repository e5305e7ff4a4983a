import io
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from residuum._containers import MAX_EXPANSION, check_expansion, open_parquet, read_npy, read_npz


def test_a_small_file_may_expand_to_16_mib_and_a_large_one_by_the_ratio() -> None:
    check_expansion(1, 16 << 20)
    check_expansion(10 << 20, MAX_EXPANSION * (10 << 20))
    for size, expanded in ((1, (16 << 20) + 1), (10 << 20, MAX_EXPANSION * (10 << 20) + 1)):
        with pytest.raises(ValueError, match="expands to"):
            check_expansion(size, expanded)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_arrays_are_read_as_numpy_wrote_them(tmp_path: Path, save: object) -> None:
    arrays = {"a": np.arange(6).reshape(2, 3), "b": np.asfortranarray(np.eye(2)), "c": np.array("ü"), "d": np.zeros(0)}
    save(tmp_path / "x.npz", **arrays)  # type: ignore[operator]
    loaded = read_npz(tmp_path / "x.npz")
    assert loaded.keys() == arrays.keys()
    for name, array in arrays.items():
        np.testing.assert_array_equal(loaded[name], array)
        assert loaded[name].dtype == array.dtype


def test_s7_a_header_that_promises_more_than_the_file_has_is_refused(tmp_path: Path) -> None:
    stream = io.BytesIO()
    header = {"descr": "<f8", "fortran_order": False, "shape": (10**12,)}
    np.lib.format.write_array_header_1_0(stream, header)
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.writestr("data.npy", stream.getvalue())
    with pytest.raises(ValueError, match=r"'data\.npy' has another size than its header says"):
        read_npz(tmp_path / "x.npz")


def test_an_archive_and_a_table_that_expand_without_bound_are_refused(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "x.npz", zeros=np.zeros(5_000_000))
    with pytest.raises(ValueError, match=r"expands to 38\.1 MiB or more"):
        read_npz(tmp_path / "x.npz")
    pq.write_table(pa.table({"a": np.zeros(5_000_000, np.uint8)}), tmp_path / "x.parquet")
    with pytest.raises(ValueError, match=r"expands to 38\.1 MiB or more"):
        open_parquet(tmp_path / "x.parquet")


def test_python_objects_are_not_read(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", data=np.array([{}], dtype=object))
    with pytest.raises(ValueError, match="contains Python objects"):
        read_npz(tmp_path / "x.npz")


def test_values_of_size_zero_are_refused_whatever_their_number(tmp_path: Path) -> None:
    with (tmp_path / "x.npy").open("wb") as stream:
        np.lib.format.write_array_header_1_0(stream, {"descr": "|V0", "fortran_order": False, "shape": (2**40,)})
    with pytest.raises(ValueError, match=r"'x\.npy' has values of the type \|V0, which are empty"):
        read_npy(tmp_path / "x.npy")


@pytest.mark.parametrize(("descr", "shape"), [("<f2", "(2L,)"), ("|a2", "(2,)")])
def test_headers_of_old_versions_are_read_without_a_warning(tmp_path: Path, descr: str, shape: str) -> None:
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}}}\n".encode()
    magic = np.lib.format.magic(1, 0) + len(header).to_bytes(2, "little")
    (tmp_path / "x.npy").write_bytes(magic + header + bytes(4))
    assert read_npy(tmp_path / "x.npy").shape == (2,)
