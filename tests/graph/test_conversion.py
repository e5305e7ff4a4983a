import errno
import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse

from residuum import ProgressEvent
from residuum.errors import GraphFileError, InvalidParameterError, MemoryLimitError
from residuum.graph import Graph, convert, read_graph, write_graph

RNG = np.random.default_rng(0)
PAIRS = RNG.integers(0, 40, (600, 2))
COUNTS = RNG.integers(1, 9, 600)

EDGE_LISTS = {
    "unweighted": "".join(f"{u} {v}\n" for u, v in PAIRS),
    "weighted": "".join(f"{u},{v},{w}\n" for (u, v), w in zip(PAIRS, COUNTS, strict=True)),
    "fractions": "".join(f"{u},{v},{w / 10}\n" for (u, v), w in zip(PAIRS[:40], COUNTS, strict=False)),
    "string ids": "source,target\n" + "".join(f"n{u},n{v}\n" for u, v in PAIRS),
    "string ids at the end": "".join(f"{u},{v}\n" for u, v in PAIRS) + "1,last\n",
    "ids beyond 64 bits, and strings": "".join(f"{u},{v}\n" for u, v in PAIRS) + f"1,{2**70}\n" * 90 + "x,1\n",
    "comments and blank lines": "# made\n\n" + "".join(f"  {u}\t{v}  \n \n% c\n" for u, v in PAIRS),
    "a numeric third column": "a,b,c\n" + "".join(f"{u},{v},{u + 1}\n" for u, v in PAIRS),
    "a third column with a string at the end": "a,b,c\n" + "".join(f"{u},{v},2\n" for u, v in PAIRS) + "1,2,x\n",
    "zero weights": "".join(f"{u},{v},{int(w > 4)}\n" for (u, v), w in zip(PAIRS, COUNTS, strict=True)),
    "self-loops": "1,1,2\n1,2,1\n2,2,0.5\n1,1,1\n",
}


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use chunks of a few lines and runs of a few rows, as if the files were larger than memory."""
    monkeypatch.setattr("residuum.graph.conversion.CHUNK_BYTES", 300)
    monkeypatch.setattr("residuum.graph.conversion._LEAST_MEMORY", 1)


def assert_same(first: Graph, second: Graph) -> None:
    for name in ("indptr", "indices", "data"):
        ours, theirs = getattr(first.adjacency, name), getattr(second.adjacency, name)
        assert ours.dtype == theirs.dtype
        assert ours.tolist() == theirs.tolist()
    assert first.node_ids.dtype == second.node_ids.dtype
    assert first.node_ids.tolist() == second.node_ids.tolist()
    assert (first.directed, first.n_edges, first.is_weighted) == (second.directed, second.n_edges, second.is_weighted)
    assert first.out_strength.tolist() == second.out_strength.tolist()
    assert first.in_strength.tolist() == second.in_strength.tolist()


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.filterwarnings("ignore:.* is not a number, so the column is not used")
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", sorted(EDGE_LISTS))
def test_converted_text_equals_the_graph_in_memory(tmp_path: Path, name: str, directed: bool, packed: bool) -> None:
    file = tmp_path / ("edges.csv.gz" if packed else "edges.csv")
    data = EDGE_LISTS[name].encode()
    file.write_bytes(gzip.compress(data, mtime=0) if packed else data)
    graph = convert(file, tmp_path / "g.r2g", directed=directed, memory_limit=24_000)
    assert_same(graph, read_graph(file, directed=directed))
    assert sorted(tmp_path.iterdir()) == [file, tmp_path / "g.r2g"]


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(
    "columns",
    [
        {"source": PAIRS[:, 0], "target": PAIRS[:, 1]},
        {"source": PAIRS[:, 0], "target": PAIRS[:, 1], "weight": COUNTS},
        {"w": COUNTS / 4, "v": pa.array(PAIRS[:, 0].astype(str)).dictionary_encode(), "u": PAIRS[:, 1]},
    ],
    ids=["unweighted", "weighted", "strings and integers"],
)
def test_converted_parquet_equals_the_graph_in_memory(
    tmp_path: Path, columns: dict[str, object], directed: bool
) -> None:
    file = tmp_path / "edges.parquet"
    pq.write_table(pa.table(columns), file, row_group_size=50)
    graph = convert(file, tmp_path / "g.r2g", directed=directed, memory_limit=24_000)
    assert_same(graph, read_graph(file, directed=directed))


def test_columns_can_be_named(tmp_path: Path) -> None:
    file = tmp_path / "edges.csv"
    file.write_text("when,who,whom,miles\nmay,1,2,3\njune,2,3,4\n")
    named = {"source": "who", "target": "whom", "weight": "miles", "directed": True}
    assert_same(convert(file, tmp_path / "g.r2g", **named), read_graph(file, **named))


def test_a_matrix_file_is_converted(tmp_path: Path) -> None:
    sparse.save_npz(tmp_path / "g.npz", sparse.csr_array(np.array([[0.0, 2.0], [0.0, 1.0]])))
    assert_same(convert(tmp_path / "g.npz", tmp_path / "g.r2g"), read_graph(tmp_path / "g.npz"))


def test_a_graph_on_disk_is_converted_but_not_to_itself(tmp_path: Path) -> None:
    write_graph(Graph([[0, 2], [0, 0]], directed=True, node_attributes={"year": [1, 2]}), tmp_path / "a.r2g")
    graph = convert(tmp_path / "a.r2g", tmp_path / "b.r2g", directed=False)
    assert graph.adjacency.toarray().tolist() == [[0, 2], [2, 0]]
    assert graph.node_attributes["year"].tolist() == [1, 2]
    with pytest.raises(GraphFileError, match=r"a\.r2g cannot be converted to itself; choose another output path"):
        convert(tmp_path / "a.r2g", tmp_path / "a.r2g", overwrite=True)


def test_progress_is_reported_for_both_stages(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text(EDGE_LISTS["weighted"])
    events: list[ProgressEvent] = []
    convert(tmp_path / "e.csv", tmp_path / "g.r2g", progress=events.append)
    last = {event.stage: event for event in events if event.total > 0}
    assert {"reading edges", "sorting edges"} <= set(last)
    assert all(event.done == event.total for event in last.values())


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1,2,1\n" * 200 + "3,4\n", r"edges\.csv, line 201: expected 3 columns, got 2"),
        ("1,2,1\n" * 200 + "3,4,much\n", r"edges\.csv, line 201: the weight 'much' is not a number"),
        ("1,2,1\n" * 200 + "3,4,-1\n", r"edges\.csv, line 201: .* finite and non-negative; got -1"),
        ("1,2,1\n" * 200 + "3,4,\n", r"edges\.csv, line 201: the edge has no weight"),
        ("1,2\n" * 200 + f"3,{2**64}\n", r"edges\.csv, line 201: the id 18446744073709551616 does not fit"),
        ("1,2,0\n" * 200, r"edges\.csv: the graph is empty: 2 nodes, but no edge of positive weight"),
        ("source,target\n", r"edges\.csv: the graph is empty"),
    ],
)
def test_error_in_a_late_chunk_names_file_and_line_and_leaves_no_files(
    tmp_path: Path, content: str, message: str
) -> None:
    file = tmp_path / "edges.csv"
    file.write_text(content)
    with pytest.raises(GraphFileError, match=message):
        convert(file, tmp_path / "g.r2g", memory_limit=100_000)
    assert list(tmp_path.iterdir()) == [file]


def test_parquet_without_rows_is_empty(tmp_path: Path) -> None:
    pq.write_table(
        pa.table({"source": pa.array([], pa.int64()), "target": pa.array([], pa.int64())}), tmp_path / "e.parquet"
    )
    read: list[Callable[[], Graph]] = [
        lambda: read_graph(tmp_path / "e.parquet"),
        lambda: convert(tmp_path / "e.parquet", tmp_path / "g.r2g"),
    ]
    for attempt in read:
        with pytest.raises(GraphFileError, match=r"e\.parquet: the graph is empty: the edge table has no rows"):
            attempt()


def test_ids_that_are_neither_integers_nor_strings_are_refused_in_the_first_chunk(tmp_path: Path) -> None:
    pq.write_table(pa.table({"source": [1.5, 2.5], "target": [2.5, 3.5]}), tmp_path / "e.parquet")
    with pytest.raises(GraphFileError, match=r"e\.parquet: .*node ids must be integers or strings; got 1\.5"):
        convert(tmp_path / "e.parquet", tmp_path / "g.r2g")


@pytest.mark.parametrize(
    ("error", "expected", "message"),
    [
        (OSError(errno.ENOSPC, "full"), GraphFileError, r"disk of .* is full; the unfinished g\.r2g was removed"),
        (KeyboardInterrupt(), KeyboardInterrupt, "^$"),
    ],
)
def test_full_disk_and_interrupt_leave_no_files(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    expected: type[BaseException],
    message: str,
) -> None:
    def fail(*_: object) -> None:
        raise error

    (tmp_path / "e.csv").write_text("1,2\n")
    monkeypatch.setattr("residuum.graph.disk.sorting._append", fail)
    with pytest.raises(expected, match=message):
        convert(tmp_path / "e.csv", tmp_path / "g.r2g")
    assert list(tmp_path.iterdir()) == [tmp_path / "e.csv"]


def test_invalid_parameters_are_refused_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("1,2\n")
    with pytest.raises(MemoryLimitError, match=r"at least 64\.0 MiB; memory_limit is 1\.0 MiB\. Raise it"):
        convert(tmp_path / "e.csv", tmp_path / "g.r2g", memory_limit="1MiB")
    with pytest.raises(InvalidParameterError, match=r"must end in \.r2g"):
        convert(tmp_path / "e.csv", tmp_path / "g.graph")
    with pytest.raises(GraphFileError, match=r"nowhere\.csv does not exist"):
        convert(tmp_path / "nowhere.csv", tmp_path / "g.r2g")
    convert(tmp_path / "e.csv", tmp_path / "g.r2g")
    with pytest.raises(InvalidParameterError, match=r"g\.r2g exists; use overwrite=True"):
        convert(tmp_path / "e.csv", tmp_path / "g.r2g")
    assert convert(tmp_path / "e.csv", tmp_path / "g.r2g", overwrite=True).n_nodes == 2
