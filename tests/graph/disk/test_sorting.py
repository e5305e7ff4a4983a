from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from residuum.errors import MemoryLimitError
from residuum.graph.disk.sorting import EntrySort


def random_entries(n_entries: int, n_nodes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    rows, columns = rng.integers(0, n_nodes, (2, n_entries)).astype(np.int32)
    return rows, columns, rng.integers(0, 5, n_entries) / 4


@pytest.mark.parametrize("memory_limit", [1200, 5000, 1 << 20])
@pytest.mark.parametrize("n_chunks", [1, 7])
@pytest.mark.parametrize("renumbered", [False, True])
def test_rows_equal_those_of_scipy_at_any_memory_limit(
    tmp_path: Path, memory_limit: int, n_chunks: int, renumbered: bool
) -> None:
    rows, columns, weights = random_entries(1000, 60)
    entries = EntrySort(tmp_path, memory_limit)
    for part in np.array_split(np.arange(1000), n_chunks):
        entries.add(rows[part], columns[part], weights[part])
    numbers = np.random.default_rng(1).permutation(62).astype(np.int32) if renumbered else None
    runs = list(entries.rows(62, None, numbers))
    if numbers is not None:
        rows, columns = numbers[rows], numbers[columns]
    assert (len(runs) > 1) == (memory_limit < 1 << 20)
    lengths, indices, values = (np.concatenate(parts) for parts in zip(*runs, strict=True))
    expected = sparse.csr_array((weights, (rows, columns)), shape=(62, 62))
    expected.eliminate_zeros()
    assert lengths.tolist() == np.diff(expected.indptr).tolist()
    assert indices.tolist() == expected.indices.tolist()
    assert values.tolist() == expected.data.tolist()
    assert list(tmp_path.iterdir()) == []


def test_parallel_entries_are_summed_in_order_of_arrival(tmp_path: Path) -> None:
    weights = np.array([1e16, 1.0, -1e16, 0.1])
    entries = EntrySort(tmp_path, 1 << 20)
    entries.add(np.zeros(4, dtype=np.int32), np.ones(4, dtype=np.int32), weights)
    assert next(entries.rows(2)).weights.tolist() == [((1e16 + 1.0) - 1e16) + 0.1]


def test_error_names_the_size_of_a_row_that_does_not_fit_in_memory(tmp_path: Path) -> None:
    entries = EntrySort(tmp_path, 1000)
    entries.add(np.zeros(100, dtype=np.int32), np.arange(100, dtype=np.int32), np.ones(100))
    with pytest.raises(
        MemoryLimitError,
        match=r"a node has 100 edges, and sorting them needs 3\.9 KiB; .* 1000 bytes for sorting\. Raise memory",
    ):
        next(entries.rows(100))
