"""residuum diagnose"""

import sys
from pathlib import Path
from typing import Any, Literal

import click
import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from residuum.cli.null_options import attribute
from residuum.errors import InvalidParameterError
from residuum.evaluation import Finding, diagnose_degree, diagnose_distance, diagnose_groups, diagnose_sides
from residuum.graph import Graph, read_graph
from residuum.nulls import pair_distances
from residuum.nulls.labels import node_values
from residuum.nulls.temporal import number_of_each_node

__all__ = ["diagnose"]


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.option("--groups", multiple=True, metavar="FILE:COLUMN", help="A label of the nodes; several times for several.")
@click.option("--time", metavar="FILE:COLUMN", help="Times of the nodes.")
@click.option("--coordinates", metavar="FILE:X,Y", help="Places of the nodes; FILE:LAT,LON on earth.")
@click.option(
    "--directed/--undirected", default=None, help="What the edges are. [default: undirected, unless the file says]"
)
def diagnose(
    graph: Path, groups: tuple[str, ...], time: str | None, coordinates: str | None, directed: bool | None
) -> None:
    """Measure which biases GRAPH has, and recommend null models, with the reasons.

    \b
    Examples:
      residuum diagnose friends.csv --groups people.csv:gender --groups people.csv:country
      residuum diagnose routes.csv --coordinates airports.csv:lat,lon
      residuum diagnose citations.csv --directed --time papers.csv:year
    """
    loaded = read_graph(graph, directed=directed)
    findings = [*diagnose_degree(loaded), *diagnose_sides(loaded)]
    for text in groups:
        findings += _by_label(loaded, text, "--groups")
    if time is not None:
        findings += [_as_temporal(finding) for finding in _by_label(loaded, time, "--time")]
    if coordinates is not None:
        findings += _by_place(loaded, coordinates)
    _show(loaded, findings)


def _by_label(graph: Graph, text: str, option: str) -> list[Finding]:
    values = node_values(graph, attribute(graph, text, option), option)
    return diagnose_groups(graph, np.asarray(values).astype(str), text.rpartition(":")[2])


def _as_temporal(finding: Finding) -> Finding:
    null = "temporal" if finding.null_model else None
    return Finding(finding.name, finding.value, finding.meaning, null)


def _by_place(graph: Graph, text: str) -> list[Finding]:
    file, _, names = text.rpartition(":")
    axes = names.split(",")
    if len(axes) != 2:
        raise InvalidParameterError(f"--coordinates must be FILE:X,Y or FILE:LAT,LON; got {text!r}.")
    given = [(axis, attribute(graph, f"{file}:{axis}" if file else axis, "--coordinates")) for axis in axes]
    points = np.stack([number_of_each_node(graph, values, f"--coordinates: {axis}") for axis, values in given], axis=1)
    metric: Literal["euclidean", "great-circle"] = "great-circle" if axes[0].lower().startswith("lat") else "euclidean"

    def distance(rows: Any, others: Any) -> Any:
        return pair_distances(points[rows], points[others], metric)

    return diagnose_distance(graph, distance, np.random.default_rng(0))


def _show(graph: Graph, findings: list[Finding]) -> None:
    console = Console(width=None if sys.stdout.isatty() else 140)
    table = Table(title=escape(str(graph)))
    for name, justify in (("what", "left"), ("value", "right"), ("meaning", "left"), ("null model", "left")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    for finding in findings:
        told = (finding.name, f"{finding.value:.3f}", finding.meaning, finding.null_model or "-")
        table.add_row(*map(escape, told))
    console.print(table)
    wanted = list(dict.fromkeys(f.null_model for f in findings if f.null_model is not None))
    if not wanted:
        click.echo("No bias stands out; the default, configuration, does no harm.")
        return
    reasons = {f.null_model: f"{f.name} is {f.value:.2f}: {f.meaning}" for f in findings if f.null_model}
    click.echo("Recommended:")
    for name in wanted:
        click.echo(f"  --null {name}  because {reasons[name]}")
    if {"dcsbm", "temporal"} & set(wanted):
        click.echo("  with --erase null, if the label must not be found in the vectors")
