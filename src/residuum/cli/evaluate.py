"""residuum evaluate"""

import json
import math
import sys
import warnings
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from residuum.cli.null_options import attribute
from residuum.embedding import Embedding
from residuum.errors import InvalidParameterError, ResiduumWarning
from residuum.evaluation import Finding, grade_degree, grade_labels, grade_links, grade_numbers
from residuum.graph import Graph, ids_like, read_graph
from residuum.nulls.labels import node_values

__all__ = ["evaluate"]


@click.command()
@click.argument("vectors", type=click.Path(path_type=Path))
@click.argument("graph", type=click.Path(path_type=Path))
@click.option("--hidden", type=click.Path(path_type=Path), metavar="FILE", help="Edges that the method was not shown.")
@click.option("--groups", multiple=True, metavar="FILE:COLUMN", help="A label of the nodes; several times for several.")
@click.option("--numbers", multiple=True, metavar="FILE:COLUMN", help="A number of the nodes, such as a year.")
@click.option("--seed", type=int, default=0, show_default=True, help="Draws the pairs and the folds.")
@click.option("--json", "as_json", is_flag=True, help="Names, values and meanings as JSON.")
@click.option(
    "--directed/--undirected", default=None, help="What the edges are. [default: undirected, unless the file says]"
)
def evaluate(
    vectors: Path,
    graph: Path,
    hidden: Path | None,
    groups: tuple[str, ...],
    numbers: tuple[str, ...],
    seed: int,
    as_json: bool,
    directed: bool | None,
) -> None:
    """Grade VECTORS, of residuum or of any other tool, by the GRAPH that they were made of.

    VECTORS is parquet, npz, or word2vec text (.w2v, .txt, .vec), as node2vec and gensim write it.

    \b
    Examples:
      residuum evaluate vectors.parquet edges.csv
      residuum evaluate node2vec.w2v edges.csv --hidden held_out.csv
      residuum evaluate vectors.parquet friends.csv --groups people.csv:gender --numbers people.csv:age
    """
    loaded = read_graph(graph, directed=directed)
    labels = [(_name(text), _labels(loaded, text)) for text in groups]
    values = [(_name(text), _numbers(loaded, text)) for text in numbers]
    pairs = None if hidden is None else _hidden_pairs(loaded, hidden)
    embedding = Embedding.load(vectors)
    findings = grade_degree(embedding, loaded, random_state=seed)
    if pairs is not None:
        findings = [*grade_links(embedding, loaded, pairs, random_state=seed), *findings]
    for name, given in labels:
        findings += grade_labels(embedding, loaded, given, name, random_state=seed)
    for name, given in values:
        findings += grade_numbers(embedding, loaded, given, name, random_state=seed)
    if as_json:
        told = [{"name": one.name, "value": one.value, "meaning": one.meaning} for one in findings]
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        _show(f"{vectors.name}: {embedding.vectors.shape[1]} components; {loaded}", findings)


def _name(text: str) -> str:
    return text.rpartition(":")[2]


def _labels(graph: Graph, text: str) -> NDArray[Any]:
    return np.asarray(node_values(graph, attribute(graph, text, "--groups"), "--groups")).astype(str)


def _numbers(graph: Graph, text: str) -> NDArray[np.float64]:
    """Return a number for each node, NaN where there is none: such nodes are left out."""
    values = node_values(graph, attribute(graph, text, "--numbers", complete=False), "--numbers").tolist()
    wrong = next((one for one in values if one is not None and not _is_number(one)), None)
    if wrong is not None:
        raise InvalidParameterError(f"--numbers {text}: {str(wrong)!r} is no number; labels are for --groups.")
    numbers = np.array([math.nan if one is None else float(one) for one in values])
    numbers[~np.isfinite(numbers)] = math.nan
    if np.isnan(numbers).all():
        raise InvalidParameterError(f"--numbers {text}: no node of the graph has a finite number there.")
    _warn_of_left_out(graph, numbers, text)
    return numbers


def _warn_of_left_out(graph: Graph, numbers: NDArray[np.float64], text: str) -> None:
    missing = np.flatnonzero(np.isnan(numbers))
    if len(missing):
        warnings.warn(
            f"--numbers {text}: node {graph.node_ids.tolist()[missing[0]]!r} has no finite number ({len(missing)} "
            "such in all); they are left out.",
            ResiduumWarning,
            stacklevel=2,
        )


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def _hidden_pairs(graph: Graph, file: Path) -> NDArray[np.int64]:
    """Return the edges of the file as positions in the graph."""
    asked = read_graph(file, directed=graph.directed)
    entries = asked.adjacency.tocoo()
    once = entries.row != entries.col if graph.directed else entries.row < entries.col
    if not once.any():
        raise InvalidParameterError(
            f"--hidden {file} has no pair of two nodes, only self-loops; give edges between nodes."
        )
    ends = (asked.node_ids[end[once]].tolist() for end in (entries.row, entries.col))
    return np.stack([graph.positions(ids_like(graph, one)) for one in ends], axis=1)


def _show(title: str, findings: list[Finding]) -> None:
    table = Table(title=escape(title))
    table.add_column("what")
    table.add_column("value", justify="right")
    table.add_column("meaning")
    for finding in findings:
        # Not "-0.000".
        table.add_row(escape(finding.name), f"{round(finding.value, 3) + 0.0:.3f}", escape(finding.meaning))
    Console(width=None if sys.stdout.isatty() else 140).print(table)
