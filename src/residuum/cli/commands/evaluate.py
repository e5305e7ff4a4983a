"""Evaluate vectors from any tool on the graph they embed."""

import json
import warnings
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from residuum.cli.attribute_options import attribute
from residuum.cli.display import print_table
from residuum.cli.graph_options import graph_options, load_graph
from residuum.embedding import Embedding
from residuum.errors import InvalidParameterError, ResiduumWarning
from residuum.evaluation import Finding, grade_degree, grade_labels, grade_links, grade_numbers
from residuum.graph import Graph, ids_like, node_values, read_graph
from residuum.graph.attributes import as_numbers

__all__ = ["evaluate"]


@click.command()
@click.argument("vectors", type=click.Path(path_type=Path))
@click.argument("graph", type=click.Path(path_type=Path))
@click.option("--hidden", type=click.Path(path_type=Path), metavar="FILE", help="Held-out edges to predict.")
@click.option("--groups", multiple=True, metavar="FILE:COLUMN", help="Node labels to predict (repeatable).")
@click.option("--numbers", multiple=True, metavar="FILE:COLUMN", help="Node numbers to predict (repeatable).")
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed of pairs and folds.")
@click.option("--json", "as_json", is_flag=True, help="Print names, values and meanings as JSON.")
@graph_options
def evaluate(
    vectors: Path,
    graph: Path,
    hidden: Path | None,
    groups: tuple[str, ...],
    numbers: tuple[str, ...],
    seed: int,
    as_json: bool,
    **options: Any,
) -> None:
    """Evaluate VECTORS, from residuum or any other tool, on the GRAPH they embed.

    VECTORS is a .parquet or .npz file, or word2vec text (.w2v, .txt, .vec) as written by node2vec and gensim.

    \b
    Examples:
      residuum evaluate vectors.parquet edges.csv
      residuum evaluate node2vec.w2v edges.csv --hidden held_out.csv
      residuum evaluate fair.parquet friends.csv --groups people.csv:gender
      residuum evaluate vectors.parquet citations.csv --numbers papers.csv:year
    """
    loaded = load_graph(graph, options)
    labels = [(_name(text), _labels(loaded, text)) for text in groups]
    values = [(_name(text), _numbers(loaded, text)) for text in numbers]
    pairs = None if hidden is None else _hidden_pairs(loaded, hidden)
    embedding = Embedding.load(vectors)
    findings = grade_degree(embedding, loaded, random_state=seed)
    if pairs is not None:
        findings = [*grade_links(embedding, loaded, pairs, random_state=seed), *findings]
    for name, node_labels in labels:
        findings += grade_labels(embedding, loaded, node_labels, name, random_state=seed)
    for name, node_numbers in values:
        findings += grade_numbers(embedding, loaded, node_numbers, name, random_state=seed)
    if as_json:
        rows = [{"name": f.name, "value": f.value, "meaning": f.meaning} for f in findings]
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        _show(f"{vectors.name}: {embedding.vectors.shape[1]} dimensions; {loaded}", findings)


def _name(text: str) -> str:
    return text.rpartition(":")[2]


def _labels(graph: Graph, text: str) -> NDArray[Any]:
    return np.asarray(node_values(graph, attribute(graph, text, "--groups"), "--groups")).astype(str)


def _numbers(graph: Graph, text: str) -> NDArray[np.float64]:
    """Return a number per node; NaN if it is missing, so that the node is ignored."""
    values = node_values(graph, attribute(graph, text, "--numbers", complete=False), "--numbers")
    numbers = as_numbers(values, f"--numbers {text}")
    numbers[~np.isfinite(numbers)] = np.nan
    if np.isnan(numbers).all():
        raise InvalidParameterError(f"--numbers {text}: no node has a finite number; name another column.")
    _warn_about_missing(graph, numbers, text)
    return numbers


def _warn_about_missing(graph: Graph, numbers: NDArray[np.float64], text: str) -> None:
    missing = np.flatnonzero(np.isnan(numbers))
    if len(missing):
        warnings.warn(
            f"--numbers {text}: node {graph.node_ids.tolist()[missing[0]]!r} has no finite number ({len(missing)} "
            "in total); such nodes are ignored.",
            ResiduumWarning,
            stacklevel=2,
        )


def _hidden_pairs(graph: Graph, file: Path) -> NDArray[np.int64]:
    """Return the edges of the file as positions in the graph."""
    held_out = read_graph(file, directed=graph.directed)
    entries = held_out.adjacency.tocoo()
    kept = entries.row != entries.col if graph.directed else entries.row < entries.col
    if not kept.any():
        raise InvalidParameterError(f"--hidden {file} has only self-loops; it needs edges between different nodes.")
    ends = (held_out.node_ids[end[kept]].tolist() for end in (entries.row, entries.col))
    return np.stack([graph.positions(ids_like(graph, ids)) for ids in ends], axis=1)


def _show(title: str, findings: list[Finding]) -> None:
    # Adding 0.0 turns "-0.000" into "0.000".
    rows = [(finding.name, f"{round(finding.value, 3) + 0.0:.3f}", finding.meaning) for finding in findings]
    print_table(title, [("measure", False), ("value", True), ("meaning", False)], rows)
