import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from residuum.distributed.edges import edge_pieces
from residuum.distributed.numbering import distribute_entries, number_nodes, part_bounds, write_part_ids
from residuum.distributed.stages import Stages, read_ids
from residuum.errors import InvalidGraphError

RNG = np.random.default_rng(0)
NUMBERS = RNG.choice(10**6, 60, replace=False) - 10**5
IDS = {"integers": NUMBERS, "strings": np.array([f"é{number}" for number in NUMBERS], dtype=object)}


def write_random_edges(folder, ids, n_files=4):
    folder.mkdir()
    ends = RNG.integers(len(ids), size=(2, 200))
    table = pa.table({"source": ids[ends[0]], "target": ids[ends[1]]})
    for number in range(n_files):
        pq.write_table(table.slice(50 * number, 50), folder / f"{number}.parquet")
    return edge_pieces(folder), ids[ends[0]], ids[ends[1]]


@pytest.mark.parametrize("kind", IDS)
@pytest.mark.parametrize("n_buckets", [1, 4, 100])
def test_the_position_of_a_node_is_the_rank_of_its_id(cluster, tmp_path, kind, n_buckets):
    pieces, source, target = write_random_edges(tmp_path / "edges", IDS[kind])
    stages = Stages(tmp_path)
    starts = number_nodes(cluster, stages, pieces, n_buckets, None)
    nodes = np.unique(np.concatenate([source, target]))
    bounds = part_bounds(starts[-1], 3)
    for part in range(3):
        write_part_ids(stages, starts, bounds, part)
    parts = [read_ids(stages.path(f"ids-{part}.arrow")).to_pylist() for part in range(3)]
    assert [node for part in parts for node in part] == nodes.tolist()


@pytest.mark.parametrize("kind", IDS)
@pytest.mark.parametrize("directed", [True, False])
def test_entries_are_sorted_by_block_and_counted_from_its_first_node(cluster, tmp_path, kind, directed):
    pieces, source, target = write_random_edges(tmp_path / "edges", IDS[kind])
    stages = Stages(tmp_path)
    starts = number_nodes(cluster, stages, pieces, 4, None)
    bounds = part_bounds(starts[-1], 3)
    adjacency = np.zeros((starts[-1], starts[-1]))
    for piece in range(4):
        distribute_entries(stages, piece, starts, bounds, directed)
        entries, ends = stages.load(f"entries-{piece}"), stages.load(f"entries-{piece}-bounds")
        for block in range(9):
            some = entries[ends[block] : ends[block + 1]]
            np.add.at(adjacency, (bounds[block // 3] + some["row"], bounds[block % 3] + some["column"]), some["weight"])
    nodes = np.unique(np.concatenate([source, target]))
    expected = np.zeros_like(adjacency)
    i, j = np.searchsorted(nodes, source), np.searchsorted(nodes, target)
    np.add.at(expected, (i, j), 1.0)
    if not directed:
        np.add.at(expected, (j[i != j], i[i != j]), 1.0)
    np.testing.assert_array_equal(adjacency, expected)


def test_there_are_no_more_parts_than_nodes():
    assert part_bounds(2, 5) == [0, 1, 2]


def test_files_with_different_types_of_ids_that_the_schema_hides_are_refused(cluster, tmp_path):
    folder = tmp_path / "edges"
    folder.mkdir()
    pq.write_table(pa.table({"source": ["a"], "target": ["b"]}), folder / "0.parquet")
    pq.write_table(pa.table({"source": pa.nulls(1), "target": pa.nulls(1)}), folder / "1.parquet")
    with pytest.raises(InvalidGraphError, match="row 0 of the edge table has no source"):
        number_nodes(cluster, Stages(tmp_path), edge_pieces(folder), 2, None)
