"""Estimate the time and memory of each solver."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from residuum._progress import duration
from residuum.cli.display import print_table
from residuum.cli.graph_options import graph_options, load_graph
from residuum.cli.method_options import fitting_dim

if TYPE_CHECKING:
    from residuum.solvers import Estimate

__all__ = ["plan"]


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.option("-k", "--dim", default=64, show_default=True, help="Number of dimensions.")
@click.option("-t", "--window", default=10, show_default=True, help="Window length in steps.")
@click.option("--memory", metavar="SIZE", help="Memory limit, such as 8GiB. [default: half of free memory]")
@click.option("--threads", type=int, metavar="N", help="Number of threads. [default: all cores]")
@graph_options
@click.option("--json", "as_json", is_flag=True, help="Print the estimates as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Hide what the graph file was taken for.")
def plan(graph: Path, dim: int, window: int, memory: str | None, threads: int | None, **options: Any) -> None:
    """Estimate the time and memory of each solver on GRAPH, without embedding it.

    Times come from a cost model fitted on two cores; other machines differ by about the same factor for all solvers.
    Memory does not include the graph itself.

    \b
    Examples:
      residuum plan graph.r2g --dim 128
      residuum plan edges.csv --memory 2GiB
    """
    from residuum._memory import format_bytes, resolve_memory_limit
    from residuum.models import Residual2Vec

    loaded = load_graph(graph, options)
    dim = fitting_dim(dim, loaded)
    model = Residual2Vec(dim, window=window, memory_limit=memory, n_jobs=threads)
    if options["as_json"]:
        click.echo(json.dumps([_facts(estimate) for estimate in model.plan(loaded)], indent=2))
        return
    limit = format_bytes(resolve_memory_limit(memory))
    print_table(
        f"{loaded}, {dim} dimensions, window {window}, memory limit {limit}",
        [("solver", False), ("time", True), ("memory", True), ("", False)],
        [
            (estimate.solver, duration(estimate.seconds), format_bytes(estimate.bytes), _remark(estimate))
            for estimate in model.plan(loaded)
        ],
    )


def _facts(estimate: "Estimate") -> dict[str, Any]:
    return {name: getattr(estimate, name) for name in ("solver", "seconds", "bytes", "possible", "chosen")}


def _remark(estimate: "Estimate") -> str:
    if not estimate.possible:
        return "exceeds the memory limit"
    return "chosen by --solver auto" if estimate.chosen else ""
