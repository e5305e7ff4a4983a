import numpy as np

from residuum.distributed.columns import ColumnFiles
from residuum.distributed.flow import flow_columns
from residuum.distributed.stages import Stages
from residuum.residual.flow import flow


def test_groups_flow_as_on_one_machine_until_they_are_at_chance(cluster, tmp_path, monkeypatch):
    for module in ("residual", "distributed"):
        monkeypatch.setattr(f"residuum.{module}.flow.ROUNDS_PER_CHECK", 2)
    rng = np.random.default_rng(0)
    codes = np.arange(150) % 3
    X, places = rng.standard_normal((150, 3)) + codes[:, None], rng.standard_normal((150, 3))
    owner = rng.permutation(codes)
    files = ColumnFiles(Stages(tmp_path), (0, 60, 61, 150), 3)
    for part in range(3):
        inside = slice(*files.bounds[part : part + 2])
        files.save_rows("vectors", part, X[inside])
        files.save_rows("places", part, places[inside])
    flow_columns(cluster, files, ("vectors", "places", "final"), codes, owner, np.random.default_rng(5))
    moved = np.concatenate([files.rows("final", part) for part in range(3)])
    np.testing.assert_allclose(moved, flow(X, codes, places, owner, np.random.default_rng(5)), atol=1e-8)
    assert not list(tmp_path.glob("flow-[0-9]*"))
