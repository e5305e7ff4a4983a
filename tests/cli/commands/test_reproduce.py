import json
import shlex

import pytest
from click.testing import CliRunner

from residuum.cli import main
from residuum.reproduction import TARGETS

pytest.importorskip("matplotlib")


def test_a_quick_target_writes_four_files_and_lists_them(tmp_path):
    command = ["reproduce", "table-1", "--quick", "--output", str(tmp_path / "out")]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    kinds = ("csv", "md", "png", "svg")
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == sorted(
        f"table-1.quick.{kind}" for kind in (*kinds, "csv.json")
    )
    assert "table-1.quick.md" in result.stdout
    shown = CliRunner().invoke(main, ["rerun", str(tmp_path / "out" / "table-1.quick.csv"), "--show"])
    assert shown.stdout == f"residuum {shlex.join(command)}\n"
    listed = json.loads(CliRunner().invoke(main, [*command, "--json"]).stdout)
    assert listed == {"table-1": [str(tmp_path / "out" / f"table-1.quick.{kind}") for kind in kinds]}


def test_the_help_names_every_target():
    result = CliRunner().invoke(main, ["reproduce", "--help"])
    for name in [*TARGETS, "all"]:
        assert name in result.stdout


def test_an_unknown_graph_is_an_error(tmp_path):
    result = CliRunner().invoke(main, ["reproduce", "table-1", "--graph", "nowhere", "-o", str(tmp_path)])
    assert result.exit_code == 1
    assert "graphs must be among" in result.stderr


def test_all_targets_accept_no_graph_option(tmp_path):
    result = CliRunner().invoke(main, ["reproduce", "all", "--graph", "planted", "-o", str(tmp_path)])
    assert result.exit_code == 1
    assert "need a single target" in result.stderr
