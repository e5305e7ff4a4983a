import pickle

import numpy as np
import pyarrow as pa
import pytest

from residuum.distributed.stages import Stages, read_ids, write_ids
from residuum.errors import CheckpointError


def test_a_record_is_computed_once(tmp_path):
    stages = Stages(tmp_path)
    assert stages.record("count", lambda: {"nodes": 3, "bounds": (0, 3)}) == {"nodes": 3, "bounds": [0, 3]}
    assert Stages(tmp_path).record("count", lambda: {"nodes": 4}) == {"nodes": 3, "bounds": [0, 3]}


def test_a_stage_that_fails_leaves_no_record(tmp_path):
    stages = Stages(tmp_path)
    with pytest.raises(ZeroDivisionError):
        stages.record("count", lambda: {"nodes": 1 // 0})
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_record_is_refused(tmp_path):
    (tmp_path / "count.json").write_text("{")
    with pytest.raises(CheckpointError, match=r"count\.json is damaged; delete the folder"):
        Stages(tmp_path).record("count", dict)


def test_an_array_is_computed_once_and_mapped(tmp_path):
    stages = pickle.loads(pickle.dumps(Stages(tmp_path)))
    first = stages.array("squares", lambda: np.arange(4) ** 2)
    stages.save("squares", np.zeros(4))
    np.testing.assert_array_equal(stages.load("squares"), first)
    assert not stages.load("squares").flags.writeable
    stages.forget("squ")
    assert not stages.path("squares.npy").exists()


@pytest.mark.parametrize("ids", [[3, 5, 9], ["ä", "b", "c"], []])
def test_ids_survive_their_file(tmp_path, ids):
    write_ids(tmp_path / "ids.arrow", pa.array(ids, type=None if ids else pa.int64()))
    assert read_ids(tmp_path / "ids.arrow").to_pylist() == ids
