import pytest
from click.testing import CliRunner

from residuum.cli import main
from residuum.cli.plan import duration


@pytest.fixture
def edges(tmp_path):
    path = tmp_path / "edges.csv"
    path.write_text("".join(f"{i},{(i * 7 + 1) % 200}\n{i},{(i + 1) % 200}\n" for i in range(200)))
    return str(path)


def test_every_solver_has_a_line_and_one_is_what_auto_takes(edges):
    result = CliRunner().invoke(main, ["plan", edges, "--dim", "8"])
    assert result.exit_code == 0
    for solver in ("exact", "landmark", "block"):
        assert solver in result.stdout
    assert result.stdout.count("what --solver auto takes") == 1


def test_what_does_not_fit_is_said(edges):
    result = CliRunner().invoke(main, ["plan", edges, "--dim", "8", "--memory", "10KiB"])
    assert result.exit_code == 0
    assert result.stdout.count("not within the memory limit") == 3


def test_wrong_parameters_are_refused(edges):
    result = CliRunner().invoke(main, ["plan", edges, "--dim", "4000"])
    assert result.exit_code == 1
    assert "n_components must be below the number of nodes" in result.stderr


@pytest.mark.parametrize(("seconds", "said"), [(0.04, "0.0 s"), (119, "119 s"), (121, "2.0 min"), (7300, "2.0 h")])
def test_duration(seconds, said):
    assert duration(seconds) == said
