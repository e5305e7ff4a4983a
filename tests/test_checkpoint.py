import errno

import numpy as np
import pytest

from residuum import _checkpoint
from residuum._checkpoint import Store, load_array, open_checkpoint
from residuum.errors import CheckpointError


def counted(value):
    """Return a function that returns an array, and the list of its calls."""
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


def test_without_a_folder_nothing_is_saved():
    compute, calls = counted(7.0)
    with Store() as store:
        store.once("stage", compute)
        store.once("stage", compute)
    assert len(calls) == 2
    assert not store.persistent


def test_an_array_out_of_memory_is_a_memory_map_of_a_temporary_file():
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


def test_a_damaged_stage_is_computed_again(tmp_path):
    compute, calls = counted(1.0)
    store = open_checkpoint(tmp_path / "run", {})
    store.once("stage", compute)
    path = tmp_path / "run" / "stage.npy"
    path.write_bytes(path.read_bytes()[:-4])
    np.testing.assert_array_equal(store.once("stage", compute), np.ones(3))
    assert len(calls) == 2


def test_checkpoints_of_a_different_run_raise_and_name_the_parameter(tmp_path):
    open_checkpoint(tmp_path / "run", {"n_components": 64, "floor": -3.0})
    with pytest.raises(CheckpointError, match="n_components was 64 and is now 32"):
        open_checkpoint(tmp_path / "run", {"n_components": 32, "floor": -3.0})


def test_a_folder_with_other_files_raises(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(CheckpointError, match="exists and is not a checkpoint folder"):
        open_checkpoint(tmp_path, {})
    (tmp_path / "thesis.tex").rename(tmp_path / "run.json")
    with pytest.raises(CheckpointError, match="damaged"):
        open_checkpoint(tmp_path, {})


def test_a_full_disk_leaves_earlier_stages_intact(tmp_path, monkeypatch):
    store = open_checkpoint(tmp_path / "run", {})
    store.once("first", lambda: np.ones(3))

    def full(file, array):
        file.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(_checkpoint.np, "save", full)
    with pytest.raises(CheckpointError, match="no space left for second"):
        store.once("second", lambda: np.ones(3))
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == ["first.npy", "run.json"]


def test_forget_removes_the_stages_with_a_prefix(tmp_path):
    store = open_checkpoint(tmp_path / "run", {})
    for name in ("pass-1", "pass-2", "factors"):
        store.once(name, lambda: np.ones(1))
    store.forget("pass-")
    assert "factors" in store
    assert "pass-1" not in store


def test_a_stage_with_an_empty_file_is_computed_again(tmp_path):
    (tmp_path / "squares.npy").touch()
    assert _checkpoint.Store(tmp_path).once("squares", lambda: np.arange(3) ** 2).tolist() == [0, 1, 4]
    assert np.load(tmp_path / "squares.npy").tolist() == [0, 1, 4]


def test_s10_a_short_write_of_numpy_names_the_stage_and_the_folder(tmp_path, monkeypatch):
    def full(file, array):
        raise OSError("1000 requested and 96 written")

    store = open_checkpoint(tmp_path / "run", {})
    monkeypatch.setattr(_checkpoint.np, "save", full)
    with pytest.raises(CheckpointError, match=r"no space left for stage\.npy .* in .*run"):
        store.once("stage", lambda: np.ones(3))


def test_an_array_is_read_again_if_python_fails_to_parse_its_header(tmp_path, monkeypatch):
    np.save(tmp_path / "array.npy", np.arange(3))
    read, failures = np.load, iter([True, True, False])

    def flaky(*arguments, **options):
        if next(failures):
            raise SystemError("AST constructor recursion depth mismatch (before=63, after=61)")
        return read(*arguments, **options)

    monkeypatch.setattr(np, "load", flaky)
    np.testing.assert_array_equal(load_array(tmp_path / "array.npy"), [0, 1, 2])
    monkeypatch.setattr(np, "load", lambda *arguments, **options: _fail())
    with pytest.raises(SystemError):
        load_array(tmp_path / "array.npy")


def _fail():
    raise SystemError("always")


def test_a_writable_map_leaves_the_file_as_it_is(tmp_path):
    np.save(tmp_path / "array.npy", np.arange(3))
    array = load_array(tmp_path / "array.npy", in_memory=False, writable=True)
    array[0] = 7
    np.testing.assert_array_equal(load_array(tmp_path / "array.npy"), np.arange(3))
    assert not load_array(tmp_path / "array.npy", in_memory=False).flags.writeable
