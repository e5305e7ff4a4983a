"""Audit embeddings: what they reveal, as a page to show to others."""

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from residuum.cli.attribute_options import AttributeReader, attribute_options
from residuum.cli.display import attribute_names
from residuum.cli.graph_options import graph_options, load_graph
from residuum.cli.held_out import hidden_pairs
from residuum.cli.progress import progress_bar
from residuum.cli.provenance import OutputPath, provenance, write_record
from residuum.cli.report_output import (
    attribute_colorings,
    attribute_records,
    check_reports,
    file_names,
    page_of,
    print_verdicts,
    today,
    write_text,
)
from residuum.errors import InvalidParameterError

if TYPE_CHECKING:
    from residuum.report import FrontierRow

__all__ = ["audit"]

# Columns of residuum frontier, in the order of the attributes of a FrontierRow.
_FRONTIER = ("leak", "leak_margin", "link_auc", "link_auc_margin")


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.argument("vectors", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-o", "--output", type=OutputPath(), metavar="HTML", help="Write the page.")
@click.option("--card", type=OutputPath(), metavar="MD", help="Write a model card in Markdown.")
@click.option("--groups", multiple=True, metavar="FILE:COLUMN", help="Node label to look for (repeatable).")
@click.option("--numbers", multiple=True, metavar="FILE:COLUMN", help="Node number to look for (repeatable).")
@click.option("--hidden", type=click.Path(path_type=Path), metavar="FILE", help="Held-out edges to predict.")
@click.option("--frontier", type=click.Path(path_type=Path), metavar="CSV", help="Table of residuum frontier to show.")
@click.option("--title", help="Title of the page. [default: Audit of GRAPH]")
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.option("--overwrite", is_flag=True, help="Replace output files.")
@attribute_options(missing="unknown", meaning="left out")
@graph_options
@click.option("-q", "--quiet", is_flag=True, help="Hide notes and progress.")
def audit(
    graph: Path,
    vectors: tuple[Path, ...],
    output: Path | None,
    card: Path | None,
    groups: tuple[str, ...],
    numbers: tuple[str, ...],
    hidden: Path | None,
    frontier: Path | None,
    title: str | None,
    seed: int,
    as_json: bool,
    overwrite: bool,
    **options: Any,
) -> None:
    """Audit VECTORS, embeddings of GRAPH: what they reveal of degree and of node attributes.

    VECTORS are files from residuum or any other tool: .parquet, .npz, .csv, .tsv, .npy, or word2vec text (.w2v, .txt,
    .vec). The first file is the baseline of the comparison. The page is one file that needs no network.

    \b
    Examples:
      residuum audit friends.csv vectors.parquet --groups people.csv:gender -o report.html
      residuum audit friends.csv node2vec.w2v fair.parquet --groups people.csv:gender -o report.html --card card.md
    """
    from residuum.embedding import Embedding
    from residuum.evaluation import audit as measured_audit
    from residuum.models.record import input_record
    from residuum.report import model_card, summarize

    check_reports(output, card, overwrite=overwrite, inputs=[graph, *vectors])
    points = [] if frontier is None else _frontier_points(frontier)
    heading = title or f"Audit of {graph.name}"
    loaded = load_graph(graph, options)
    reader = AttributeReader.of(loaded, options)
    names = attribute_names([*groups, *numbers])
    labels = {names[text]: reader.measured_labels(text, "--groups") for text in groups}
    values = {names[text]: reader.measured_numbers(text, "--numbers") for text in numbers}
    pairs = None if hidden is None else hidden_pairs(loaded, hidden, options)
    embeddings = {name: Embedding.load(file) for name, file in zip(file_names(vectors), vectors, strict=True)}
    with progress_bar(options["quiet"]) as progress:
        result = measured_audit(
            loaded, embeddings, labels=labels, numbers=values, hidden=pairs, random_state=seed, progress=progress
        )
    inputs = [
        input_record("graph", graph),
        *(input_record("vectors", file) for file in vectors),
        *attribute_records(groups + numbers, loaded),
        *([] if hidden is None else [input_record("held-out edges", hidden)]),
        *([] if frontier is None else [input_record("frontier", frontier)]),
    ]
    methods = {name: dict(embedding.metadata) for name, embedding in embeddings.items()}
    record = provenance(inputs, seed=seed, created=today(), methods=methods)
    summary = summarize(result)
    if card is not None:
        write_text(card, model_card(summary, title=heading, provenance=record))
        write_record(card, record)
    if output is not None:
        colorings = attribute_colorings(loaded, labels, values)
        write_text(output, page_of(result, summary, colorings, title=heading, provenance=record, frontier=points))
    if as_json:
        click.echo(json.dumps({**summary, "provenance": record}, indent=2, ensure_ascii=False))
        return
    print_verdicts(summary)
    for file in (output, card):
        if file is not None and not options["quiet"]:
            click.echo(str(file))


def _frontier_points(file: Path) -> "list[FrontierRow]":
    from residuum.report import FrontierRow

    try:
        with file.open(encoding="utf-8", newline="") as stream:
            return [
                FrontierRow(row["erasure"], *(float(row[name]) for name in _FRONTIER)) for row in csv.DictReader(stream)
            ]
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidParameterError(
            f"--frontier {file}: expected the columns erasure, {', '.join(_FRONTIER)} of residuum frontier ({error})."
        ) from error
