import numpy as np
import pytest

from residuum.distributed.columns import ColumnFiles
from residuum.distributed.stages import Stages

X = np.random.default_rng(0).standard_normal((20, 5))


@pytest.fixture
def files(tmp_path):
    return ColumnFiles(Stages(tmp_path), (0, 8, 9, 20), 5)


def rows_of(files, part, factor):
    return factor * X[slice(*files.bounds[part : part + 2])]


def centered(files, first, last, name):
    columns = files.columns(name, first, last)
    return columns - columns.mean(axis=0)


def test_a_matrix_by_rows_becomes_one_by_columns(cluster, files):
    files.by_rows(cluster, "rows", "double", rows_of, 2.0)
    np.testing.assert_array_equal(files.columns("double", 1, 4), 2.0 * X[:, 1:4])
    files.by_columns(cluster, "columns", "centered", centered, "double")
    rows = np.concatenate([files.rows("centered", part) for part in range(3)])
    np.testing.assert_allclose(rows, 2.0 * (X - X.mean(axis=0)))
    assert files.is_complete("centered")
    files.forget("double")
    files.forget("centered")
    assert not list(files.stages.folder.iterdir())


def test_few_columns_at_a_time_fit_the_memory(cluster, files, monkeypatch):
    calls = []
    monkeypatch.setattr(type(cluster), "map", lambda self, stage, function, items: calls.extend(items))
    monkeypatch.setattr(type(cluster), "thread_bytes", 64 * 20)
    files.by_columns(cluster, "columns", "centered", centered, "double")
    assert [item[1:3] for item in calls] == [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
