from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from planted_files import write_planted
from residuum import Embedding
from residuum.cli import main


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_planted(tmp_path)
    return tmp_path


def draw(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["map", *arguments, "-q"])


def test_a_page_of_two_files_with_colors() -> None:
    pytest.importorskip("jinja2")
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


def test_a_table_for_other_viewers_keeps_the_vectors() -> None:
    result = draw("before.parquet", "-o", "atlas.parquet")
    assert result.exit_code == 0, result.stderr
    table = pq.read_table("atlas.parquet")
    assert {"x", "y", "neighbors"} <= set(table.column_names)
    assert len(table.column("neighbors")[0].as_py()["ids"]) == 10
    assert Embedding.load("atlas.parquet") == Embedding.load("before.parquet")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["before.parquet", "-o", "map.gif"], "the extension must be one of"),
        (["before.parquet", "after.csv", "-o", "x.parquet"], "accepts one file of vectors; got 2"),
        (["no.parquet", "-o", "map.html"], "no.parquet does not exist"),
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
    pytest.importorskip("jinja2")
    Path("map.html").write_text("mine")
    assert draw("before.parquet", "-o", "map.html").exit_code == 1
    assert Path("map.html").read_text() == "mine"
    assert draw("before.parquet", "-o", "map.html", "--overwrite").exit_code == 0
