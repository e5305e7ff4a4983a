"""List the missing links of a node or of the whole graph."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from residuum.cli.graph_options import graph_options, load_graph
from residuum.cli.node_names import NodeNames
from residuum.cli.output import Output, output_options
from residuum.cli.provenance import provenance

if TYPE_CHECKING:
    from residuum.graph import Graph

__all__ = ["link"]

_SCORES = ("residual", "null", "full")


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.argument("vectors", type=click.Path(path_type=Path))
@click.argument("nodes", metavar="[NODE]...", nargs=-1)
@click.option("-n", "--number", default=10, show_default=True, help="Number of links for each score.")
@click.option(
    "--by",
    multiple=True,
    type=click.Choice(_SCORES),
    help="Score that ranks the links (repeatable). [default: each]",
)
@click.option("--names", metavar="FILE:COLUMN", help="Names of the nodes, for NODE and the output.")
@graph_options
@output_options
@click.option("-q", "--quiet", is_flag=True, help="Hide what the files were taken for.")
def link(graph: Path, vectors: Path, nodes: tuple[str, ...], number: int, by: tuple[str, ...], **options: Any) -> None:
    """List the missing links of GRAPH that score highest in VECTORS; with NODE, only links of these nodes.

    Scores: residual, the association beyond the null model; null, what the null model expects; full, their sum, which
    predicts links as they are. Without NODE all pairs of nodes are scored, which takes minutes for 100,000 nodes.

    \b
    Examples:
      residuum link edges.csv vectors.parquet
      residuum link edges.csv vectors.parquet alice --by residual -n 5
      residuum link flights.csv vectors.parquet JFK --names airports.csv:iata -o links.csv
    """
    from residuum.embedding import Embedding
    from residuum.evaluation import missing_links
    from residuum.models.record import input_record

    output = Output.of(options, [graph, vectors])
    loaded = load_graph(graph, options)
    embedding = Embedding.load(vectors)
    names = NodeNames.read(loaded.node_ids, options["names"], quiet=options["quiet"])
    centers = [names.identity(node) for node in nodes] or None
    columns: dict[str, list[Any]] = {}
    for score in by or _SCORES:
        links = missing_links(embedding, loaded, number, score, centers)
        for name, cells in _columns(score, loaded, names, links).items():
            columns.setdefault(name, []).extend(cells)
    title = f"missing links of {', '.join(nodes) if nodes else loaded}"
    inputs = [("graph", graph), ("vectors", vectors)]
    output.show(title, columns, lambda: provenance([input_record(role, file) for role, file in inputs]))


def _columns(by: str, graph: "Graph", names: NodeNames, links: Any) -> dict[str, list[Any]]:
    sources, targets = (graph.node_ids[end].tolist() for end in links.pairs.T)
    return {
        "by": [by] * len(sources),
        "rank": list(range(1, len(sources) + 1)),
        **names.columns("source", sources),
        **names.columns("target", targets),
        **{name: links.scores[name].tolist() for name in _SCORES},
    }
