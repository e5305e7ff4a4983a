"""Cluster the nodes by their vectors."""

from pathlib import Path
from typing import Any

import click

from residuum.cli.node_names import NodeNames
from residuum.cli.output import Output, output_options
from residuum.cli.provenance import provenance

__all__ = ["cluster"]


@click.command()
@click.argument("vectors", type=click.Path(path_type=Path))
@click.option("-n", "--number", type=int, help="Number of clusters of k-means. [default: highest silhouette, 2 to 50]")
@click.option(
    "-m",
    "--method",
    type=click.Choice(["kmeans", "leiden"]),
    default="kmeans",
    show_default=True,
    help="k-means, or Leiden communities of the graph of nearest neighbors (needs igraph).",
)
@click.option(
    "--resolution",
    type=float,
    metavar="R",
    help="Resolution of Leiden: higher values give more clusters. [default: highest modularity, 0.25 to 4]",
)
@click.option("--neighbors", default=15, show_default=True, help="Neighbors of each node in the graph of Leiden.")
@click.option("--names", metavar="FILE:COLUMN", help="Names of the nodes, for the output.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed.")
@output_options
@click.option("-q", "--quiet", is_flag=True, help="Hide the summary.")
def cluster(vectors: Path, number: int | None, method: str, **options: Any) -> None:
    """Cluster the nodes of VECTORS by the cosine of their vectors.

    Clusters are numbered from 0, the largest; nodes with a zero vector are in no cluster (-1). Prints one line per
    node, or writes a table with -o.

    \b
    Examples:
      residuum cluster vectors.parquet -o clusters.csv
      residuum cluster vectors.parquet -n 12 --json
      residuum cluster vectors.parquet --method leiden --resolution 2 -o clusters.csv
    """
    from residuum.embedding import Embedding
    from residuum.embedding.clustering import cluster_vectors

    output = Output.of(options, [vectors])
    embedding = Embedding.load(vectors)
    names = NodeNames.read(embedding.ids, options["names"], quiet=options["quiet"])
    result = cluster_vectors(
        embedding.vectors,
        number,
        method,
        resolution=options["resolution"],
        n_neighbors=options["neighbors"],
        random_state=options["seed"],
    )
    columns = {**names.columns("node", embedding.ids.tolist()), "cluster": result.labels.tolist()}
    facts = {"method": method, "sizes": result.sizes, "chosen_by": result.criterion, "scores": result.scores}

    def record() -> dict[str, Any]:
        from residuum.models.record import input_record

        return provenance([input_record("vectors", vectors)], seed=options["seed"], **facts)

    chosen = "" if result.criterion == "given" else f", number chosen by {result.criterion}"
    title = f"{len(result.sizes)} clusters of {max(result.sizes)} to {min(result.sizes)} nodes{chosen}"
    output.show(title, columns, record)
