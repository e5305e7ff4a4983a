"""List the null models and what each removes."""

import json

import click

from residuum.cli.display import print_lines

__all__ = ["nulls"]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print names and descriptions as JSON.")
def nulls(as_json: bool) -> None:
    """List the null models and what each removes from the vectors.

    Run residuum diagnose GRAPH for a recommendation.

    \b
    Examples:
      residuum nulls | grep degree
      residuum embed edges.csv -o vectors.parquet --null degree-correlated
    """
    from residuum.nulls import describe_null_models

    described = describe_null_models()
    if as_json:
        click.echo(json.dumps(described, indent=2, ensure_ascii=False))
    else:
        print_lines(described)
