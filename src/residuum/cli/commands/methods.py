"""List the methods for residuum embed --method."""

import json

import click

from residuum.cli.display import print_lines

__all__ = ["methods"]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print names and descriptions as JSON.")
def methods(as_json: bool) -> None:
    """List the methods for residuum embed --method.

    \b
    Examples:
      residuum methods | grep walks
      residuum embed edges.csv -o vectors.parquet --method node2vec --q 0.5
    """
    from residuum.models import describe_methods

    described = describe_methods()
    if as_json:
        click.echo(json.dumps(described, indent=2, ensure_ascii=False))
    else:
        print_lines(described)
