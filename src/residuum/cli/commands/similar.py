"""Show the nodes most similar to a node."""

import re
import sys
from pathlib import Path
from typing import Any

import click

from residuum.cli.display import print_table
from residuum.embedding import Embedding

__all__ = ["similar"]


@click.command()
@click.argument("vectors", type=click.Path(path_type=Path))
@click.argument("node")
@click.option("-n", "--number", default=10, show_default=True, help="Number of neighbors.")
@click.option(
    "--by",
    default="cosine",
    show_default=True,
    metavar="cosine|association",
    help="Similarity: cosine of the vectors, or fitted association (signed).",
)
def similar(vectors: Path, node: str, number: int, by: str) -> None:
    """Show the nodes most similar to NODE in VECTORS, a file written by residuum embed.

    Prints a table on a terminal; otherwise one line per neighbor, id and similarity separated by a tab.

    \b
    Examples:
      residuum similar vectors.parquet alice
      residuum similar vectors.parquet 17 -n 5 --by association
    """
    embedding = Embedding.load(vectors)
    identity = _identity(embedding, node)
    neighbors = embedding.neighbors(identity, number, by)
    if not sys.stdout.isatty():
        for neighbor, similarity in neighbors:
            click.echo(f"{neighbor}\t{similarity:.6f}")
        return
    rows = [(str(neighbor), f"{similarity:.3f}") for neighbor, similarity in neighbors]
    print_table(f"nodes most similar to {identity}", [("node", False), (by, True)], rows)


def _identity(embedding: Embedding, text: str) -> Any:
    """Return a node id from its text: the text itself, or the integer it spells."""
    if text in embedding or not re.fullmatch(r"-?[0-9]+", text):
        return text
    return int(text) if int(text) in embedding else text
