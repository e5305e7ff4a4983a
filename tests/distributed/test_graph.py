import numpy as np
import pytest

from residuum import Graph
from residuum.errors import CheckpointError, InvalidGraphError, InvalidParameterError
from residuum.graph import weight_between, write_graph
from residuum.walks import effective_degree


@pytest.mark.parametrize("n_parts", [1, 3])
def test_strengths_degrees_and_weights_between_groups_are_those_of_the_graph(build, graph, n_parts):
    partitioned = build(graph, n_parts)
    assert (partitioned.n_nodes, partitioned.n_edges) == (graph.n_nodes, graph.n_edges)
    assert partitioned.is_weighted
    np.testing.assert_array_equal(partitioned.node_ids, graph.node_ids)
    np.testing.assert_allclose(partitioned.out_strength, graph.out_strength)
    assert effective_degree(partitioned) == pytest.approx(effective_degree(graph))
    groups = (np.arange(graph.n_nodes) % 5).astype(np.int32)
    np.testing.assert_allclose(weight_between(partitioned, groups, 5), weight_between(graph, groups, 5))


def test_a_directed_graph_has_two_strengths(build, directed_graph):
    kept = directed_graph.subgraph((directed_graph.in_strength > 0) | (directed_graph.out_strength > 0))
    partitioned = build(directed_graph)
    np.testing.assert_array_equal(partitioned.in_strength, kept.in_strength)
    np.testing.assert_array_equal(partitioned.out_strength, kept.out_strength)
    assert repr(partitioned) == repr(kept)


def test_parallel_edges_and_self_loops_count_as_weight(cluster, tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    from residuum.distributed.graph import partition_graph
    from residuum.distributed.stages import Stages

    pq.write_table(pa.table({"source": [1, 2, 3, 1], "target": [2, 1, 3, 2]}), tmp_path / "edges.parquet")
    graph = partition_graph(cluster, Stages(tmp_path), tmp_path / "edges.parquet", n_partitions=2)
    np.testing.assert_array_equal(graph.out_strength, [3.0, 3.0, 1.0])


def test_a_graph_on_disk_keeps_its_order_and_attributes(cluster, tmp_path):
    from residuum.distributed.graph import partition_graph
    from residuum.distributed.stages import Stages

    original = Graph([[0, 2, 0], [2, 0, 1], [0, 1, 0]], ["z", "a", "m"], node_attributes={"year": [3, 1, 2]})
    write_graph(original, tmp_path / "graph.r2g")
    graph = partition_graph(cluster, Stages(tmp_path), tmp_path / "graph.r2g", n_partitions=2)
    assert graph.node_ids.tolist() == ["z", "a", "m"]
    assert graph.node_attributes["year"].tolist() == [3, 1, 2]
    np.testing.assert_array_equal(graph.out_strength, original.out_strength)
    (tmp_path / "other").mkdir()
    with pytest.raises(InvalidGraphError, match=r"is undirected, which cannot be changed on a cluster"):
        partition_graph(cluster, Stages(tmp_path / "other"), tmp_path / "graph.r2g", directed=True)


def test_what_needs_all_edges_is_refused(build, graph):
    with pytest.raises(InvalidParameterError, match="needs all edges on one machine"):
        _ = build(graph).adjacency


def test_a_folder_of_another_graph_is_refused(build, graph, directed_graph, cluster, tmp_path):
    from residuum.distributed.inputs import shared_graph

    build(graph)
    columns = {"source": None, "target": None, "weight": None}
    with pytest.raises(CheckpointError, match="holds checkpoints of a different run: n_partitions was 3 and is now 4"):
        shared_graph(cluster, tmp_path / "run", tmp_path / "edges-run", False, 4, columns)


def test_files_of_earlier_stages_are_deleted(build, graph):
    names = {path.name.split("-")[0] for path in build(graph).grid.home.folder.iterdir()}
    assert names == {"block", "out", "ids", "run.json", "nodes.json", "entries.json", "graph.json"}


def test_blocks_that_are_complete_are_not_built_again(build, graph, monkeypatch):
    from residuum.distributed import grid as module

    grid = build(graph).grid
    weights = grid.block(0, 1)[2]
    monkeypatch.setattr(module, "sorted_rows", None)
    assert module.build_block(grid, 3, 0, 1, False) == (len(weights), weights.min(), weights.max())


@pytest.mark.parametrize("weight", [1e200, 1e-200])
def test_weights_whose_squares_are_no_numbers_are_refused(build, weight):
    with pytest.raises(InvalidGraphError, match=r"between 1e-150 and 1e\+150, so that their squares are numbers; got"):
        build(Graph(weight * (np.ones((6, 6)) - np.eye(6))), 2)
