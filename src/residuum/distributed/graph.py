"""A graph whose edges are on shared storage, in blocks; node ids, strengths and attributes are read where needed."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from residuum._kernels.rows import add_between_groups
from residuum._progress import ProgressCallback, Stage
from residuum.distributed.cluster import Cluster, new_token
from residuum.distributed.edges import edge_pieces
from residuum.distributed.grid import BlockFacts, Grid, build_block, check_graph, slice_rows, sum_blocks
from residuum.distributed.numbering import distribute_entries, number_nodes, part_bounds, write_part_ids
from residuum.distributed.stages import Stages, read_ids, write_ids
from residuum.distributed.triangles import partitioned_triangles
from residuum.errors import InvalidGraphError, InvalidParameterError
from residuum.graph import Graph, triangles_by_degree, weight_between
from residuum.graph.disk import is_on_disk
from residuum.graph.disk.header import NODES
from residuum.graph.disk.nodes import ID_COLUMN, read_nodes
from residuum.walks import effective_degree, neighbor_degree
from residuum.walks.rank import degree_at_ends

__all__ = ["PartitionedGraph", "partition_graph"]

# Bytes per entry while a piece is distributed: the entry, its positions, its block, and copies in sorted order.
_ENTRY_BYTES = 80
# Share of the memory of a thread for one task.
_TASK_SHARE = 0.25
# Weights whose squares, summed over a row, are in the range of float64.
_HEAVIEST = 1e150


class PartitionedGraph(Graph):
    """Graph with its adjacency matrix in blocks on shared storage.

    It has the ids, strengths and attributes of a :class:`Graph`, which have the size of the nodes, so that null models
    and erasure work as on one machine. What needs the edges runs on the cluster, or is refused.

    Parameters
    ----------
    cluster : Cluster
        Workers.
    grid : Grid
        Blocks of the adjacency matrix.
    facts : mapping
        Record of the stage: number of entries, range of their weights, mean effective degree.
    nodes_file : str or None
        ``nodes.parquet`` of the graph on disk, with attributes.

    Examples
    --------
    >>> import tempfile
    >>> from distributed import Client
    >>> from residuum import datasets
    >>> from residuum.distributed import DaskResidual2Vec
    >>> from residuum.graph import write_graph
    >>> from residuum.solvers import Landmark
    >>> with tempfile.TemporaryDirectory() as folder, Client(processes=False, dashboard_address=":0") as client:
    ...     write_graph(datasets.planted_groups(300, 3, random_state=0), f"{folder}/graph.r2g")
    ...     model = DaskResidual2Vec(2, client=client, window=3, solver=Landmark(n_landmarks=250), random_state=0)
    ...     model.fit(f"{folder}/graph.r2g").graph_.out_strength.shape
    (300,)
    """

    def __init__(self, cluster: Cluster, grid: Grid, facts: Mapping[str, Any], nodes_file: str | None = None) -> None:
        self.cluster = cluster
        self.grid = grid
        self.facts = dict(facts)
        self.directed = grid.directed
        self._nodes_file = nodes_file

    @property
    def adjacency(self) -> NoReturn:  # type: ignore[override]
        """Refused: the edges are not on this machine."""
        raise InvalidParameterError(
            "this needs all edges on one machine, and the graph is partitioned over a cluster; use a null model whose "
            "groups are set, or embed the graph on one machine with Residual2Vec."
        )

    @property
    def n_nodes(self) -> int:
        """Number of nodes N."""
        return self.grid.n_nodes

    @property
    def n_entries(self) -> int:
        """Number of entries of the adjacency matrix: two per undirected edge."""
        return int(self.facts["n_entries"])

    @property
    def n_edges(self) -> int:
        """Number of edges, a self-loop of an undirected graph counted as half an edge."""
        return self.n_entries if self.directed else -(-self.n_entries // 2)

    @property
    def is_weighted(self) -> bool:
        """Whether any weight differs from 1."""
        return (self.facts["lightest"], self.facts["heaviest"]) != (1.0, 1.0)

    @cached_property
    def node_ids(self) -> NDArray[Any]:  # type: ignore[override]
        """Node ids in ascending order, or in the order of the graph on disk, shape (N,); read on first use."""
        parts = [read_ids(self.grid.home.path(f"ids-{part}.arrow")) for part in range(self.grid.n_parts)]
        return np.asarray(pa.chunked_array(parts).to_numpy())

    @cached_property
    def node_attributes(self) -> dict[str, NDArray[Any]]:  # type: ignore[override]
        """Node attributes of the graph on disk, by name; read on first use."""
        return {} if self._nodes_file is None else read_nodes(Path(self._nodes_file), self.n_nodes)[1]

    @cached_property
    def out_strength(self) -> NDArray[np.float64]:
        """Total weight of the outgoing edges of each node, shape (N,)."""
        return self._strength("out")

    @cached_property
    def in_strength(self) -> NDArray[np.float64]:
        """Total weight of the incoming edges of each node, shape (N,)."""
        return self._strength("in") if self.directed else self.out_strength

    def _strength(self, side: str) -> NDArray[np.float64]:
        return self.of_nodes(f"{side}-strength")

    def of_nodes(self, name: str) -> NDArray[Any]:
        """Return a vector that the stage of the graph has written in parts.

        Parameters
        ----------
        name : str
            Name of the vector: strength, effective degrees or number of entries of one side, such as "out-entries".

        Returns
        -------
        array of shape (N,)
            The vector.
        """
        return np.concatenate([self.grid.home.load(f"{name}-{part}") for part in range(self.grid.n_parts)])


@effective_degree.register
def _(graph: PartitionedGraph) -> float:
    return float(graph.facts["effective_degree"])


@triangles_by_degree.register
def _(graph: PartitionedGraph) -> float:
    entries = graph.of_nodes("out-entries")
    stages = graph.grid.home
    record = stages.record(
        "triangles", lambda: {"by_degree": partitioned_triangles(graph.cluster, graph.grid, entries)}
    )
    return float(record["by_degree"])


@neighbor_degree.register
def _(graph: PartitionedGraph) -> float:
    return degree_at_ends(graph.out_strength, graph.of_nodes("out-degrees"))


@weight_between.register
def _(
    graph: PartitionedGraph, groups: NDArray[np.int32], n_groups: int, factor: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    if (groups < 0).any():
        raise InvalidParameterError("on a cluster every node needs a group.")
    grid, name = graph.grid, f"codes-{new_token()}"
    grid.stages.array(name, lambda: groups)
    grid.stages.array(f"{name}-factor", lambda: np.ones(len(groups)) if factor is None else factor)
    try:
        items = [(grid, row, column, name, n_groups) for row, column in grid.blocks]
        return np.asarray(graph.cluster.total("weight-between-groups", block_between, items))
    finally:
        grid.stages.forget(name)


def block_between(grid: Grid, row: int, column: int, name: str, n_groups: int) -> NDArray[np.float64]:
    """Return the weight between groups in one block.

    Parameters
    ----------
    grid : Grid
        Partition.
    row, column : int
        Parts of the rows and of the columns.
    name : str
        Name of the array of groups on shared storage; that of the factors of rows has the suffix "-factor".
    n_groups : int
        Number of groups B.

    Returns
    -------
    array of shape (B, B)
        Weight from group to group.
    """
    codes = grid.stages.load(name)
    groups, others = codes[grid.nodes(row)], np.array(codes[grid.nodes(column)])
    indptr, indices, weights = grid.block(row, column)
    members = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[members], np.arange(n_groups + 1))
    out = np.empty((n_groups, n_groups))
    factor = np.array(grid.stages.load(f"{name}-factor")[grid.nodes(row)])
    add_between_groups(indptr, indices, weights, factor, others, members, starts, out, 0, n_groups)
    return out


def partition_graph(
    cluster: Cluster,
    stages: Stages,
    edges: Path,
    *,
    directed: bool | None = None,
    n_partitions: int | None = None,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    progress: ProgressCallback | None = None,
) -> PartitionedGraph:
    """Read edges on the workers, and write the blocks of the adjacency matrix to shared storage.

    Parameters
    ----------
    cluster : Cluster
        Workers.
    stages : Stages
        Shared storage; a complete graph in it is not built again.
    edges : Path
        Folder of parquet files, a parquet file, or a graph on disk (``.r2g``), that the workers see.
    directed : bool, optional
        Whether edges have a direction; by default as a graph on disk says, otherwise False.
    n_partitions : int, optional
        Number of parts of the nodes; by default as few as the memory of the workers allows.
    source, target, weight : str, optional
        Names of the columns.
    progress : callable, optional
        Called with the progress.

    Returns
    -------
    PartitionedGraph
        The graph.
    """
    if is_on_disk(edges):
        facts = stages.record("graph", lambda: _from_disk(cluster, stages, edges, directed, n_partitions, progress))
        nodes_file = str(edges / NODES)
    else:
        columns = {"source": source, "target": target, "weight": weight}
        facts = stages.record(
            "graph", lambda: _from_files(cluster, stages, edges, bool(directed), n_partitions, columns, progress)
        )
        nodes_file = None
        for prefix in ("piece-", "bucket-", "entries-"):
            stages.forget(prefix)
    grid = Grid(stages, stages, tuple(facts["bounds"]), facts["directed"])
    return PartitionedGraph(cluster, grid, facts, nodes_file)


def _n_parts(cluster: Cluster, n_entries: int, n_partitions: int | None) -> int:
    """Return the number of parts: as few as the memory of a thread allows, because parts exchange their vectors."""
    if n_partitions is not None:
        return n_partitions
    limit = _TASK_SHARE * cluster.thread_bytes
    return max(int(np.ceil(_ENTRY_BYTES * n_entries / limit)), 1) if limit else cluster.n_threads


def _from_files(
    cluster: Cluster,
    stages: Stages,
    edges: Path,
    directed: bool,
    n_partitions: int | None,
    columns: Mapping[str, str | None],
    progress: ProgressCallback | None,
) -> dict[str, Any]:
    """Run the stages from edge files to blocks, and return what is known of the graph."""
    pieces = edge_pieces(edges, **columns)
    n_parts = _n_parts(cluster, sum(piece.n_rows for piece in pieces), n_partitions)
    numbered = stages.record(
        "nodes", lambda: {"starts": number_nodes(cluster, stages, pieces, n_parts, progress), "pieces": len(pieces)}
    )
    starts, n_pieces = numbered["starts"], numbered["pieces"]
    bounds = part_bounds(starts[-1], n_parts)
    grid = Grid(stages, stages, tuple(bounds), directed)
    distributing = Stage("distributing edges", n_pieces + grid.n_parts, progress)

    def distribute() -> dict[str, Any]:
        cluster.map(
            "node-ids", write_part_ids, [(stages, starts, bounds, p) for p in range(grid.n_parts)], distributing
        )
        items = [(stages, number, starts, bounds, directed) for number in range(n_pieces)]
        return {"entries": cluster.map("distribute-edges", distribute_entries, items, distributing)}

    stages.record("entries", distribute)
    sides = (False, True) if directed else (False,)
    items = [(grid, n_pieces, *block, reverse) for reverse in sides for block in grid.blocks]
    built = cluster.map("build-blocks", build_block, items, Stage("building blocks", len(items), progress))
    return _finish(cluster, grid, built[: len(grid.blocks)])


def _from_disk(
    cluster: Cluster,
    stages: Stages,
    folder: Path,
    directed: bool | None,
    n_partitions: int | None,
    progress: ProgressCallback | None,
) -> dict[str, Any]:
    """Cut a graph on disk into blocks, and return what is known of it."""
    header = cluster.map("check-graph", check_graph, [(str(folder),)])[0]
    if directed is not None and directed != header["directed"]:
        raise InvalidGraphError(
            f"{folder} is {'directed' if header['directed'] else 'undirected'}, which cannot be changed on a cluster; "
            "leave out directed, or convert the edges again."
        )
    n_parts = _n_parts(cluster, header["n_entries"], n_partitions)
    grid = Grid(stages, stages, tuple(part_bounds(header["n_nodes"], n_parts)), header["directed"])
    parts = range(grid.n_parts)
    cluster.map("node-ids", copy_ids, [(grid, str(folder / NODES), part) for part in parts])
    sides = (False, True) if grid.directed else (False,)
    items = [(grid, str(folder), part, reverse) for reverse in sides for part in parts]
    built = cluster.map("build-blocks", slice_rows, items, Stage("building blocks", len(items), progress))
    return _finish(cluster, grid, built[: grid.n_parts])


def _finish(cluster: Cluster, grid: Grid, built: list[BlockFacts]) -> dict[str, Any]:
    """Sum the strengths, and return the record of the graph."""
    facts = BlockFacts.joined(built)
    if not facts.n_entries:
        raise InvalidGraphError("the graph is empty: no edge has a positive weight.")
    if facts.heaviest > _HEAVIEST or facts.lightest < 1 / _HEAVIEST:
        raise InvalidGraphError(
            f"edge weights on a cluster must be between {1 / _HEAVIEST:g} and {_HEAVIEST:g}, so that their squares are "
            f"numbers; got {facts.lightest:g} to {facts.heaviest:g}. Divide or multiply all weights by a constant, "
            "which changes no result, and drop edges without weight."
        )
    sides = (False, True) if grid.directed else (False,)
    parts = [(grid, part, reverse) for reverse in sides for part in range(grid.n_parts)]
    degrees = cluster.map("strengths", sum_blocks, parts)[: grid.n_parts]
    n_active = sum(count for _, count in degrees)
    return {
        "bounds": list(grid.bounds),
        "directed": grid.directed,
        **facts._asdict(),
        "effective_degree": sum(total for total, _ in degrees) / n_active,
    }


def copy_ids(grid: Grid, nodes_file: str, part: int) -> None:
    """Write the ids of the nodes of a part of a graph on disk.

    Parameters
    ----------
    grid : Grid
        Partition.
    nodes_file : str
        ``nodes.parquet`` of the graph.
    part : int
        Number of the part.
    """
    import pyarrow.parquet as pq

    nodes = grid.nodes(part)
    column = pq.ParquetFile(nodes_file).read(columns=[ID_COLUMN]).column(ID_COLUMN)
    ids = column.slice(nodes.start, nodes.stop - nodes.start).combine_chunks()
    write_ids(grid.home.path(f"ids-{part}.arrow"), ids)
