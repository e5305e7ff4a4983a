"""residuum methods"""

import click

from residuum.models import describe_methods

__all__ = ["methods"]


@click.command()
def methods() -> None:
    """List the methods that residuum embed --method knows.

    \b
    Examples:
      residuum methods | grep walks
      residuum embed edges.csv -o vectors.parquet --method node2vec --q 0.5
    """
    lines = describe_methods()
    width = max(map(len, lines))
    for name, line in lines.items():
        click.echo(f"{name:{width}}  {line}")
