"""residuum plan"""

import sys
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from residuum import Residual2Vec
from residuum._memory import format_bytes, resolve_memory_limit
from residuum.graph import read_graph
from residuum.residual import Estimate

__all__ = ["plan"]


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.option("-k", "--dim", default=64, show_default=True, help="Length of the vectors.")
@click.option("-t", "--window", default=10, show_default=True, help="Longest walk between two nodes.")
@click.option("--landmarks", type=int, metavar="M", help="Fix the number of landmarks.")
@click.option("--blocks", type=int, metavar="B", help="Blocks of the block solver. [default: 1000, or 25 a group]")
@click.option("--memory", metavar="SIZE", help="Memory for the solver, such as 8GiB. [default: half of what is free]")
@click.option("--threads", type=int, metavar="N", help="[default: all cores]")
@click.option(
    "--directed/--undirected",
    default=None,
    help="What the edges are. [default: undirected, unless the file says]",
)
def plan(
    graph: Path,
    dim: int,
    window: int,
    landmarks: int | None,
    blocks: int | None,
    memory: str | None,
    threads: int | None,
    directed: bool | None,
) -> None:
    """Tell what each solver would take to embed GRAPH, before any work.

    Seconds come from a model that was fitted to measurements on two cores; other machines differ by a factor that is
    about the same for all solvers. Memory is beside the graph itself.

    \b
    Examples:
      residuum plan graph.r2g --dim 128
      residuum plan edges.csv --memory 2GiB
    """
    loaded = read_graph(graph, directed=directed)
    model = Residual2Vec(
        n_components=dim,
        window=window,
        n_landmarks=landmarks,
        n_blocks=blocks,
        memory_limit=memory,
        n_jobs=threads,
    )
    console = Console(width=None if sys.stdout.isatty() else 100)
    limit = format_bytes(resolve_memory_limit(memory))
    table = Table(title=f"{loaded}, {dim} components, window {window}, memory limit {limit}")
    for name in ("solver", "time", "memory", ""):
        table.add_column(name, justify="left" if name in {"solver", ""} else "right")
    for one in model.plan(loaded):
        table.add_row(one.solver, duration(one.seconds), format_bytes(one.bytes), _remark(one))
    console.print(table)


def _remark(one: Estimate) -> str:
    if not one.possible:
        return "not within the memory limit"
    return "what --solver auto takes" if one.chosen else ""


def duration(seconds: float) -> str:
    """Return a time as a person says it.

    Examples
    --------
    >>> duration(0.31), duration(42.4), duration(400), duration(9000)
    ('0.3 s', '42 s', '6.7 min', '2.5 h')
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.1f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
