"""residuum convert"""

import time
from pathlib import Path
from typing import Any

import click

from residuum._memory import format_bytes
from residuum.cli.progress import progress_bar
from residuum.errors import InvalidParameterError
from residuum.graph import convert as convert_graph
from residuum.graph import verify_graph

__all__ = ["convert"]


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.argument("output", metavar="[OUT.r2g]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--directed/--undirected",
    default=None,
    help="What the edges are. [default: undirected, unless the file says]",
)
@click.option("--source", metavar="COLUMN", help="Name of the column with the first node of an edge.")
@click.option("--target", metavar="COLUMN", help="Name of the column with the second node.")
@click.option("--weight", metavar="COLUMN", help="Name of the column with the weight.")
@click.option("--header/--no-header", default=None, help="Whether the first row names columns. [default: found out]")
@click.option("--memory", metavar="SIZE", help="Memory to use, such as 1GiB. [default: half of what is free]")
@click.option("--verify", is_flag=True, help="Compare all checksums: of OUT, or of GRAPH if there is no OUT.")
@click.option("--overwrite", is_flag=True, help="Replace OUT if it exists.")
@click.option("-q", "--quiet", is_flag=True, help="No progress and no summary.")
def convert(graph: Path, output: Path | None, verify: bool, quiet: bool, **options: Any) -> None:
    """Write GRAPH as a folder OUT.r2g that every command opens at once, however large it is.

    Edge lists (csv, tsv, columns separated by blanks, gzipped or not, and parquet) may be larger than memory; other
    formats are read as a whole.

    \b
    Examples:
      residuum convert edges.tsv.gz graph.r2g
      residuum convert citations.parquet graph.r2g --directed --memory 2GiB
      residuum convert graph.r2g --verify
    """
    began = time.perf_counter()
    with progress_bar(quiet) as progress:
        if output is None:
            if not verify:
                raise InvalidParameterError("say where the graph goes: residuum convert GRAPH OUT.r2g.")
            result, folder = verify_graph(graph, progress), graph
        else:
            memory_limit = options.pop("memory")
            try:
                result = convert_graph(graph, output, memory_limit=memory_limit, progress=progress, **options)
            except KeyboardInterrupt:
                click.echo(f"interrupted; the unfinished {output} was removed.", err=True)
                raise
            folder = output
            if verify:
                verify_graph(output, progress)
    if not quiet:
        size = format_bytes(sum(file.stat().st_size for file in folder.iterdir()))
        verified = ", verified" if verify else ""
        arrow = f" -> {output}" if output else ""
        click.echo(f"{result}: {size}{verified}, {time.perf_counter() - began:.1f} s{arrow}")
