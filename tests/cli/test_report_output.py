from pathlib import Path

import numpy as np
import pytest

from report_cases import hostile_audit, summary
from residuum import Graph
from residuum.cli.report_output import (
    attribute_colorings,
    attribute_records,
    check_reports,
    file_names,
    page_of,
    print_verdicts,
    today,
    write_text,
)
from residuum.errors import InvalidParameterError

GRAPH = Graph([[0, 1, 1], [1, 0, 0], [1, 0, 0]], ["a", "b", "c"], node_attributes={"club": np.array(["x", "y", "x"])})


def test_names_are_stems_unless_they_repeat() -> None:
    files = [Path("a/fair.parquet"), Path("b/fair.npz"), Path("old.w2v")]
    assert file_names(files) == ["a/fair.parquet", "b/fair.npz", "old"]
    with pytest.raises(InvalidParameterError, match="one is given twice"):
        file_names([Path("a.npz"), Path("a.npz")])


def test_colorings_are_labels_numbers_and_degree() -> None:
    colorings = attribute_colorings(
        GRAPH, {"club": {"a": "x", "b": None, "c": "x"}}, {"year": {"a": 1.0, "b": 2.0, "c": 3.0}}
    )
    assert [coloring.name for coloring in colorings] == ["club", "year", "degree"]
    assert colorings[0].values.tolist() == [0, -1, 0]
    assert colorings[2].values.tolist() == [2, 1, 1]


def test_only_files_have_records(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text("node,age\n")
    (record,) = attribute_records(["club", f"{file}:age"], GRAPH)
    assert (record["file"], record["column"]) == (str(file), "age")


def test_outputs_are_checked_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "card.md").write_text("mine")
    with pytest.raises(InvalidParameterError, match=r"card\.md exists"):
        check_reports(None, tmp_path / "card.md", overwrite=False, inputs=[])
    check_reports(None, tmp_path / "card.md", overwrite=True, inputs=[])


def test_the_verdicts_are_printed_with_their_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    print_verdicts(summary())
    printed = capsys.readouterr().out
    assert "year, before: red, clear trace" in printed
    assert all(check["text"] in printed for check in summary()["subjects"][-1]["embeddings"]["before"]["checks"])


def test_the_page_has_the_maps_of_the_audit() -> None:
    page = page_of(hostile_audit()[0], summary(), [], title="x", provenance={"created": today()})
    assert page.count("<canvas") == 2


def test_a_text_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    write_text(tmp_path / "x.md", "one")
    write_text(tmp_path / "x.md", "two")
    assert [file.read_text() for file in tmp_path.iterdir()] == ["two"]
