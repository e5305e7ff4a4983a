from pathlib import Path

import pyarrow.csv
import pytest

from residuum.errors import GraphFileError, InvalidGraphError, ResiduumWarning
from residuum.graph import Graph, as_graph, read_graph
from residuum.graph.files.layout import CANONICAL_INTEGER, Columns, Layout, cells_of, find_layout, is_number


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
    ("cell", "expected"), [("1", True), ("-1e-300", True), ("inf", True), ("nan", True), ("", False), ("1,5", False)]
)
def test_numbers_are_what_float_accepts(cell: str, expected: bool) -> None:
    assert is_number(cell) is expected


@pytest.mark.parametrize(
    ("lines", "columns", "expected"),
    [
        (("1,2",), {}, Layout(",", False, ["source", "target"], (0, 1), None)),
        (("1,2,3",), {}, Layout(",", False, ["source", "target", "weight"], (0, 1), 2)),
        (("1,2,3,4",), {}, Layout(",", False, ["source", "target", "weight", "column4"], (0, 1), 2)),
        (("a,b,c",), {}, Layout(",", False, ["source", "target", "weight"], (0, 1), 2)),
        (("To,x,From,Count", "1,2,3,4"), {}, Layout(",", True, ["To", "x", "From", "Count"], (2, 0), 3)),
        (("x,y,z", "1,2,3"), {}, Layout(",", True, ["x", "y", "z"], (0, 1), 2)),
        (("source,when,target", "1,may,2"), {}, Layout(",", True, ["source", "when", "target"], (0, 2), None)),
        (("x,y,z", "1,2,3"), {"source": "z"}, Layout(",", True, ["x", "y", "z"], (2, 0), 1)),
        (("x,y,z", "1,2,a"), {"weight": "z"}, Layout(",", True, ["x", "y", "z"], (0, 1), 2)),
        (("x,y", "1,2"), {"header": False}, Layout(",", False, ["source", "target"], (0, 1), None)),
        (("1,2", "3,4"), {"header": True}, Layout(",", True, ["1", "2"], (0, 1), None)),
        (("source,target",), {}, Layout(",", True, ["source", "target"], (0, 1), None)),
    ],
)
def test_columns_are_chosen_by_name_else_by_position(
    lines: tuple[str, ...], columns: dict[str, object], expected: Layout
) -> None:
    assert layout_of(*lines, **columns) == expected


@pytest.mark.parametrize("header", ["source,target,x", "x,target,source"])
def test_a_numeric_third_column_is_the_weight(header: str) -> None:
    numbers = ("1,2,3", "2,3,4")
    expected = {"source,target,x": 2, "x,target,source": 0}[header]
    assert layout_of(header, *numbers).weight == expected


def test_a_third_column_of_strings_is_not_used_as_weight_without_a_warning() -> None:
    assert layout_of("source,target,day", "1,2,may", "2,3,4").weight is None


def test_incomplete_rows_do_not_affect_the_third_column() -> None:
    assert layout_of("source,target,x", "1,2,3", "2,3", "3,4,").weight == 2


def test_only_the_first_1000_lines_are_read() -> None:
    lines = iter([(number, "1,2,3") for number in range(1, 2000)])
    find_layout(Path("edges.csv"), ".csv", Columns(), lines)
    assert next(lines)[0] == 1001


@pytest.mark.parametrize(
    ("lines", "columns", "error", "message"),
    [
        ((), {}, GraphFileError, r"edges\.csv: the graph is empty: the file has no edges"),
        (("lonely",), {}, GraphFileError, r"edges\.csv, line 1: .* at least two columns; got 'lonely'"),
        (("a,b", "1,2"), {"source": "z"}, InvalidGraphError, r"no column 'z'; it has \['a', 'b'\]"),
        (("a,b", "1,2"), {"weight": "z"}, InvalidGraphError, r"no column 'z'; it has \['a', 'b'\]"),
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
        ("person,friend\nann,bob\n", None, ["person", "friend", "ann", "bob"]),
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


def test_a_third_column_with_one_invalid_cell_is_not_used_as_weight_and_warns(file: Path) -> None:
    with pytest.warns(ResiduumWarning, match=r"edges\.csv, line 4: '-' in column 'trips' .* pass weight='trips'"):
        graph = read(file, "source,target,trips\na,b,2\nb,c,3\nc,a,-\n")
    assert not graph.is_weighted


def test_the_column_named_weight_is_the_weight_at_any_position(file: Path) -> None:
    content = "source,target,count,weight\n1,2,7,2\n"
    graph = read(file, content)
    assert graph.adjacency[0, 1] == 2
    table = pyarrow.csv.read_csv(file)
    assert as_graph(table).adjacency[0, 1] == 2
