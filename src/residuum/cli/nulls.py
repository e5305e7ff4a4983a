"""residuum nulls"""

import click

from residuum.nulls import describe_null_models

__all__ = ["nulls"]


@click.command()
def nulls() -> None:
    """List the null models: what each of them takes out of the vectors.

    Which one fits a graph is said by residuum diagnose GRAPH.

    \b
    Examples:
      residuum nulls | grep degree
      residuum embed edges.csv -o vectors.parquet --null degree-correlated
    """
    lines = describe_null_models()
    width = max(map(len, lines))
    for name, line in lines.items():
        click.echo(f"{name:{width}}  {line}")
