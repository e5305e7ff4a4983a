import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from residuum import Embedding
from residuum.cli import main


@pytest.fixture
def embedding(tmp_path: Path) -> Embedding:
    return Embedding(["ann", "bob", "cid"], [[1, 0], [1, 1], [-1, 0]], [[0, 1], [2, 0], [1, 0]])


def similar(tmp_path: Path, embedding: Embedding, *arguments: str) -> Result:
    embedding.save(tmp_path / "x.npz")
    return CliRunner().invoke(main, ["similar", str(tmp_path / "x.npz"), *arguments])


def test_output_without_a_terminal_is_tab_separated(tmp_path: Path, embedding: Embedding) -> None:
    result = similar(tmp_path, embedding, "ann")
    assert (result.exit_code, result.stdout) == (0, "bob\t0.707107\ncid\t-1.000000\n")


def test_number_and_association_are_used(tmp_path: Path, embedding: Embedding) -> None:
    result = similar(tmp_path, embedding, "ann", "-n", "1", "--by", "association")
    assert result.stdout == "bob\t1.500000\n"


def test_a_terminal_shows_a_table(tmp_path: Path, embedding: Embedding, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _: True)
    result = similar(tmp_path, embedding, "ann")
    assert result.exit_code == 0
    assert "│ bob  │  0.707 │" in result.stdout
    assert "\t" not in result.stdout


def test_brackets_in_ids_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _: True)
    result = similar(tmp_path, Embedding(["ann [b]", "[/x]"], np.eye(2)), "ann [b]")
    assert result.exit_code == 0
    assert " [b] " in result.stdout
    assert "[/x]" in result.stdout


@pytest.mark.parametrize(
    ("ids", "asked", "first"),
    [
        ([7, 8], "7", "8"),
        ([-7, 8], "-7", "8"),
        (["7", "8"], "7", "8"),
        (["²", "8"], "²", "8"),
        (["--5", "8"], "--5", "8"),
    ],
)
def test_an_id_is_the_text_or_the_integer_it_spells(tmp_path: Path, ids: list[object], asked: str, first: str) -> None:
    result = similar(tmp_path, Embedding(ids, np.eye(2)), "--", asked)
    assert (result.exit_code, result.stdout) == (0, f"{first}\t0.000000\n")


@pytest.mark.parametrize("asked", ["9", "²", "--5", "dan"])
def test_an_unknown_node_is_an_error(tmp_path: Path, asked: str) -> None:
    result = similar(tmp_path, Embedding([7, 8], np.eye(2)), "--", asked)
    assert result.exit_code == 1
    assert result.stderr == (
        f"error: node {asked!r} is not in the embedding of 2 nodes (with ids such as 7, 8). Only ids are stored, no "
        "names.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["Ann"], "Did you mean 'ann'?"),
        (["ann", "-n", "0"], "n must be at least 1; got 0."),
        (["ann", "--by", "luck"], "by must be one of 'cosine', 'association'; got 'luck'."),
    ],
)
def test_invalid_options_print_one_line(
    tmp_path: Path, embedding: Embedding, arguments: list[str], message: str
) -> None:
    result = similar(tmp_path, embedding, *arguments)
    assert result.exit_code == 1
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_an_error_names_a_damaged_file(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_text("no parquet")
    result = CliRunner().invoke(main, ["similar", str(tmp_path / "x.parquet"), "ann"])
    assert result.exit_code == 1
    assert "x.parquet cannot be read" in result.stderr
    assert result.stderr.count("\n") == 1


def test_several_nodes_have_a_column_of_their_own(tmp_path: Path, embedding: Embedding) -> None:
    result = similar(tmp_path, embedding, "ann", "cid", "-n", "1")
    assert result.stdout == "node\tneighbor\tcosine\nann\tbob\t0.707107\ncid\tbob\t-0.707107\n"


def test_names_are_read_and_shown(tmp_path: Path) -> None:
    (tmp_path / "airports.csv").write_text("id,iata\n1,JFK\n2,LHR\n3,SFO\n")
    airports = Embedding([1, 2, 3], [[1, 0], [1, 1], [-1, 0]])
    result = similar(tmp_path, airports, "JFK", "--names", f"{tmp_path}/airports.csv:iata", "-q", "-n", "1")
    assert result.stdout == "LHR\t0.707107\n"


def test_all_nodes_go_to_a_table_with_names(tmp_path: Path, embedding: Embedding) -> None:
    (tmp_path / "people.csv").write_text("id,name\nann,Ann A\nbob,Bob B\ncid,Cid C\n")
    arguments = ["--all", "-n", "1", "--names", f"{tmp_path}/people.csv:name", "-o", str(tmp_path / "x.csv"), "-q"]
    assert similar(tmp_path, embedding, *arguments).exit_code == 0
    lines = (tmp_path / "x.csv").read_text().splitlines()
    assert lines[0] == "node,node_name,neighbor,neighbor_name,cosine"
    assert [line.rsplit(",", 1)[0] for line in lines[1:]] == [
        "ann,Ann A,bob,Bob B",
        "bob,Bob B,ann,Ann A",
        "cid,Cid C,bob,Bob B",
    ]


def test_json_has_one_entry_per_neighbor(tmp_path: Path, embedding: Embedding) -> None:
    rows = json.loads(similar(tmp_path, embedding, "ann", "-n", "1", "--json").stdout)
    assert rows == [{"node": "ann", "neighbor": "bob", "cosine": pytest.approx(0.7071067)}]


@pytest.mark.parametrize("arguments", [[], ["ann", "--all"]])
def test_nodes_or_all_must_be_given(tmp_path: Path, embedding: Embedding, arguments: list[str]) -> None:
    result = similar(tmp_path, embedding, *arguments)
    assert result.exit_code == 2
    assert "Name the nodes, or use --all without nodes." in result.stderr
