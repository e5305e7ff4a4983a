import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from residuum.cli.output import Output, check_table, write_table
from residuum.cli.provenance import read_provenance
from residuum.errors import InvalidParameterError

COLUMNS = {"node": ["a,b", 'say "x"'], "score": [0.5, 1.25]}
RECORD = {"residuum": "1", "command": ["link"], "inputs": []}


def test_text_is_quoted_where_needed_and_keeps_its_record(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    write_table(file, COLUMNS, RECORD)
    assert file.read_text() == 'node,score\n"a,b",0.5\n"say ""x""",1.25\n'
    assert read_provenance(file) == RECORD


def test_tabs_separate_tsv(tmp_path: Path) -> None:
    write_table(tmp_path / "x.tsv", {"a": [1], "b": [2]}, RECORD)
    assert (tmp_path / "x.tsv").read_text() == "a\tb\n1\t2\n"


def test_parquet_keeps_types_and_record(tmp_path: Path) -> None:
    file = tmp_path / "x.parquet"
    write_table(file, COLUMNS, RECORD)
    assert pq.read_table(file).to_pydict() == COLUMNS
    assert read_provenance(file) == RECORD


def test_other_extensions_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameterError, match=r"a table must end in \.csv, \.tsv, \.parquet; got '\.xls'"):
        check_table(tmp_path / "x.xls", overwrite=False, inputs=[])


def test_an_existing_record_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "x.csv.json").write_text("mine")
    with pytest.raises(InvalidParameterError, match=r"x\.csv\.json exists"):
        check_table(tmp_path / "x.csv", overwrite=False, inputs=[])


def test_rows_without_a_file_are_printed_with_tabs(capsys: pytest.CaptureFixture[str]) -> None:
    Output(None, as_json=False).show("title", COLUMNS, dict)
    assert capsys.readouterr().out == 'node\tscore\na,b\t0.500000\nsay "x"\t1.250000\n'


def test_a_terminal_shows_names_instead_of_ids(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    columns = {"node": [17], "node_name": ["JFK"], "score": [0.5]}
    Output(None, as_json=False).show("title", columns, dict)
    shown = capsys.readouterr().out
    assert "JFK" in shown
    assert "17" not in shown
    assert "node_name" not in shown


def test_rows_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    Output(None, as_json=True).show("title", COLUMNS, dict)
    assert json.loads(capsys.readouterr().out) == [
        {"node": "a,b", "score": 0.5},
        {"node": 'say "x"', "score": 1.25},
    ]


def test_a_file_prints_the_title_and_the_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Output(tmp_path / "x.csv", as_json=False).show("2 nodes", COLUMNS, lambda: RECORD)
    assert capsys.readouterr().out == f"2 nodes\n{tmp_path / 'x.csv'}\n"
