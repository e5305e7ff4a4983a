import json

import pytest
from click.testing import CliRunner

from residuum.cli import main
from residuum.graph import read_graph


@pytest.fixture
def edges(tmp_path):
    path = tmp_path / "edges.csv"
    path.write_text("".join(f"{i},{(i * 7 + 1) % 200}\n{i},{(i + 1) % 200}\n" for i in range(200)))
    return str(path)


def test_every_solver_is_listed_and_one_is_chosen(edges):
    result = CliRunner().invoke(main, ["plan", edges, "--dim", "8"])
    assert result.exit_code == 0
    for solver in ("exact", "landmark", "block", "likelihood"):
        assert solver in result.stdout
    assert result.stdout.count("chosen by --solver auto") == 1


def test_json_has_the_estimates(edges):
    estimates = json.loads(CliRunner().invoke(main, ["plan", edges, "--dim", "8", "--json", "-q"]).stdout)
    assert {"exact", "landmark", "block"} <= {estimate["solver"] for estimate in estimates}
    assert sum(estimate["chosen"] for estimate in estimates) == 1


def test_solvers_above_the_memory_limit_are_marked(edges):
    result = CliRunner().invoke(main, ["plan", edges, "--dim", "8", "--memory", "10KiB"])
    assert result.exit_code == 0
    assert result.stdout.count("exceeds the memory limit") == 5


def test_i12_more_dimensions_than_fit_are_reduced_with_a_note(edges):
    result = CliRunner().invoke(main, ["plan", edges, "--dim", "4000"])
    assert result.exit_code == 0
    n_nodes = read_graph(edges).n_nodes
    assert f"note: --dim 4000 is reduced to {n_nodes - 1}, the most that fits a graph of {n_nodes}" in result.stderr
    assert f"{n_nodes - 1} dimensions" in " ".join(result.stdout.split())
