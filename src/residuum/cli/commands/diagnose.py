"""Measure the biases of a graph and recommend a null model."""

import json
import shlex
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from residuum.cli.attribute_options import AttributeReader, attribute_options
from residuum.cli.display import attribute_names, print_table
from residuum.cli.graph_options import graph_options, load_graph
from residuum.cli.null_options import coordinates_of
from residuum.cli.recommendation import Bias, p_text, recommend_options, repeated_options
from residuum.errors import InvalidParameterError

if TYPE_CHECKING:
    from residuum.evaluation import Finding
    from residuum.graph import Graph

__all__ = ["diagnose"]

_OUTPUT = "vectors.parquet"


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.option("--groups", multiple=True, metavar="FILE:COLUMN", help="Node labels (repeatable).")
@click.option("--time", metavar="FILE:COLUMN", help="Node times.")
@click.option("--coordinates", metavar="FILE:X,Y", help="Node coordinates, or FILE:LAT,LON.")
@attribute_options(missing="unknown", meaning="left out")
@graph_options
@click.option("--json", "as_json", is_flag=True, help="Print findings and recommendation as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Hide notes.")
def diagnose(graph: Path, groups: tuple[str, ...], time: str | None, coordinates: str | None, **options: Any) -> None:
    """Measure the biases of GRAPH and recommend a null model, with the reason and a command.

    A bias is a reason if it is strong and significant (p < 0.01).

    \b
    Examples:
      residuum diagnose friends.csv --groups people.csv:gender
      residuum diagnose routes.csv --coordinates airports.csv:lat,lon
      residuum diagnose citations.csv --directed --time papers.csv:year
    """
    from residuum.evaluation import diagnose_degree, diagnose_sides

    loaded = load_graph(graph, options)
    reader = AttributeReader.of(loaded, options)
    names = attribute_names([*groups, *([] if time is None else [time])])
    biases = [Bias(finding) for finding in diagnose_degree(loaded)]
    biases += [Bias(finding, "--null", "bipartite") for finding in diagnose_sides(loaded)]
    biases += [_by_label(reader, text, names[text]) for text in dict.fromkeys(groups) if text != time]
    if time is not None:
        biases.append(_by_time(reader, time, names[time]))
    if coordinates is not None:
        biases += [Bias(finding, "--coordinates", coordinates) for finding in _by_place(reader, coordinates)]
    reason, removing = recommend_options(biases)
    repeated = repeated_options(click.get_current_context())
    command = ["residuum", "embed", str(graph), "-o", _OUTPUT, *repeated, *removing]
    findings = [bias.finding for bias in biases]
    if options["as_json"]:
        facts = {"findings": list(map(asdict, findings)), "recommendation": reason, "command": command}
        click.echo(json.dumps({"graph": str(loaded), **facts}, indent=2, ensure_ascii=False))
        return
    _show(loaded, findings)
    click.echo(f"Recommended null model: {reason}.")
    click.echo(f"  {shlex.join(command)}")


def _by_label(reader: AttributeReader, text: str, name: str) -> Bias:
    from residuum.evaluation import diagnose_groups

    labels = reader.measured_labels(text, "--groups")
    (finding,) = diagnose_groups(reader.graph, labels, name)
    removable = _accepted(lambda: replace(reader, missing="unknown", quiet=True).labels(text, "--groups"))
    return Bias(finding, "--groups" if removable else None, text, missing=None in labels.values())


def _by_time(reader: AttributeReader, text: str, name: str) -> Bias:
    from residuum.evaluation import diagnose_groups

    (finding,) = diagnose_groups(reader.graph, reader.measured_numbers(text, "--time"), name)
    removable = _accepted(lambda: replace(reader, quiet=True).numbers(text, "--time"))
    null_model = "temporal" if finding.null_model else None
    return Bias(replace(finding, null_model=null_model), "--time" if removable else None, text)


def _accepted(read: Callable[[], Any]) -> bool:
    """Return whether ``residuum embed`` accepts an attribute; missing numbers can be measured, but not removed."""
    try:
        read()
    except InvalidParameterError:
        return False
    return True


def _by_place(reader: AttributeReader, text: str) -> "list[Finding]":
    import numpy as np

    from residuum.evaluation import diagnose_distance
    from residuum.graph import node_numbers
    from residuum.nulls import pair_distances

    places, metric = coordinates_of(reader, text)
    if isinstance(places, list):
        axes = places
    else:
        axes = [{node: pair[axis] for node, pair in places.items()} for axis in (0, 1)]
    points = np.stack([node_numbers(reader.graph, axis, "--coordinates") for axis in axes], axis=1)

    def distance(rows: Any, columns: Any) -> Any:
        return pair_distances(points[rows], points[columns], metric)  # type: ignore[arg-type]

    return diagnose_distance(reader.graph, distance, np.random.default_rng(0))


def _show(graph: "Graph", findings: "list[Finding]") -> None:
    columns = [("measure", False), ("value", True), ("p", True), ("meaning", False), ("removed by", False)]
    rows = [(f.name, f"{f.value:.3f}", _p_cell(f.p_value), f.meaning, f.null_model or "-") for f in findings]
    print_table(str(graph), columns, rows)


def _p_cell(p_value: float | None) -> str:
    return "" if p_value is None else p_text(p_value).removeprefix("= ")
