import json
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner, Result

from residuum import Embedding, read_graph
from residuum.cli import main
from residuum.cli.provenance import OutputPath


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("edges.csv").write_text("".join(f"{i},{(i + step) % 20}\n" for i in range(20) for step in (1, 2)))


def test_vectors_are_made_again_with_the_same_options() -> None:
    assert run("embed", "edges.csv", "-o", "x.npz", "-k", "3", "--seed", "5", "--model", "m.r2m", "-q").exit_code == 0
    result = run("rerun", "x.npz", "-o", "y.parquet")
    assert result.exit_code == 0
    assert result.stderr == "residuum embed edges.csv -k 3 --seed 5 -q -o y.parquet\n"
    assert Embedding.load("y.parquet") == Embedding.load("x.npz")
    again = run("rerun", "y.parquet", "-o", "z.npz")
    assert again.exit_code == 0
    np.testing.assert_array_equal(Embedding.load("z.npz").vectors, Embedding.load("x.npz").vectors)


def test_the_command_is_shown() -> None:
    run("embed", "edges.csv", "-o", "x y.npz", "-k", "3", "-q")
    assert run("rerun", "x y.npz", "--show").stdout == "residuum embed edges.csv -o 'x y.npz' -k 3 -q\n"


def test_json_shows_the_record_or_is_added_to_the_command() -> None:
    run("embed", "edges.csv", "-o", "x.npz", "-k", "3", "-q")
    record = json.loads(run("rerun", "x.npz", "--show", "--json").stdout)
    assert record["command"] == ["embed", "edges.csv", "-o", "x.npz", "-k", "3", "-q"]
    assert json.loads(run("rerun", "x.npz", "-o", "y.npz", "--json").stdout)["output"] == "y.npz"


def test_an_output_is_not_replaced_because_it_was_the_first_time() -> None:
    run("embed", "edges.csv", "-o", "x.npz", "-k", "3", "-q", "--overwrite")
    assert "x.npz exists" in run("rerun", "x.npz").stderr
    assert run("rerun", "x.npz", "--overwrite").exit_code == 0


def test_a_converted_graph_is_made_again() -> None:
    run("convert", "edges.csv", "-o", "graph.r2g", "-q")
    assert run("rerun", "graph.r2g", "--show").stdout == "residuum convert edges.csv -o graph.r2g -q\n"
    assert run("rerun", "graph.r2g", "--overwrite").exit_code == 0
    run("split", "edges.csv", "-o", "train.r2g", "--hidden", "held.csv", "-q")
    assert run("rerun", "train.r2g", "--overwrite").exit_code == 0


def test_each_output_of_a_command_is_made_again_alone() -> None:
    run("split", "edges.csv", "--output=train.csv", "--hidden", "held.csv", "-q")
    assert run("rerun", "held.csv", "-o", "again.csv").stderr == "residuum split edges.csv -q --hidden again.csv\n"
    assert Path("again.csv").read_text() == Path("held.csv").read_text()
    assert run("rerun", "train.csv", "-o", "train2.csv").stderr == "residuum split edges.csv -q -o train2.csv\n"
    assert Path("train2.csv").read_text() == Path("train.csv").read_text()
    run("embed", "edges.csv", "-ox.npz", "-k", "3", "--model", "m.r2m", "-q")
    assert run("rerun", "m.r2m", "-o", "n.r2m").stderr == "residuum embed edges.csv -k 3 -q --model n.r2m\n"
    assert Path("n.r2m").is_dir()
    run("convert", "edges.csv", "-o", "graph.r2g", "-q")
    assert run("rerun", "graph.r2g", "-o", "again.r2g").exit_code == 0
    assert str(read_graph("again.r2g")) == str(read_graph("graph.r2g"))


def test_a_file_that_was_renamed_is_the_main_output() -> None:
    run("embed", "edges.csv", "-o", "x.npz", "-k", "3", "-q")
    Path("x.npz").rename("old.npz")
    assert run("rerun", "old.npz", "-o", "y.npz").exit_code == 0
    assert Embedding.load("y.npz") == Embedding.load("old.npz")


def test_nodes_after_the_end_of_options_stay_nodes() -> None:
    run("embed", "edges.csv", "-o", "x.npz", "-k", "3", "-q")
    run("similar", "x.npz", "-o", "near.csv", "--", "3", "4")
    assert run("rerun", "near.csv", "-o", "again.csv").stderr == "residuum similar x.npz -o again.csv -- 3 4\n"
    assert Path("again.csv").read_text() == Path("near.csv").read_text()


def test_every_command_that_writes_a_file_names_it_with_output() -> None:
    context = click.Context(main)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert command is not None
        paths = {parameter.name for parameter in command.params if isinstance(parameter.type, OutputPath)}
        named = {parameter.name for parameter in command.params if parameter.name == "output"}
        assert not named or name == "rerun" or named <= paths
        assert not paths or "output" in paths


def test_a_table_and_a_model_are_replaced_on_request() -> None:
    run("split", "edges.csv", "-o", "train.csv", "--hidden", "held.csv", "-q")
    assert "exists; use overwrite=True (--overwrite)" in run("rerun", "held.csv").stderr
    content = Path("held.csv").read_text()
    Path("held.csv").write_text("lost")
    assert run("rerun", "held.csv", "--overwrite").exit_code == 0
    assert Path("held.csv").read_text() == content
    run("embed", "edges.csv", "-o", "x.npz", "-k", "3", "--model", "m.r2m", "-q")
    assert run("rerun", "m.r2m", "--overwrite").exit_code == 0


def test_changed_inputs_are_an_error_unless_allowed() -> None:
    run("embed", "edges.csv", "-o", "x.npz", "-k", "3", "-q")
    with Path("edges.csv").open("a") as stream:
        stream.write("0,10\n")
    assert "the input edges.csv has changed since" in run("rerun", "x.npz", "-o", "y.npz").stderr
    assert run("rerun", "x.npz", "-o", "y.npz", "--changed").exit_code == 0
    Path("edges.csv").unlink()
    assert "the input edges.csv does not exist" in run("rerun", "x.npz", "-o", "z.npz").stderr


def test_another_version_is_a_note() -> None:
    run("split", "edges.csv", "-o", "train.csv", "--hidden", "held.csv", "-q")
    record = json.loads(Path("held.csv.json").read_text())
    Path("held.csv.json").write_text(json.dumps({**record, "residuum": "0.0.1"}))
    assert "was made by residuum 0.0.1" in run("rerun", "held.csv", "--overwrite").stderr


def test_a_reproduction_is_made_again_in_another_folder_only() -> None:
    Embedding([1, 2], np.eye(2), metadata={"command": ["reproduce", "table-1"]}).save("x.npz")
    assert "residuum reproduce never replaces its output" in run("rerun", "x.npz", "--overwrite").stderr


@pytest.mark.parametrize("command", [["rerun", "x.npz"], ["paint"]])
def test_commands_that_cannot_be_run_are_an_error(command: list[str]) -> None:
    Embedding([1, 2], np.eye(2), metadata={"command": command}).save("x.npz")
    assert f"the recorded command {command[0]!r} cannot be run" in run("rerun", "x.npz").stderr


def test_a_file_without_a_record_is_an_error() -> None:
    result = run("rerun", "edges.csv")
    assert result.exit_code == 1
    assert "edges.csv has no record of a command" in result.stderr
