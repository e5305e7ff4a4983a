"""List the methods for residuum embed --method."""

import click

from residuum.cli.display import print_lines
from residuum.models import describe_methods

__all__ = ["methods"]


@click.command()
def methods() -> None:
    """List the methods for residuum embed --method.

    \b
    Examples:
      residuum methods | grep walks
      residuum embed edges.csv -o vectors.parquet --method node2vec --q 0.5
    """
    print_lines(describe_methods())
