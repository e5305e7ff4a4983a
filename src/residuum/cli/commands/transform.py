"""Embed out-of-sample nodes with a saved model."""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from residuum.cli.display import printed_log
from residuum.cli.graph_options import graph_options, load_graph
from residuum.cli.provenance import OutputPath, check_vectors, provenance, save_vectors
from residuum.errors import InvalidParameterError

if TYPE_CHECKING:
    from scipy import sparse

    from residuum.graph import Graph

__all__ = ["transform"]


@click.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("edges", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    required=True,
    type=OutputPath(),
    metavar="OUT",
    help="Output file: .parquet, .npz, or .w2v (word2vec text).",
)
@click.option(
    "--groups",
    multiple=True,
    metavar="FILE:COLUMN",
    help="Groups of the new nodes, if the null model has groups (repeatable, in the order of residuum embed).",
)
@click.option(
    "--attributes",
    multiple=True,
    metavar="FILE:COLUMN",
    help="Erased attribute of the new nodes, in a column of the same name (repeatable).",
)
@click.option("--id-column", metavar="COLUMN", help="Column of node ids in FILE. [default: detected]")
@graph_options
@click.option("--overwrite", is_flag=True, help="Replace OUT if it exists.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Print errors only.")
def transform(model: Path, edges: Path, output: Path, **options: Any) -> None:
    """Embed new nodes with MODEL, a folder written by residuum embed --model MODEL.

    EDGES is an edge list in any format of residuum embed: the new node first (the source), a node of the graph second.
    The vectors of the new nodes are in the space of the vectors of the graph.

    \b
    Examples:
      residuum transform model.r2m new_edges.csv -o new.parquet
      residuum transform model.r2m new_edges.csv -o new.npz --groups people.csv:gender
    """
    from residuum.embedding import Embedding
    from residuum.models.record import describe, input_record
    from residuum.models.saved import read_model

    columns = [*options["groups"], *options["attributes"]]
    files = [Path(text.rpartition(":")[0]) for text in columns if ":" in text]
    check_vectors(output, overwrite=options["overwrite"], inputs=[model, edges, *files])
    began = time.perf_counter()
    fitted = read_model(model)
    table = load_graph(edges, options | {"directed": True})
    nodes, matrix = _new_rows(table, fitted.graph_)
    values = _values(table, nodes.tolist(), options)
    vectors = fitted.transform(matrix, **values)
    inputs = [input_record("model", model / "model.json"), input_record("edges", edges)]
    metadata = {**describe(fitted), **provenance(inputs)}
    save_vectors(Embedding(nodes, vectors, metadata=metadata), output, overwrite=options["overwrite"])
    seconds = time.perf_counter() - began
    if options["as_json"]:
        facts = {"nodes": len(nodes), "dimensions": vectors.shape[1], "output": str(output), "seconds": seconds}
        click.echo(json.dumps(facts, indent=2))
    elif not options["quiet"]:
        click.echo(f"{output}: {len(nodes)} new nodes, {vectors.shape[1]} dimensions, {seconds:.1f} s")


def _new_rows(table: "Graph", graph: "Graph") -> tuple[Any, "sparse.csr_array[Any]"]:
    """Return the ids of the sources, and the weights of their edges to the nodes of the graph."""
    import numpy as np
    from scipy import sparse

    from residuum.graph import ids_like

    rows = np.flatnonzero(table.out_strength > 0)
    entries = table.adjacency[rows].tocoo()
    targets = np.unique(entries.col)
    column_of = np.zeros(table.n_nodes, dtype=np.int64)
    column_of[targets] = graph.positions(ids_like(graph, table.node_ids[targets].tolist()))
    matrix: sparse.csr_array[Any] = sparse.csr_array(
        (entries.data, (entries.row, column_of[entries.col])), shape=(len(rows), graph.n_nodes)
    )
    return table.node_ids[rows], matrix


def _values(table: "Graph", nodes: list[Any], options: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters ``groups`` and ``attributes`` of the model's ``transform``."""
    import numpy as np

    groups = [_column(table, nodes, text, "--groups", options) for text in options["groups"]]
    attributes = {
        text.rpartition(":")[2]: _column(table, nodes, text, "--attributes", options) for text in options["attributes"]
    }
    stacked = None if not groups else groups[0] if len(groups) == 1 else np.stack(groups, axis=1)
    return {"groups": stacked, "attributes": attributes or None}


def _column(table: "Graph", nodes: list[Any], text: str, option: str, options: dict[str, Any]) -> Any:
    """Return the values of the new nodes in a column FILE:COLUMN."""
    from residuum.graph import read_node_column
    from residuum.graph.codes import object_array

    file, _, column = text.rpartition(":")
    if not file or not column:
        raise InvalidParameterError(f"{option} must be FILE:COLUMN; got {text!r}.")
    with printed_log(not options["quiet"]):
        values = read_node_column(Path(file), column, table, options["id_column"])
    missing = [node for node in nodes if values.get(node) is None]
    if missing:
        raise InvalidParameterError(
            f"{option} {text}: {len(missing)} of {len(nodes)} new nodes have no value, such as {missing[0]!r}. Fill in "
            "all values."
        )
    return object_array([values[node] for node in nodes])
