"""Show the nodes most similar to a node."""

import sys
from pathlib import Path
from typing import Any

import click

from residuum.cli.display import print_table
from residuum.cli.node_names import NodeNames
from residuum.cli.output import Output, output_options
from residuum.cli.provenance import provenance

__all__ = ["similar"]


@click.command()
@click.argument("vectors", type=click.Path(path_type=Path))
@click.argument("nodes", metavar="NODE...", nargs=-1)
@click.option("--all", "all_nodes", is_flag=True, help="List the neighbors of all nodes.")
@click.option("-n", "--number", default=10, show_default=True, help="Number of neighbors.")
@click.option(
    "--by",
    default="cosine",
    show_default=True,
    metavar="cosine|association",
    help="Similarity: cosine of the vectors, or fitted association (signed).",
)
@click.option(
    "--names",
    metavar="FILE:COLUMN",
    help="Names of the nodes, for NODE and the output: a column of a csv or parquet file with one row per node.",
)
@output_options
@click.option("-q", "--quiet", is_flag=True, help="Hide what the file of names was taken for.")
def similar(vectors: Path, nodes: tuple[str, ...], number: int, by: str, **options: Any) -> None:
    """Show the nodes most similar to each NODE in VECTORS, a file written by residuum embed.

    Prints a table on a terminal; otherwise one line per neighbor, id and similarity separated by a tab. With several
    nodes, each line begins with the node.

    \b
    Examples:
      residuum similar vectors.parquet alice
      residuum similar vectors.parquet 17 -n 5 --by association
      residuum similar vectors.parquet JFK LHR --names airports.csv:iata
      residuum similar vectors.parquet --all -o neighbors.csv
    """
    from residuum.embedding import Embedding

    if bool(nodes) == options["all_nodes"]:
        raise click.UsageError("Name the nodes, or use --all without nodes.")
    output = Output.of(options, [vectors])
    embedding = Embedding.load(vectors)
    names = NodeNames.read(embedding.ids, options["names"], quiet=options["quiet"])
    centers = [names.identity(node) for node in nodes] or embedding.ids.tolist()
    neighbors = {node: embedding.neighbors(node, number, by) for node in centers}
    if len(nodes) == 1 and output.path is None and not output.as_json:
        _show_one(names, by, *neighbors.popitem())
        return
    rows = [(node, other, value) for node, found in neighbors.items() for other, value in found]
    columns = {
        **names.columns("node", [node for node, _, _ in rows]),
        **names.columns("neighbor", [other for _, other, _ in rows]),
        by: [value for _, _, value in rows],
    }
    output.show(f"nodes most similar to {len(neighbors)} nodes", columns, lambda: _record(vectors))


def _show_one(names: NodeNames, by: str, node: Any, neighbors: list[tuple[Any, float]]) -> None:
    if sys.stdout.isatty():
        rows = [(names.name(other), f"{value:.3f}") for other, value in neighbors]
        print_table(f"nodes most similar to {names.name(node)}", [("node", False), (by, True)], rows)
        return
    for other, value in neighbors:
        click.echo(f"{names.name(other)}\t{value:.6f}")


def _record(vectors: Path) -> dict[str, Any]:
    from residuum.models.record import input_record

    return provenance([input_record("vectors", vectors)])
