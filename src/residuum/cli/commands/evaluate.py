"""Evaluate vectors from any tool on the graph they embed."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from residuum.cli.attribute_options import AttributeReader, attribute_options
from residuum.cli.before_erasure import embed_before_erasure
from residuum.cli.display import attribute_names, print_table
from residuum.cli.graph_options import graph_options, load_graph
from residuum.cli.held_out import hidden_pairs

if TYPE_CHECKING:
    from residuum.evaluation import Finding

__all__ = ["evaluate"]


@click.command()
@click.argument("vectors", type=click.Path(path_type=Path))
@click.argument("graph", type=click.Path(path_type=Path))
@click.option("--hidden", type=click.Path(path_type=Path), metavar="FILE", help="Held-out edges to predict.")
@click.option("--groups", multiple=True, metavar="FILE:COLUMN", help="Node labels to predict (repeatable).")
@click.option("--numbers", multiple=True, metavar="FILE:COLUMN", help="Node numbers to predict (repeatable).")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed of pairs and folds."
)
@click.option(
    "--before/--no-before",
    default=True,
    show_default=True,
    help="If VECTORS were erased, embed without erasure too, and report the strongest attacker before and after.",
)
@click.option("--json", "as_json", is_flag=True, help="Print names, values, margins and meanings as JSON.")
@attribute_options(missing="unknown", meaning="left out")
@graph_options
@click.option("-q", "--quiet", is_flag=True, help="Hide notes.")
def evaluate(
    vectors: Path,
    graph: Path,
    hidden: Path | None,
    groups: tuple[str, ...],
    numbers: tuple[str, ...],
    seed: int,
    before: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Evaluate VECTORS, from residuum or any other tool, on the GRAPH they embed.

    VECTORS is a .parquet or .npz file, or word2vec text (.w2v, .txt, .vec) as written by node2vec and gensim. Options
    for reading GRAPH also apply to --hidden.

    \b
    Examples:
      residuum evaluate vectors.parquet edges.csv
      residuum evaluate node2vec.w2v edges.csv --hidden held_out.csv
      residuum evaluate fair.parquet friends.csv --groups people.csv:gender
      residuum evaluate vectors.parquet citations.csv --numbers papers.csv:year
    """
    from residuum.embedding import Embedding
    from residuum.evaluation import grade_degree, grade_labels, grade_links, grade_numbers

    loaded = load_graph(graph, options)
    reader = AttributeReader.of(loaded, options)
    labels = [(name, reader.measured_labels(text, "--groups")) for text, name in attribute_names(groups).items()]
    values = [(name, reader.measured_numbers(text, "--numbers")) for text, name in attribute_names(numbers).items()]
    pairs = None if hidden is None else hidden_pairs(loaded, hidden, options)
    embedding = Embedding.load(vectors)
    findings = grade_degree(embedding, loaded, random_state=seed)
    if pairs is not None:
        links = grade_links(embedding, loaded, pairs, labels=dict(labels), random_state=seed)
        findings = [*links, *findings]
    earlier = embed_before_erasure(vectors) if before and (labels or values) else None
    for name, node_labels in labels:
        findings += grade_labels(embedding, loaded, node_labels, name, before=earlier, random_state=seed)
    for name, node_numbers in values:
        findings += grade_numbers(embedding, loaded, node_numbers, name, before=earlier, random_state=seed)
    if as_json:
        rows = [{"name": f.name, "value": f.value, "margin": f.margin, "meaning": f.meaning} for f in findings]
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        _show(f"{vectors.name}: {embedding.vectors.shape[1]} dimensions; {loaded}", findings)


def _show(title: str, findings: "list[Finding]") -> None:
    from residuum.evaluation.diagnosis import interval_text

    rows = [
        (f.name, interval_text(f.value, None), "" if f.margin is None else f"{f.margin:.3f}", f.meaning)
        for f in findings
    ]
    print_table(title, [("measure", False), ("value", True), ("±", True), ("meaning", False)], rows)
    click.echo("±: half the width of the 95% confidence interval.")
