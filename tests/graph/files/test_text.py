import gzip
from pathlib import Path

import pytest

from residuum.errors import GraphFileError
from residuum.graph import Graph, convert, read_graph

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
@pytest.mark.parametrize("gzipped", [False, True])
def test_all_layouts_describe_the_same_graph(tmp_path: Path, name: str, content: str, gzipped: bool) -> None:
    data = content.encode()
    graph = read(tmp_path / (f"{name}.gz" if gzipped else name), gzip.compress(data, mtime=0) if gzipped else data)
    order = graph.positions([1, 2, 3])
    assert graph.adjacency.toarray()[order][:, order].tolist() == EDGES


def test_gzip_is_recognized_by_content_not_by_name(tmp_path: Path) -> None:
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
def test_ids_are_integers_if_all_are_canonical_else_strings(file: Path, content: str, ids: list[object]) -> None:
    assert read(file, content).node_ids.tolist() == ids


def test_a_late_id_with_a_leading_zero_makes_all_ids_strings_also_on_disk(tmp_path: Path, file: Path) -> None:
    file.write_text("".join(f"{k},{k + 1}\n" for k in range(300_000)) + "1,0001\n")
    ids = read_graph(file).node_ids
    assert ids.tolist() == [str(k) for k in range(300_001)] + ["0001"]
    on_disk = convert(file, tmp_path / "edges.r2g", memory_limit="64MiB")
    assert on_disk.node_ids.tolist() == ids.tolist()


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        ("1,2\n2,3,4\n", 2, "expected 2 columns, got 3: '2,3,4'"),
        ("# c\n\n1,2,1\n# d\n2,3\n", 5, "expected 3 columns, got 2: '2,3'"),
        ("a,b\nb\n", 2, "expected 2 columns, got 1: 'b'"),
        ("source,target,weight\n1,2,1\n1,3,heavy\n", 3, "the weight 'heavy' is not a number"),
        ("1,2\n# c\n3,9223372036854775808\n", 3, "id 9223372036854775808 does not fit in a 64-bit integer. Renumber"),
        ("w,u,v\n.5,1,2\n.5,2,-9223372036854775809\n", 3, "id -9223372036854775809 does not fit"),
        (b"a,b\nc,caf\xe9\n", 2, "not UTF-8 text .* Convert the file to UTF-8"),
        (b"\xff\xfea\x00,\x00b\x00", 1, "contains NUL characters, .* UTF-16"),
        ("a,b\nc,\n", 2, "the edge has no target: 'c,'. Fill it in, or drop the line"),
        ("a,b\n# c\n , c\n", 3, "the edge has no source"),
        ('a,b\nc,""\n', 2, "the edge has no target"),
        ("1,\n2,3\n", 1, "the edge has no target"),
        ('a\tb\n"\tfoo\n"\tbar\nb\tfoo\n', 2, "a cell starts with a quote that is not closed: .* Close the quote"),
        ('a,b\nb,"c\nc,d\n', 2, "a cell starts with a quote that is not closed"),
        ('source,target\n"a",b\n\n"b\nd",c\n', 4, "a cell starts with a quote that is not closed"),
        ("# c\nlonely\n", 2, "needs at least two columns; got 'lonely'"),
    ],
)
def test_error_names_file_and_line(file: Path, content: str | bytes, line: int, problem: str) -> None:
    with pytest.raises(GraphFileError, match=rf"edges\.csv, line {line}: .*{problem}"):
        read(file, content)


def test_error_names_the_line_of_a_weight_that_is_not_a_number(file: Path) -> None:
    with pytest.raises(GraphFileError, match=r"edges\.csv, line 3: the weight 'far' is not a number"):
        read(file, "a,b,miles\n1,2,3\n2,3,far\n", weight="miles")


@pytest.mark.parametrize("content", ["", "\n\n", "# only\n% comments\n", b"\xef\xbb\xbf"])
def test_file_without_edges_is_empty(file: Path, content: str | bytes) -> None:
    with pytest.raises(GraphFileError, match=r"edges\.csv: the graph is empty: the file has no edges"):
        read(file, content)


def test_header_alone_is_empty(file: Path) -> None:
    with pytest.raises(GraphFileError, match=r"edges\.csv: the graph is empty"):
        read(file, "source,target\n")


def test_error_names_the_line_where_a_gzip_file_is_truncated(tmp_path: Path) -> None:
    file = tmp_path / "edges.txt.gz"
    lines = b"".join(b"%d %d\n" % (k, k * 7919 % 10007) for k in range(10_000))
    compressed = gzip.compress(lines, mtime=0)
    file.write_bytes(compressed[: len(compressed) // 2])
    with pytest.raises(GraphFileError, match=r"edges\.txt\.gz, line \d{4}: the gzip file is damaged or truncated"):
        read_graph(file)
    file.write_bytes(compressed[:-4])
    with pytest.raises(GraphFileError, match=r"edges\.txt\.gz, line \d+: the gzip file is damaged or truncated"):
        read_graph(file)


@pytest.mark.parametrize("weight", ["-2", "inf", "nan"])
def test_error_names_the_line_of_an_invalid_weight(file: Path, weight: str) -> None:
    with pytest.raises(GraphFileError, match=rf"edges\.csv, line 4: .* finite and non-negative; got {weight}"):
        read(file, f"source,target,weight\n# c\n1,2,1\n1,3,{weight}\n")


def test_error_names_the_line_of_a_missing_weight(file: Path) -> None:
    with pytest.raises(GraphFileError, match=r"edges\.csv, line 3: the edge has no weight: '1,3,'"):
        read(file, "source,target,weight\n1,2,1\n1,3,\n")
