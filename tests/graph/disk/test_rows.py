from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from residuum.graph.disk.rows import RowFiles, Rows, row_runs, symmetrized, write_transposed


def random_matrix(seed: int = 0, n: int = 30) -> sparse.csr_array:
    rng = np.random.default_rng(seed)
    matrix = sparse.csr_array((rng.random((n, n)) < 0.2) * rng.integers(1, 9, (n, n)).astype(np.float32))
    matrix.sort_indices()
    return matrix


def write(matrix: sparse.csr_array, folder: Path, run: int = 7) -> RowFiles:
    files = RowFiles(folder, matrix.shape[0])
    for first in range(0, matrix.shape[0], run):
        part = matrix[first : first + run]
        files.append(Rows(np.diff(part.indptr), part.indices, part.data))
    return files


def test_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    matrix = random_matrix()
    mapped = write(matrix, tmp_path).finish()
    assert (mapped != matrix).nnz == 0
    assert (mapped.indptr.dtype, mapped.indices.dtype, mapped.dtype) == (np.int32, np.int32, np.float32)
    assert mapped.has_sorted_indices
    assert mapped.has_canonical_format


def test_weights_are_float64_if_float32_is_not_exact(tmp_path: Path) -> None:
    matrix = random_matrix().astype(np.float64)
    matrix.data[-1] = 0.1
    mapped = write(matrix, tmp_path).finish()
    assert mapped.dtype == np.float64
    assert mapped.data.tolist() == matrix.data.tolist()


@pytest.mark.parametrize("working_bytes", [1, 100, 1000, 1 << 20])
def test_transpose_does_not_depend_on_the_working_memory(tmp_path: Path, working_bytes: int) -> None:
    matrix = random_matrix()
    target = RowFiles(tmp_path, 30, "reverse_")
    write_transposed(matrix, np.bincount(matrix.indices, minlength=30), target, working_bytes)
    mapped = target.finish()
    expected = sparse.csr_array(matrix.T)
    expected.sort_indices()
    assert mapped.indptr.tolist() == expected.indptr.tolist()
    assert mapped.indices.tolist() == expected.indices.tolist()
    assert mapped.data.tolist() == expected.data.tolist()


@pytest.mark.parametrize("at_once", [1, 20, 10_000])
def test_symmetrized_rows_equal_the_sum_with_the_transpose(monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    monkeypatch.setattr("residuum.graph.disk.rows._ENTRIES_AT_ONCE", at_once)
    matrix = random_matrix(1)
    reverse = sparse.csr_array(matrix.T)
    reverse.sort_indices()
    runs = list(symmetrized(matrix, reverse))
    lengths, columns, weights = (np.concatenate(parts) for parts in zip(*runs, strict=True))
    expected = (matrix + matrix.T - sparse.diags_array(matrix.diagonal())).tocsr()
    expected.sort_indices()
    assert lengths.tolist() == np.diff(expected.indptr).tolist()
    assert columns.tolist() == expected.indices.tolist()
    assert weights.tolist() == expected.data.tolist()


def test_runs_cover_all_rows_once_and_a_long_row_is_a_run_by_itself() -> None:
    bounds = np.array([0, 0, 5, 5, 100, 101, 101])
    runs = list(row_runs(bounds, 10))
    assert runs == [(0, 3), (3, 4), (4, 6)]


def test_files_can_be_removed(tmp_path: Path) -> None:
    files = write(random_matrix(), tmp_path)
    files.finish()
    files.remove()
    assert list(tmp_path.iterdir()) == []
