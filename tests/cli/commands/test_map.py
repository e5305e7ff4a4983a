import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from planted_files import write_planted
from residuum import Embedding
from residuum.cli import main
from residuum.embedding.projection import project


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_planted(tmp_path)
    return tmp_path


def draw(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["map", *arguments, "-q"])


def test_a_page_of_two_files_with_colors() -> None:
    color = ("--color", "people.csv:side", "--color", "people.csv:year")
    result = draw("before.parquet", "after.csv", "-o", "map.html", *color)
    assert result.exit_code == 0, result.stderr
    page = Path("map.html").read_text("utf-8")
    assert page.count("<canvas") == 2
    assert '"name":"side","labels":["s0","s1"]' in page
    # Six distinct integers are labels.
    assert '"name":"year","labels":["' in page


@pytest.mark.parametrize("name", ["map.png", "map.svg"])
def test_a_picture(name: str) -> None:
    pytest.importorskip("matplotlib")
    result = draw("before.parquet", "-o", name, "--color", "people.csv:side", "--projection", "pca")
    assert result.exit_code == 0, result.stderr
    assert Path(name).stat().st_size > 5000


def test_a_table_for_other_viewers_has_vectors_map_and_colors() -> None:
    result = draw("before.parquet", "-o", "atlas.parquet", "--color", "people.csv:side", "--projection", "pca")
    assert result.exit_code == 0, result.stderr
    table = pq.read_table("atlas.parquet")
    assert len(table.column("neighbors")[0].as_py()["ids"]) == 10
    before, after = Embedding.load("before.parquet"), Embedding.load("atlas.parquet")
    np.testing.assert_array_equal(after.vectors, before.vectors)
    assert after.ids.tolist() == before.ids.tolist()
    assert set(table.column("side").to_pylist()) == {"s0", "s1"}
    points = np.stack([table.column(name).to_numpy() for name in ("x", "y")], axis=1)
    np.testing.assert_array_equal(points, project(before.vectors, "pca"))


def test_a_color_that_is_a_column_of_vectors_is_refused() -> None:
    Path("places.csv").write_text("node,x\n" + "".join(f"n{i},{i}\n" for i in range(120)))
    result = draw("before.parquet", "-o", "atlas.parquet", "--color", "places.csv:x")
    assert "has a column 'x' of its own" in result.stderr
    assert not Path("atlas.parquet").exists()


@pytest.mark.parametrize("name", ["map.html", "map.png", "map.parquet"])
def test_a_map_can_be_made_again(name: str) -> None:
    pytest.importorskip("matplotlib")
    assert draw("before.parquet", "-o", name, "--color", "people.csv:side").exit_code == 0
    result = CliRunner().invoke(main, ["rerun", name, "--show", "--json"])
    assert result.exit_code == 0, result.stderr
    record = json.loads(result.stdout)
    assert record["command"] == ["map", "before.parquet", "-o", name, "--color", "people.csv:side", "-q"]
    assert [item["file"] for item in record["inputs"]] == ["before.parquet", "people.csv"]
    again = Path("again").with_suffix(Path(name).suffix)
    assert CliRunner().invoke(main, ["rerun", name, "-o", str(again)]).exit_code == 0
    assert again.stat().st_size == pytest.approx(Path(name).stat().st_size, rel=0.01)


def test_json_has_a_summary() -> None:
    result = draw("before.parquet", "-o", "map.parquet", "--color", "people.csv:side", "--json")
    facts = json.loads(result.stdout)
    assert facts.pop("seconds") > 0
    assert facts == {"output": "map.parquet", "maps": ["before"], "nodes": 120, "colors": ["side"]}


def test_the_summary_is_one_line() -> None:
    result = CliRunner().invoke(main, ["map", "before.parquet", "-o", "map.parquet"])
    assert result.stdout.startswith("map.parquet: 120 nodes, ")
    assert result.stdout.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["before.parquet", "-o", "map.gif"], "the extension must be one of"),
        (["before.parquet", "after.csv", "-o", "x.parquet"], "accepts one file of vectors; got 2"),
        (["no.parquet", "-o", "map.html"], "no.parquet does not exist"),
        (["before.parquet", "-o", "map.html", "--projection", "tsne"], "--projection must be one of 'auto', 'umap'"),
        (["before.parquet", "-o", "people.csv.html", "--color", "side"], "--color must be FILE:COLUMN"),
        (["before.parquet", "other.csv", "-o", "map.html"], "other has no vector of node 'n0'"),
    ],
)
def test_errors_name_the_problem(arguments: list[str], message: str) -> None:
    Path("other.csv").write_text("id,a,b\nz0,1,2\nz1,2,3\n")
    result = draw(*arguments)
    assert result.exit_code == 1
    assert message in result.stderr


def test_an_existing_file_is_replaced_only_if_asked() -> None:
    Path("map.html").write_text("mine")
    assert draw("before.parquet", "-o", "map.html").exit_code == 1
    assert Path("map.html").read_text() == "mine"
    assert draw("before.parquet", "-o", "map.html", "--overwrite").exit_code == 0
