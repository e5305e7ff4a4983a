"""Measure the biases of a graph and recommend null models."""

from pathlib import Path
from typing import Any

import click
import numpy as np

from residuum.cli.attribute_options import AttributeReader, attribute_options, coordinates_of
from residuum.cli.display import print_table
from residuum.cli.graph_options import graph_options, load_graph
from residuum.evaluation import Finding, diagnose_degree, diagnose_distance, diagnose_groups, diagnose_sides
from residuum.graph import Graph, node_numbers
from residuum.nulls import pair_distances

__all__ = ["diagnose"]


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.option("--groups", multiple=True, metavar="FILE:COLUMN", help="Node labels (repeatable).")
@click.option("--time", metavar="FILE:COLUMN", help="Node times.")
@click.option("--coordinates", metavar="FILE:X,Y", help="Node coordinates, or FILE:LAT,LON.")
@attribute_options(missing="unknown", meaning="left out")
@graph_options
@click.option("-q", "--quiet", is_flag=True, help="Hide what the files were taken for.")
def diagnose(graph: Path, groups: tuple[str, ...], time: str | None, coordinates: str | None, **options: Any) -> None:
    """Measure the biases of GRAPH and recommend null models, with reasons.

    \b
    Examples:
      residuum diagnose friends.csv --groups people.csv:gender
      residuum diagnose routes.csv --coordinates airports.csv:lat,lon
      residuum diagnose citations.csv --directed --time papers.csv:year
    """
    loaded = load_graph(graph, options)
    reader = AttributeReader.of(loaded, options)
    findings = [*diagnose_degree(loaded), *diagnose_sides(loaded)]
    for text in groups:
        findings += _by_label(reader, text, "--groups")
    if time is not None:
        findings += [_as_temporal(finding) for finding in _by_label(reader, time, "--time")]
    if coordinates is not None:
        findings += _by_place(reader, coordinates)
    _show(loaded, findings)


def _by_label(reader: AttributeReader, text: str, option: str) -> list[Finding]:
    return diagnose_groups(reader.graph, reader.measured_labels(text, option), text.rpartition(":")[2])


def _as_temporal(finding: Finding) -> Finding:
    null = "temporal" if finding.null_model else None
    return Finding(finding.name, finding.value, finding.meaning, null)


def _by_place(reader: AttributeReader, text: str) -> list[Finding]:
    places, metric = coordinates_of(reader, text)
    if isinstance(places, list):
        axes = places
    else:
        axes = [{node: pair[axis] for node, pair in places.items()} for axis in (0, 1)]
    points = np.stack([node_numbers(reader.graph, axis, "--coordinates") for axis in axes], axis=1)

    def distance(rows: Any, columns: Any) -> Any:
        return pair_distances(points[rows], points[columns], metric)  # type: ignore[arg-type]

    return diagnose_distance(reader.graph, distance, np.random.default_rng(0))


def _show(graph: Graph, findings: list[Finding]) -> None:
    columns = [("measure", False), ("value", True), ("meaning", False), ("null model", False)]
    rows = [(f.name, f"{f.value:.3f}", f.meaning, f.null_model or "-") for f in findings]
    print_table(str(graph), columns, rows)
    recommended = list(dict.fromkeys(f.null_model for f in findings if f.null_model is not None))
    if not recommended:
        click.echo("No strong bias; use the default null model, configuration.")
        return
    reasons = {f.null_model: f"{f.name} is {f.value:.2f}: {f.meaning}" for f in findings if f.null_model}
    click.echo("Recommended:")
    for name in recommended:
        click.echo(f"  --null {name}  because {reasons[name]}")
    if {"dcsbm", "temporal"} & set(recommended):
        click.echo("  add --erase null to remove the label from the vectors as well")
