"""residuum similar"""

import re
import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from residuum.embedding import Embedding

__all__ = ["similar"]


@click.command()
@click.argument("vectors", type=click.Path(path_type=Path))
@click.argument("node")
@click.option("-n", "--number", default=10, show_default=True, help="How many neighbours.")
@click.option(
    "--by",
    default="cosine",
    show_default=True,
    metavar="cosine|association",
    help="Angle between the vectors, or the model's own association, which can be negative.",
)
def similar(vectors: Path, node: str, number: int, by: str) -> None:
    """Show the nodes most similar to NODE in VECTORS, a file that `residuum embed` wrote.

    \b
    Examples:
      residuum similar vectors.parquet alice
      residuum similar vectors.parquet 17 -n 5 --by association

    On a terminal a table; elsewhere one line a neighbour, id and similarity separated by a tab.
    """
    embedding = Embedding.load(vectors)
    identity = _identity(embedding, node)
    neighbours = embedding.neighbors(identity, number, by)
    if not sys.stdout.isatty():
        for neighbour, similarity in neighbours:
            click.echo(f"{neighbour}\t{similarity:.6f}")
        return
    table = Table(title=escape(f"nodes most similar to {identity}"))
    table.add_column("node")
    table.add_column(by, justify="right")
    for neighbour, similarity in neighbours:
        table.add_row(escape(str(neighbour)), f"{similarity:.3f}")
    Console().print(table)


def _identity(embedding: Embedding, text: str) -> Any:
    """Return the id that the text names: itself, or the number that it spells."""
    if text in embedding or not re.fullmatch(r"-?[0-9]+", text):
        return text
    return int(text) if int(text) in embedding else text
