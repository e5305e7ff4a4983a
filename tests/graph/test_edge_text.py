import gzip
from pathlib import Path

import pyarrow.csv
import pytest

from residuum.errors import GraphFileError, ResiduumWarning
from residuum.graph import Graph, as_graph, convert, read_graph

EDGES = [[0, 2, 0], [2, 0, 5], [0, 5, 0]]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "edges.csv"


def read(file: Path, content: str | bytes, **options: object) -> Graph:
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_graph(file, **options)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("e.csv", "1,2,2\n2,3,5\n"),
        ("e.csv", "source,target,weight\n1,2,2\n2,3,5\n"),
        ("e.csv", "weight,target,source\n2,2,1\n5,3,2\n"),
        ("e.csv", "1;2;2\n2;3;5\n"),
        ("e.csv", "1, 2, 2\n2, 3, 5\n"),
        ("e.csv", '"1","2","2"\n"2","3","5"\n'),
        ("e.tsv", "u\tv\tw\n1\t2\t2\n2\t3\t5\n"),
        ("e.tsv", "1,2,2\n2,3,5\n"),
        ("e.txt", "1 2 2\n2 3 5\n"),
        ("e.txt", "  1   2 2\n 2\t3 \t5  \n"),
        ("e.txt", "from to weight\n1 2 2\n2 3 5"),
        ("edges", "1 2 2\n2 3 5\n"),
        ("e.csv", "1,2,2\r\n2,3,5\r\n"),
        ("e.txt", "1 2 2\r\n\r\n2 3 5\r\n"),
        ("e.csv", "\ufeffsource,target,weight\n1,2,2\n2,3,5\n"),
        ("e.txt", "\ufeff# made by hand\n1 2 2\n2 3 5\n"),
        ("e.csv", "# a, b\n% c\n1,2,2\n  # in between\n% and, again\n2,3,5\n# end"),
        ("e.txt", "% 3 nodes\n\nsource target weight\n1 2 2\n# x\n2 3 5\n"),
        ("e.csv", "\n  \nsource,target,weight\n1,2,2\n   \n\n2,3,5\n\n"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_every_layout_gives_the_same_graph(tmp_path: Path, name: str, content: str, packed: bool) -> None:
    data = content.encode()
    graph = read(tmp_path / (f"{name}.gz" if packed else name), gzip.compress(data, mtime=0) if packed else data)
    order = graph.positions([1, 2, 3])
    assert graph.adjacency.toarray()[order][:, order].tolist() == EDGES


def test_gzip_is_known_by_its_content_not_its_name(tmp_path: Path) -> None:
    assert read(tmp_path / "e.csv", gzip.compress(b"1,2\n", mtime=0)).n_edges == 1
    assert read(tmp_path / "e.csv.gz", b"1,2\n").n_edges == 1


@pytest.mark.parametrize(
    ("content", "ids"),
    [
        ("ann,bob\nbob,cid\n", ["ann", "bob", "cid"]),
        ("ann, bob\n bob ,cid\n", ["ann", "bob", "cid"]),
        ('"Doe, A","Roe, R"\n"Roe, R",Poe\n', ["Doe, A", "Roe, R", "Poe"]),
        ("1,2\n2,x\n", ["1", "2", "x"]),
        ("NA,null\nnull,nan\n", ["NA", "null", "nan"]),
        ("Zürich,北京\n", ["Zürich", "北京"]),
        ("1.0,2.0\n", ["1.0", "2.0"]),
        ('5" pipe,"a ""b"""\n\n"c",5" pipe\n', ['5" pipe', 'a "b"', "c"]),
        ("-1,0\n0,100\n", [-1, 0, 100]),
        ("01001,1001\n1001,2\n", ["01001", "1001", "2"]),
        ("1001,2\n2, 01001\n", ["1001", "2", "01001"]),
        ('1001,2\n2,"01001"\n', ["1001", "2", "01001"]),
        ("7,2\n2,-007\n", ["7", "2", "-007"]),
        ("source,target,weight,day\n10,20,1e-05,2020-01-05\n20,30,00.5,2020-01-05\n", [10, 20, 30]),
        ("-1,2\n2,+3\n", ["-1", "2", "+3"]),
    ],
)
def test_ids_are_integers_if_all_are_else_text(file: Path, content: str, ids: list[object]) -> None:
    assert read(file, content).node_ids.tolist() == ids


def test_zeros_in_front_of_a_late_id_make_all_ids_text_also_on_disk(tmp_path: Path, file: Path) -> None:
    file.write_text("".join(f"{k},{k + 1}\n" for k in range(300_000)) + "1,0001\n")
    ids = read_graph(file).node_ids
    assert ids.tolist() == [str(k) for k in range(300_001)] + ["0001"]
    on_disk = convert(file, tmp_path / "edges.r2g", memory_limit="64MiB")
    assert on_disk.node_ids.tolist() == ids.tolist()


@pytest.mark.parametrize(
    ("content", "header", "ids"),
    [
        ("person,friend\nann,bob\n", None, ["person", "friend", "ann", "bob"]),
        ("person,friend\nann,bob\n", True, ["ann", "bob"]),
        ("person,friend\n1,2\n", None, [1, 2]),
        ("# people\n\nsource,target\nann,bob\n", None, ["ann", "bob"]),
        ("to be\nbe or\nor not\n", None, ["to", "be", "or", "not"]),
        ("value,head\nhead,x\n", None, ["value", "head", "x"]),
        ("u,v\nann,bob\n", False, ["u", "v", "ann", "bob"]),
    ],
)
def test_header_is_found_by_known_names_or_numbers_below(
    file: Path, content: str, header: bool | None, ids: list[object]
) -> None:
    assert read(file, content, header=header).node_ids.tolist() == ids


def test_named_columns_mean_a_header(file: Path) -> None:
    graph = read(file, "when,who,whom,miles\nmay,1,2,3\njune,2,3,4\n", source="who", target="whom")
    assert graph.node_ids.tolist() == [1, 2, 3]
    assert not graph.is_weighted
    graph = read(file, "who,whom,miles\nann,bob,3\n", weight="miles")
    assert graph.node_ids.tolist() == ["ann", "bob"]
    assert graph.adjacency[0, 1] == 3


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        ("1,2\n2,3,4\n", 2, "expected 2 columns, found 3: '2,3,4'"),
        ("# c\n\n1,2,1\n# d\n2,3\n", 5, "expected 3 columns, found 2: '2,3'"),
        ("a,b\nb\n", 2, "expected 2 columns, found 1: 'b'"),
        ("source,target,weight\n1,2,1\n1,3,heavy\n", 3, "the weight 'heavy' is not a number"),
        ("1,2\n# c\n3,9223372036854775808\n", 3, "id 9223372036854775808 does not fit a 64-bit integer. Renumber"),
        ("w,u,v\n.5,1,2\n.5,2,-9223372036854775809\n", 3, "id -9223372036854775809 does not fit"),
        (b"a,b\nc,caf\xe9\n", 2, "not UTF-8 text .* Convert the file to UTF-8"),
        (b"\xff\xfea\x00,\x00b\x00", 1, "not UTF-8 text"),
        ("a,b\nc,\n", 2, "the edge has no target: 'c,'. Fill it or drop the line"),
        ("a,b\n# c\n , c\n", 3, "the edge has no source"),
        ('a,b\nc,""\n', 2, "the edge has no target"),
        ("1,\n2,3\n", 1, "the edge has no target"),
        ('a\tb\n"\tfoo\n"\tbar\nb\tfoo\n', 2, "a cell begins with a quote that is not closed: .* Close it"),
        ('a,b\nb,"c\nc,d\n', 2, "a cell begins with a quote that is not closed"),
        ('source,target\n"a",b\n\n"b\nd",c\n', 4, "a cell begins with a quote that is not closed"),
        ("# c\nlonely\n", 2, "needs at least two columns; got 'lonely'"),
    ],
)
def test_error_names_file_and_line(file: Path, content: str | bytes, line: int, problem: str) -> None:
    with pytest.raises(GraphFileError, match=rf"edges\.csv, line {line}: .*{problem}"):
        read(file, content)


def test_weight_of_a_chosen_column_that_is_no_number_is_named_with_its_line(file: Path) -> None:
    with pytest.raises(GraphFileError, match=r"edges\.csv, line 3: the weight 'far' is not a number"):
        read(file, "a,b,miles\n1,2,3\n2,3,far\n", weight="miles")


def test_a_third_column_with_one_bad_cell_is_no_weight_and_said_so(file: Path) -> None:
    with pytest.warns(ResiduumWarning, match=r"edges\.csv, line 4: '-' in the column 'trips' .* say weight='trips'"):
        graph = read(file, "source,target,trips\na,b,2\nb,c,3\nc,a,-\n")
    assert not graph.is_weighted


def test_the_column_called_weight_is_the_weight_wherever_it_is(file: Path) -> None:
    content = "source,target,count,weight\n1,2,7,2\n"
    graph = read(file, content)
    assert graph.adjacency[0, 1] == 2
    table = pyarrow.csv.read_csv(file)
    assert as_graph(table).adjacency[0, 1] == 2


@pytest.mark.parametrize("content", ["", "\n\n", "# only\n% comments\n", b"\xef\xbb\xbf"])
def test_file_without_edges_is_empty(file: Path, content: str | bytes) -> None:
    with pytest.raises(GraphFileError, match=r"edges\.csv: the graph is empty: the file has no edges"):
        read(file, content)


def test_header_alone_is_empty(file: Path) -> None:
    with pytest.raises(GraphFileError, match=r"edges\.csv: the graph is empty"):
        read(file, "source,target\n")


def test_cut_off_gzip_is_named_with_the_line_where_reading_ends(tmp_path: Path) -> None:
    file = tmp_path / "edges.txt.gz"
    lines = b"".join(b"%d %d\n" % (k, k * 7919 % 10007) for k in range(10_000))
    whole = gzip.compress(lines, mtime=0)
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(GraphFileError, match=r"edges\.txt\.gz, line \d{4}: the gzip file is damaged or cut off"):
        read_graph(file)
    file.write_bytes(whole[:-4])
    with pytest.raises(GraphFileError, match=r"edges\.txt\.gz, line \d+: the gzip file is damaged or cut off"):
        read_graph(file)


@pytest.mark.parametrize("weight", ["-2", "inf"])
def test_bad_weight_is_named_with_file_row_and_ends(file: Path, weight: str) -> None:
    with pytest.raises(GraphFileError, match=r"edges\.csv: .*row 1 \(from 1 to 3\) has weight"):
        read(file, f"source,target,weight\n1,2,1\n1,3,{weight}\n")


def test_missing_weight_is_named_with_file_and_row(file: Path) -> None:
    with pytest.raises(GraphFileError, match=r"edges\.csv: row 1 of the edge table has no weight"):
        read(file, "source,target,weight\n1,2,1\n1,3,\n")
