import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from residuum.cli import main


@pytest.mark.parametrize(("shell", "word"), [("bash", "complete -o"), ("zsh", "#compdef"), ("fish", "complete")])
def test_a_script_is_printed_for_each_shell(shell: str, word: str) -> None:
    result = CliRunner().invoke(main, ["completion", shell])
    assert result.exit_code == 0
    assert word in result.stdout
    assert "_RESIDUUM_COMPLETE" in result.stdout


def test_other_shells_are_wrong_usage() -> None:
    assert CliRunner().invoke(main, ["completion", "cmd"]).exit_code == 2


def test_commands_and_options_are_completed() -> None:
    complete = ShellComplete(main, {}, "residuum", "_RESIDUUM_COMPLETE")
    assert [item.value for item in complete.get_completions([], "spl")] == ["split"]
    assert "--fraction" in [item.value for item in complete.get_completions(["split"], "--fr")]
