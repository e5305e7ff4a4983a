"""Print the script that completes commands and options in the shell."""

import click
from click.shell_completion import get_completion_class

__all__ = ["completion"]


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that completes residuum commands and options in SHELL.

    \b
    Examples:
      residuum completion bash >> ~/.bashrc
      residuum completion zsh >> ~/.zshrc
      residuum completion fish > ~/.config/fish/completions/residuum.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(context.find_root().command, {}, "residuum", "_RESIDUUM_COMPLETE")
    # Not script.source(), which starts bash to check its version.
    click.echo(script.source_template % script.source_vars())
