import numpy as np
import pytest

from residuum.distributed.attributes import as_numbers, store_attributes, stored_columns
from residuum.distributed.grid import Grid
from residuum.distributed.stages import Stages
from residuum.nulls import Configuration
from residuum.residual import build_erasure


@pytest.fixture
def erasure(graph):
    labels = {node: "ab"[position % 2] for position, node in enumerate(graph.node_ids.tolist())}
    return build_erasure(graph, {"side": labels, "degree": "degree"}, Configuration().fit(graph, 3), 0.7)


def test_tasks_compute_the_columns_of_their_nodes(erasure, graph, tmp_path):
    stages = Stages(tmp_path)
    grid = Grid(stages, stages, (0, 30, 31, graph.n_nodes), directed=False)
    bare = store_attributes(grid, erasure)
    assert [len(part.values) for part in bare.parts] == [0, 0]
    assert (bare.names, bare.strength) == (erasure.names, 0.7)
    columns = [stored_columns(grid, bare, part) for part in range(3)]
    assert [len(rows) for rows in columns] == [30, 1, graph.n_nodes - 31]
    np.testing.assert_array_equal(np.concatenate(columns), erasure.columns())


def test_labels_become_codes_with_the_same_columns(erasure):
    side = as_numbers(erasure.parts[0])
    assert side.values.dtype.kind == "i"
    np.testing.assert_array_equal(side.encoder.columns(side.values), erasure.columns()[:, :2])
