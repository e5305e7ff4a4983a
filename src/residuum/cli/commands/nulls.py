"""List the null models and what each removes."""

import click

from residuum.cli.display import print_lines
from residuum.nulls import describe_null_models

__all__ = ["nulls"]


@click.command()
def nulls() -> None:
    """List the null models and what each removes from the vectors.

    Run residuum diagnose GRAPH for a recommendation.

    \b
    Examples:
      residuum nulls | grep degree
      residuum embed edges.csv -o vectors.parquet --null degree-correlated
    """
    print_lines(describe_null_models())
