import os

import numpy as np
import pyarrow.parquet as pq
import pytest

from residuum.distributed.inputs import input_identity, shared_edges, shared_graph
from residuum.distributed.stages import Stages
from residuum.errors import InvalidParameterError

COLUMNS = {"source": None, "target": None, "weight": None}


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # dask reads parquet with it
def test_a_dask_data_frame_is_the_same_graph_as_its_files(cluster, edges, graph, tmp_path):
    import dask.dataframe as dd

    frame = dd.read_parquet(str(edges))
    (tmp_path / "home").mkdir()
    partitioned = shared_graph(cluster, tmp_path / "home", frame, False, 2, COLUMNS)
    np.testing.assert_allclose(partitioned.out_strength, graph.out_strength)
    np.testing.assert_array_equal(partitioned.node_ids, graph.node_ids)


def test_a_path_is_used_where_it_is(edges, tmp_path):
    assert shared_edges(edges, Stages(tmp_path)) == edges
    assert not (tmp_path / "edges.json").exists()


def test_other_files_are_another_input(edges):
    before = input_identity(edges)
    assert input_identity(str(edges)) == before
    file = edges / "part-0.parquet"
    os.utime(file, ns=(0, 0))
    assert input_identity(edges) != before
    pq.write_table(pq.read_table(file), edges / "part-9.parquet")
    assert len(input_identity(edges)[1]) == 4


def test_edges_in_memory_are_refused():
    with pytest.raises(InvalidParameterError, match=r"must be the path of a folder of parquet files .* got list"):
        input_identity([(0, 1)])
