import importlib
import inspect
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner

from residuum.cli import main
from residuum.cli.graph_options import READING, graph_options, load_graph
from residuum.errors import GraphFileError
from residuum.graph import read_graph

DEFAULTS: dict[str, Any] = dict.fromkeys(READING) | {"explain": False}
QUIET = DEFAULTS | {"quiet": True}


def parsed(*arguments: str) -> dict[str, Any]:
    """Return the options that a command with these arguments receives."""
    received: dict[str, Any] = {}

    @click.command()
    @graph_options
    def command(**options: Any) -> None:
        received.update(options)

    result = CliRunner().invoke(command, list(arguments))
    assert result.exit_code == 0, result.output
    return received


@pytest.fixture
def arcs(tmp_path: Path) -> Path:
    path = tmp_path / "arcs.csv"
    path.write_text("year,who,whom,miles\n1990,0,1,2\n1991,1,2,3\n1992,0,1,4\n1993,2,0,1\n")
    return path


def test_the_options_are_the_parameters_of_read_graph() -> None:
    assert tuple(inspect.signature(read_graph).parameters)[1:] == READING


def test_without_options_the_file_is_detected() -> None:
    assert parsed() == DEFAULTS


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--directed"], {"directed": True}),
        (["--undirected"], {"directed": False}),
        (["--header"], {"header": True}),
        (["--no-header"], {"header": False}),
        (["--delimiter", "tab"], {"delimiter": "tab"}),
        (["--explain"], {"explain": True}),
        (["--source", "a", "--target", "b", "--weight", "c"], {"source": "a", "target": "b", "weight": "c"}),
    ],
)
def test_each_option_sets_its_parameter(arguments: list[str], expected: dict[str, Any]) -> None:
    assert parsed(*arguments) == DEFAULTS | expected


def test_the_help_lists_the_options_in_reading_order() -> None:
    command = click.command()(graph_options(lambda **_: None))
    assert tuple(option.name for option in command.params) == (*READING, "explain")


@pytest.mark.parametrize("name", ["convert", "diagnose", "embed", "evaluate", "plan"])
def test_every_command_that_reads_a_graph_has_the_options(name: str) -> None:
    command = getattr(importlib.import_module(f"residuum.cli.commands.{name}"), name)
    assert {*READING, "explain", "quiet"} <= {option.name for option in command.params}


@pytest.mark.parametrize("directed", [True, False])
def test_columns_and_direction_select_the_adjacency(arcs: Path, directed: bool) -> None:
    options = QUIET | {"directed": directed, "source": "who", "target": "whom", "weight": "miles"}
    expected = np.zeros((3, 3))
    for source, target, miles in ((0, 1, 2), (1, 2, 3), (0, 1, 4), (2, 0, 1)):
        expected[source, target] += miles
        if not directed:
            expected[target, source] += miles
    # Options of the command that do not concern the file are ignored.
    graph = load_graph(arcs, options | {"seed": 3, "output": "x"})
    assert graph.directed == directed
    order = np.argsort(graph.node_ids)
    np.testing.assert_array_equal(graph.adjacency.toarray()[np.ix_(order, order)], expected)


def test_no_header_reads_the_first_row_as_an_edge(tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    path.write_text("source,target\na,b\n")
    assert load_graph(path, QUIET).n_edges == 1
    assert load_graph(path, QUIET | {"header": False}).n_edges == 2


def test_an_unknown_column_is_an_error(arcs: Path) -> None:
    with pytest.raises(GraphFileError, match="wherefrom"):
        load_graph(arcs, QUIET | {"source": "wherefrom"})


def test_a_command_reads_the_named_columns(arcs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(arcs.parent)
    options = ["--directed", "--source", "who", "--target", "whom", "--weight", "miles"]
    result = CliRunner().invoke(main, ["embed", "arcs.csv", "-o", "out.npz", "-k", "1", *options])
    assert result.exit_code == 0, result.output
    assert "Graph(3 nodes, 3 edges, directed, weighted)" in result.stderr


def test_what_was_read_is_said_in_one_line_on_stderr_unless_quiet(arcs: Path) -> None:
    result = CliRunner().invoke(main, ["diagnose", str(arcs), "--weight", "miles"])
    assert result.exit_code == 0, result.output
    assert (
        "comma-separated, header; source 'who', target 'whom'; weight 'miles'; not used: 'year'; "
        "Graph(3 nodes, 3 edges, undirected, weighted)"
    ) in result.stderr
    quiet = CliRunner().invoke(main, ["diagnose", str(arcs), "--weight", "miles", "-q"])
    assert quiet.stderr == ""
    assert quiet.stdout == result.stdout


@pytest.mark.parametrize("command", [["embed"], ["diagnose"], ["plan"], ["convert"], ["evaluate", "none.npz"]])
def test_explain_shows_the_first_edges_and_does_nothing_else(arcs: Path, command: list[str]) -> None:
    before = sorted(arcs.parent.iterdir())
    result = CliRunner().invoke(main, [*command, str(arcs), "--explain", "--weight", "miles"])
    assert result.exit_code == 0, result.output
    assert "source 'who', target 'whom'; weight 'miles'; not used: 'year'; undirected" in result.stdout
    cells = [line.split("│")[1:4] for line in result.stdout.splitlines() if line.startswith("│")]
    assert [[cell.strip() for cell in row] for row in cells] == [
        ["0", "1", "2"],
        ["1", "2", "3"],
        ["0", "1", "4"],
        ["2", "0", "1"],
    ]
    assert sorted(arcs.parent.iterdir()) == before
