import pytest
from click.testing import CliRunner

from residuum.cli import main


@pytest.fixture
def edges(tmp_path):
    path = tmp_path / "edges.csv"
    path.write_text("".join(f"{i},{(i * 7 + 1) % 200}\n{i},{(i + 1) % 200}\n" for i in range(200)))
    return str(path)


def test_every_solver_is_listed_and_one_is_chosen(edges):
    result = CliRunner().invoke(main, ["plan", edges, "--dim", "8"])
    assert result.exit_code == 0
    for solver in ("exact", "landmark", "block"):
        assert solver in result.stdout
    assert result.stdout.count("chosen by --solver auto") == 1


def test_solvers_above_the_memory_limit_are_marked(edges):
    result = CliRunner().invoke(main, ["plan", edges, "--dim", "8", "--memory", "10KiB"])
    assert result.exit_code == 0
    assert result.stdout.count("exceeds the memory limit") == 4


def test_invalid_parameters_are_refused(edges):
    result = CliRunner().invoke(main, ["plan", edges, "--dim", "4000"])
    assert result.exit_code == 1
    assert "n_components must be below the number of nodes" in result.stderr
