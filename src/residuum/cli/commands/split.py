"""Split the edges of a graph into a training graph and held-out edges."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from residuum._files import check_output
from residuum.cli.graph_options import graph_options, load_graph
from residuum.cli.output import check_table, write_table
from residuum.cli.provenance import OutputPath, provenance, record_file, write_record
from residuum.errors import InvalidParameterError

if TYPE_CHECKING:
    from residuum.graph import Graph

__all__ = ["split"]


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=OutputPath(), metavar="TRAIN", help="Output file of the training graph.")
@click.option("--hidden", type=OutputPath(), metavar="HELD_OUT", help="Output file of the held-out edges.")
@click.option("--fraction", default=0.2, show_default=True, metavar="F", help="Fraction of edges to hold out.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed.")
@graph_options
@click.option("--overwrite", is_flag=True, help="Replace TRAIN and HELD_OUT if they exist.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Hide the summary.")
def split(graph: Path, output: Path | None, hidden: Path | None, fraction: float, seed: int, **options: Any) -> None:
    """Split the edges of GRAPH into TRAIN, to embed, and HELD_OUT, to predict.

    TRAIN and HELD_OUT are .csv, .tsv or .parquet files; TRAIN may also be an .r2g folder, which keeps node attributes.
    One of them may be left out; the same seed gives the same edges.
    The edges of a random spanning forest stay in TRAIN, so that every node with an edge to another node has one there.

    \b
    Examples:
      residuum split edges.csv -o train.csv --hidden held_out.csv
      residuum embed train.csv -o vectors.parquet
      residuum evaluate vectors.parquet train.csv --hidden held_out.csv
    """
    import numpy as np

    from residuum.evaluation import hide_edges
    from residuum.models.record import input_record

    _check_outputs(graph, output, hidden, options["overwrite"])
    loaded = load_graph(graph, options)
    parts = hide_edges(loaded, fraction, np.random.default_rng(seed))
    if len(parts.hidden) == 0:
        raise InvalidParameterError(
            f"no edge can be held out with --fraction {fraction:g}: all {loaded.n_edges} edges are needed to keep the "
            "graph connected, or the fraction is too small."
        )
    record = provenance([input_record("graph", graph)], seed=seed)
    if output is not None:
        _write_graph(parts.train, output, options["overwrite"], record)
    if hidden is not None:
        weights = np.asarray(loaded.adjacency[parts.hidden[:, 0], parts.hidden[:, 1]]).ravel()
        write_table(hidden, _columns(loaded, parts.hidden, weights), record)
    files = {"train": output, "held_out": hidden}
    written = {name: str(file) for name, file in files.items() if file is not None}
    if options["as_json"]:
        facts = {**written, "edges": [parts.train.n_edges, len(parts.hidden)]}
        click.echo(json.dumps({**facts, "nodes": loaded.n_nodes, "directed": loaded.directed}, indent=2))
    elif not options["quiet"]:
        direction = "; use --directed" if loaded.directed else ""
        click.echo(f"{parts.train.n_edges} training edges, {len(parts.hidden)} held out{direction}")
        click.echo(", ".join(written.values()))


def _check_outputs(graph: Path, train: Path | None, hidden: Path | None, overwrite: bool) -> None:
    if train is None and hidden is None:
        raise InvalidParameterError(
            "the outputs are missing; use -o TRAIN for the training graph and --hidden HELD_OUT."
        )
    if train is not None and hidden is not None and train.resolve() == hidden.resolve():
        raise InvalidParameterError(f"TRAIN and HELD_OUT must be two files; got {train} twice.")
    if hidden is not None:
        check_table(hidden, overwrite=overwrite, inputs=[graph])
    if train is not None and train.suffix != ".r2g":
        check_table(train, overwrite=overwrite, inputs=[graph])
    elif train is not None and not train.exists():
        check_output(record_file(train), overwrite=overwrite, inputs=[graph])


def _write_graph(graph: "Graph", path: Path, overwrite: bool, record: dict[str, Any]) -> None:
    import numpy as np
    from scipy import sparse

    from residuum.graph.disk import write_graph

    if path.suffix == ".r2g":
        write_graph(graph, path, overwrite=overwrite)
        write_record(path, record)
        return
    entries = sparse.coo_array(graph.adjacency if graph.directed else sparse.triu(graph.adjacency))
    write_table(path, _columns(graph, np.stack([entries.row, entries.col], axis=1), entries.data), record)


def _columns(graph: "Graph", pairs: Any, weights: Any) -> dict[str, list[Any]]:
    """Return sources, targets and, if the graph is weighted, weights."""
    columns = {name: graph.node_ids[end].tolist() for name, end in zip(("source", "target"), pairs.T, strict=True)}
    return {**columns, "weight": weights.tolist()} if graph.is_weighted else columns
