import dataclasses
from pathlib import Path

import pyarrow.csv
import pytest

from residuum.errors import GraphFileError, InvalidGraphError, InvalidParameterError
from residuum.graph import Graph, as_graph, read_graph
from residuum.graph.files.layout import CANONICAL_INTEGER, Columns, Layout, cells_of, find_delimiter, find_layout


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "edges.csv"


def read(file: Path, content: str, **options: object) -> Graph:
    file.write_text(content)
    return read_graph(file, **options)


def layout_of(*lines: str, ending: str = ".csv", **columns: object) -> Layout:
    return find_layout(Path(f"edges{ending}"), ending, Columns(**columns), iter(enumerate(lines, start=1)))


@pytest.mark.parametrize(
    ("ending", "line", "delimiter"),
    [
        (".csv", "a,b", ","),
        (".csv", "a\tb,c", ","),
        (".csv", "a\tb", "\t"),
        (".csv", "a;b", ";"),
        (".csv", "a b", " "),
        (".tsv", "a,b\tc", "\t"),
        (".tsv", "a,b", ","),
        (".txt", "a,b\tc", "\t"),
        (".txt", "a;b,c", ","),
        ("", "a  b", " "),
    ],
)
def test_delimiter_is_that_of_the_extension_if_it_occurs_else_tab_comma_semicolon_or_space(
    ending: str, line: str, delimiter: str
) -> None:
    assert layout_of(line, ending=ending).delimiter == delimiter


@pytest.mark.parametrize(
    ("line", "delimiter", "cells"),
    [
        ("a,b", ",", ["a", "b"]),
        (" a , b ", ",", ["a", "b"]),
        ("a,,", ",", ["a", "", ""]),
        ("", ",", [""]),
        ("  a \t b  c", " ", ["a", "b", "c"]),
        ('"Doe, A",b', ",", ["Doe, A", "b"]),
        ('"a ""b""",c', ",", ['a "b"', "c"]),
        ('5" pipe,c', ",", ['5" pipe', "c"]),
        ('"a b" c', " ", ["a b", "c"]),
    ],
)
def test_cells_are_split_at_delimiters_outside_quotes_and_stripped(line: str, delimiter: str, cells: list[str]) -> None:
    assert cells_of(line, delimiter) == cells


@pytest.mark.parametrize(
    "text", ["0", "7", "-7", "1" * 40, "00", "007", "-0", "+1", "1.0", "0x10", "1e3", "", "-", "x"]
)
def test_canonical_integers_are_those_that_str_writes(text: str) -> None:
    try:
        expected = str(int(text)) == text
    except ValueError:
        expected = False
    assert (CANONICAL_INTEGER.fullmatch(text) is not None) == expected


@pytest.mark.parametrize(
    ("lines", "columns", "expected"),
    [
        (("1,2",), {}, Layout(",", False, ["1", "2"], (0, 1), None)),
        (("1,2,3",), {}, Layout(",", False, ["1", "2", "3"], (0, 1), 2)),
        (("1,2,3,4",), {}, Layout(",", False, ["1", "2", "3", "4"], (0, 1), 2, remark="not used: 4")),
        (("To,From,Count", "1,2,3"), {}, Layout(",", True, ["To", "From", "Count"], (1, 0), 2)),
        (("x,y", "1,2"), {"header": False}, Layout(",", False, ["1", "2"], (0, 1), None)),
        (("1,2", "3,4"), {"header": True}, Layout(",", True, ["1", "2"], (0, 1), None)),
        (("1,2,3", "3,4,5"), {"source": "3", "target": "1"}, Layout(",", True, ["1", "2", "3"], (2, 0), None)),
        (("7,8,9", "3,4,5"), {"source": "3", "target": "1"}, Layout(",", False, ["1", "2", "3"], (2, 0), 1)),
        (("a;b;1,5",), {}, Layout(";", False, ["1", "2", "3"], (0, 1), 2, ",")),
        (("0,ann,bob", "1,bob,cid"), {}, Layout(",", False, ["1", "2", "3"], (1, 2), None)),
        (("source,target",), {}, Layout(",", True, ["source", "target"], (0, 1), None)),
    ],
)
def test_columns_are_chosen_by_name_else_by_position(
    lines: tuple[str, ...], columns: dict[str, object], expected: Layout
) -> None:
    found = layout_of(*lines, **columns)
    # Remarks about columns that are not used have tests of their own.
    assert dataclasses.replace(found, remark=expected.remark) == expected


@pytest.mark.parametrize("name", ["year", "timestamp", "edge_id", "distance", "trips"])
def test_i2_a_column_that_is_not_named_weight_is_not_used_and_is_named(name: str) -> None:
    layout = layout_of(f"source,target,{name}", "1,2,3", "2,3,4")
    assert layout.weight is None
    assert layout.remark == f"not used: '{name}' (name a column as weight to use it)"
    assert layout_of(f"source,target,{name}", "1,2,3", weight=name).weight == 2


@pytest.mark.parametrize("name", ["weight", "Weight", "w", "count", "value", "edge_weight"])
def test_i2_a_column_named_weight_is_the_weight(name: str) -> None:
    assert layout_of(f"source,year,target,{name}", "1,2000,2,3").weight == 3


def test_i2_the_index_of_a_data_frame_is_not_used() -> None:
    layout = layout_of(",source,target", "0,ann,bob", "1,bob,cid")
    assert (layout.header, layout.ends, layout.weight) == (True, (1, 2), None)


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        (["2.5", "1", "7"], None),
        (["1", "1", "1"], None),
        (["3", "9"], None),
        (["1999", "2004", "2001"], "years"),
        (["1577836800", "1577836801", "1577836900"], "time stamps"),
        (["20200131", "20200201", "20191231"], "dates"),
        (["0", "1", "2"], "row numbers"),
        ([str(20 * k + k % 3) for k in range(12)], "times in order"),
    ],
)
def test_i2_a_third_column_without_name_is_the_weight_unless_it_looks_like_something_else(
    numbers: list[str], reason: str | None
) -> None:
    layout = layout_of(*(f"a,b{k},{number}" for k, number in enumerate(numbers)))
    assert not layout.header
    assert layout.weight == (2 if reason is None else None)
    expected = (
        "" if reason is None else f"not used: column 3, which looks like {reason} (name 3 as the weight to use it)"
    )
    assert layout.remark == expected


def test_incomplete_rows_do_not_affect_the_third_column() -> None:
    assert layout_of("1,2,3", "2,3", "3,4,").weight == 2


@pytest.mark.parametrize(
    ("lines", "ending", "chosen", "expected"),
    [
        (["a;b;1,5", "b;c;2,25"], ".csv", None, (";", ",")),
        (["a;b;1.5"], ".csv", None, (";", ".")),
        (["a\tb\t1,5"], ".txt", None, ("\t", ",")),
        (["a|b"], ".txt", "bar", ("|", ".")),
        (["a|b"], ".txt", "|", ("|", ".")),
        (["Doe, A\tb", "b\tc"], ".txt", None, ("\t", ".")),
    ],
)
def test_i4_delimiter_and_decimal_comma(lines: list[str], ending: str, chosen: str | None, expected: object) -> None:
    assert find_delimiter(lines, ending, chosen) == expected


def test_an_invalid_delimiter_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="must be one character, or one of comma, semicolon, tab"):
        layout_of("a,b", delimiter=",,")


def test_the_layout_is_described_in_one_line() -> None:
    layout = layout_of("follower,followee,w", "ann,bob,2")
    assert str(layout) == "comma-separated, header; source 'follower', target 'followee'; weight 'w'"
    assert (
        str(layout_of("ann bob", ending=""))
        == "space-separated, no header; source column 1, target column 2; no weights"
    )


def test_only_the_first_1000_lines_are_read() -> None:
    lines = iter([(number, "1,2,3") for number in range(1, 2000)])
    find_layout(Path("edges.csv"), ".csv", Columns(), lines)
    assert next(lines)[0] == 1001


@pytest.mark.parametrize(
    ("lines", "columns", "error", "message"),
    [
        ((), {}, GraphFileError, r"edges\.csv: the graph is empty: the file has no edges"),
        (("lonely",), {}, GraphFileError, r"edges\.csv, line 1: .* at least two columns; got 'lonely'"),
        (
            ("a,b", "1,2"),
            {"source": "z"},
            InvalidGraphError,
            "source must be a column of the edge table, which has 'a', 'b'; got 'z'",
        ),
        (
            ("a,b", "1,2"),
            {"weight": "z"},
            InvalidGraphError,
            "weight must be a column of the edge table, which has 'a', 'b'; got 'z'",
        ),
    ],
)
def test_error_names_the_missing_columns(
    lines: tuple[str, ...], columns: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        layout_of(*lines, **columns)


@pytest.mark.parametrize(
    ("content", "header", "ids"),
    [
        ("person,friend\nann,bob\n", None, ["ann", "bob"]),
        ("ann,bob\nbob,cid\n", None, ["ann", "bob", "cid"]),
        ("person,friend\nann,bob\n", True, ["ann", "bob"]),
        ("person,friend\n1,2\n", None, [1, 2]),
        ("# people\n\nsource,target\nann,bob\n", None, ["ann", "bob"]),
        ("to be\nbe or\nor not\n", None, ["to", "be", "or", "not"]),
        ("value,head\nhead,x\n", None, ["value", "head", "x"]),
        ("u,v\nann,bob\n", False, ["u", "v", "ann", "bob"]),
    ],
)
def test_header_is_detected_by_usual_names_or_by_numbers_below(
    file: Path, content: str, header: bool | None, ids: list[object]
) -> None:
    assert read(file, content, header=header).node_ids.tolist() == ids


def test_named_columns_imply_a_header(file: Path) -> None:
    graph = read(file, "when,who,whom,miles\nmay,1,2,3\njune,2,3,4\n", source="who", target="whom")
    assert graph.node_ids.tolist() == [1, 2, 3]
    assert not graph.is_weighted
    graph = read(file, "who,whom,miles\nann,bob,3\n", weight="miles")
    assert graph.node_ids.tolist() == ["ann", "bob"]
    assert graph.adjacency[0, 1] == 3


def test_i10_an_invalid_cell_in_a_third_column_of_numbers_is_an_error_with_its_line(file: Path) -> None:
    with pytest.raises(GraphFileError, match=r"edges\.csv, line 3: the weight '-' is not a number"):
        read(file, "a,b,2\nb,c,3\nc,a,-\n")


def test_the_column_named_weight_is_the_weight_at_any_position(file: Path) -> None:
    content = "source,target,count,weight\n1,2,7,2\n"
    graph = read(file, content)
    assert graph.adjacency[0, 1] == 2
    table = pyarrow.csv.read_csv(file)
    assert as_graph(table).adjacency[0, 1] == 2


_NUMBERS = ["0,1,0,3", "1,0,2,0", "0,2,0,1", "3,0,1,0"]


@pytest.mark.parametrize(
    "lines",
    [
        _NUMBERS,
        ["a,b,c,d", *_NUMBERS],
        ["id,a,b,c,d", *(f"{name},{row}" for name, row in zip("abcd", _NUMBERS, strict=True))],
        [" ".join("0" if i == j else "1" for j in range(1200)) for i in range(1200)],
    ],
)
def test_an_adjacency_matrix_is_not_read_as_edges(lines: list[str]) -> None:
    with pytest.raises(GraphFileError, match="look like an adjacency matrix"):
        layout_of(*lines)


def test_few_edges_with_many_columns_are_edges() -> None:
    assert layout_of("1,2,1,5", "2,3,1,6", "3,4,2,7", "4,1,1,8").ends == (0, 1)
    assert layout_of(*_NUMBERS, source="1", target="2", header=False).ends == (0, 1)
