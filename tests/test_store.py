import errno

import numpy as np
import pytest

from residuum import _store
from residuum._store import Store, open_checkpoint
from residuum.errors import CheckpointError


def counted(value):
    """A function that returns an array, and the number of its calls."""
    calls = []

    def compute():
        calls.append(1)
        return np.full(3, value)

    return compute, calls


def test_a_stage_is_computed_once(tmp_path):
    compute, calls = counted(7.0)
    store = open_checkpoint(tmp_path / "run", {"k": 1})
    assert "stage" not in store
    first = store.once("stage", compute)
    again = open_checkpoint(tmp_path / "run", {"k": 1}).once("stage", compute)
    np.testing.assert_array_equal(first, again)
    assert len(calls) == 1
    assert "stage" in store


def test_without_a_folder_nothing_is_kept():
    compute, calls = counted(7.0)
    with Store() as store:
        store.once("stage", compute)
        store.once("stage", compute)
    assert len(calls) == 2
    assert not store.persistent


def test_what_memory_does_not_hold_is_a_map_of_a_file_that_goes_away():
    compute, calls = counted(2.0)
    with Store() as store:
        array = store.once("stage", compute, in_memory=False)
        assert isinstance(array, np.memmap)
        assert not array.flags.writeable
        place = store._place()
        assert place.exists()
        store.once("stage", compute, in_memory=False)
        assert len(calls) == 1
    assert not place.exists()


def test_a_damaged_stage_is_computed_anew(tmp_path):
    compute, calls = counted(1.0)
    store = open_checkpoint(tmp_path / "run", {})
    store.once("stage", compute)
    path = tmp_path / "run" / "stage.npy"
    path.write_bytes(path.read_bytes()[:-4])
    np.testing.assert_array_equal(store.once("stage", compute), np.ones(3))
    assert len(calls) == 2


def test_another_run_is_refused_by_name(tmp_path):
    open_checkpoint(tmp_path / "run", {"n_components": 64, "floor": -3.0})
    with pytest.raises(CheckpointError, match="n_components was 64, and is 32 now"):
        open_checkpoint(tmp_path / "run", {"n_components": 32, "floor": -3.0})


def test_a_folder_with_other_things_is_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(CheckpointError, match="holds something else than checkpoints"):
        open_checkpoint(tmp_path, {})
    (tmp_path / "thesis.tex").rename(tmp_path / "run.json")
    with pytest.raises(CheckpointError, match="damaged"):
        open_checkpoint(tmp_path, {})


def test_a_full_disk_keeps_what_was_saved(tmp_path, monkeypatch):
    store = open_checkpoint(tmp_path / "run", {})
    store.once("first", lambda: np.ones(3))

    def full(file, array):
        file.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(_store.np, "save", full)
    with pytest.raises(CheckpointError, match="no space is left for second"):
        store.once("second", lambda: np.ones(3))
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == ["first.npy", "run.json"]


def test_forget(tmp_path):
    store = open_checkpoint(tmp_path / "run", {})
    for name in ("pass-1", "pass-2", "factors"):
        store.once(name, lambda: np.ones(1))
    store.forget("pass-")
    assert "factors" in store
    assert "pass-1" not in store


def test_an_empty_file_is_computed_anew(tmp_path):
    (tmp_path / "squares.npy").touch()
    assert _store.Store(tmp_path).once("squares", lambda: np.arange(3) ** 2).tolist() == [0, 1, 4]
    assert np.load(tmp_path / "squares.npy").tolist() == [0, 1, 4]
