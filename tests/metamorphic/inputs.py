"""Relations of the input: the same graph, written in another way."""

import gzip
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scipy import io, sparse

from metamorphic.relation import (
    ROUNDING,
    SAME_BITS,
    SAMPLED,
    SWAPS,
    UNDIRECTED_ONLY,
    Case,
    only,
    rebuilt,
    relation,
)
from residuum import Graph, as_graph, read_graph
from residuum.graph import write_graph
from residuum.nulls import Bipartite, DegreeCorrectedSBM, Multilayer, Spatial, Temporal


def edges_of(graph: Graph) -> list[tuple[int, int, float]]:
    """Return the edges, those of an undirected graph once."""
    half = sparse.coo_array(graph.adjacency if graph.directed else sparse.triu(graph.adjacency))
    return list(zip(half.row.tolist(), half.col.tolist(), half.data.tolist(), strict=True))


def text(edges: list[tuple[Any, ...]]) -> str:
    """Return the edges as a csv file."""
    return "source,target,weight\n" + "".join(f"{a},{b},{w!r}\n" for a, b, w in edges)


def read(case: Case, name: str, write: Callable[[Path], Any]) -> Graph:
    """Write a file, read it, and add the attributes of the nodes by id."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        write(path)
        graph = read_graph(path, directed=case.directed)
    assert graph.node_ids.tolist() == case.graph.node_ids.tolist()
    return rebuilt(case.graph, graph.adjacency)


def from_csv(case: Case, edges: list[tuple[Any, ...]]) -> Graph:
    """Return the graph of a csv file with these edges."""
    return read(case, "edges.csv", lambda path: path.write_text(text(edges)))


@cache
def from_files(directed: bool) -> list[Graph]:
    """Return the graph as read from a file of each format; the same for all solvers and null models."""
    case = Case("exact", "configuration", "directed" if directed else "undirected")
    edges, matrix = edges_of(case.graph), case.graph.adjacency
    columns = dict(zip(("source", "target", "weight"), map(list, zip(*edges, strict=True)), strict=True))
    return [
        read(case, "x.tsv", lambda path: path.write_text(text(edges).replace(",", "\t"))),
        read(case, "x.csv.gz", lambda path: path.write_bytes(gzip.compress(text(edges).encode()))),
        read(case, "x.parquet", lambda path: pq.write_table(pa.table(columns), path)),
        read(case, "x.npz", lambda path: sparse.save_npz(path, sparse.csc_array(matrix))),
        read(case, "x.mtx", lambda path: io.mmwrite(path, matrix.tocoo())),
        read(case, "x.r2g", lambda path: write_graph(case.graph, path)),
    ]


@relation("permute the rows of the edge file", "the graph is the same: integer ids are sorted", SAME_BITS)
def permuted_rows(case: Case) -> tuple[Any, Any]:
    edges = edges_of(case.graph)
    order = np.random.default_rng(0).permutation(len(edges))
    return case.changed(from_csv(case, [edges[i] for i in order])), case.scores


@relation("swap the ends of edges", "an undirected edge has no direction", SAME_BITS, UNDIRECTED_ONLY)
def swapped_ends(case: Case) -> tuple[Any, Any]:
    edges = [(b, a, w) if i % 2 else (a, b, w) for i, (a, b, w) in enumerate(edges_of(case.graph))]
    return case.changed(from_csv(case, edges)), case.scores


@relation("split every edge in two halves", "parallel edges are summed, and halves are exact", SAME_BITS)
def halves(case: Case) -> tuple[Any, Any]:
    edges = [(a, b, w / 2) for a, b, w in edges_of(case.graph)]
    return case.changed(from_csv(case, edges + edges[::-1])), case.scores


@relation("write every row twice", "parallel edges are summed: all weights double, which changes nothing", SAME_BITS)
def doubled_rows(case: Case) -> tuple[Any, Any]:
    edges = edges_of(case.graph)
    return case.changed(from_csv(case, edges + edges)), case.scores


@relation("multiply all weights by 2^-70", "P and P_0 are ratios of weights; a power of two is exact", SAME_BITS)
def scaled_by_a_power_of_two(case: Case) -> tuple[Any, Any]:
    matrix = case.graph.adjacency.astype(np.float64) * 2.0**-70
    return case.changed(rebuilt(case.graph, matrix)), case.scores


@relation("multiply all weights by 3.7", "P and P_0 are ratios of weights, up to rounding", ROUNDING, SAMPLED)
def scaled(case: Case) -> tuple[Any, Any]:
    return case.changed(rebuilt(case.graph, case.graph.adjacency.astype(np.float64) * 3.7)), case.scores


@relation("store weights as float64, float32 or integers", "all of them are exact in float32", SAME_BITS)
def weight_types(case: Case) -> tuple[Any, Any]:
    matrix = 4 * case.graph.adjacency
    fits = [case.changed(rebuilt(case.graph, matrix.astype(kind))) for kind in (np.float64, np.float32, np.int32)]
    return fits, [case.scores] * 3


@relation("add edges of weight 0", "an edge of weight 0 is no edge", SAME_BITS)
def zero_weights(case: Case) -> tuple[Any, Any]:
    nothing = [(a, (a + 5) % case.graph.n_nodes, 0.0) for a in range(case.graph.n_nodes)]
    return case.changed(from_csv(case, nothing + edges_of(case.graph))), case.scores


@relation("read tsv, gz, parquet, npz, mtx and r2g", "every format holds the same graph", SAME_BITS)
def file_formats(case: Case) -> tuple[Any, Any]:
    graphs = from_files(case.directed)
    return [case.changed(graph) for graph in graphs], [case.scores] * len(graphs)


@relation("pass coo, dense and networkx", "every container holds the same graph", SAME_BITS)
def containers(case: Case) -> tuple[Any, Any]:
    matrix = case.graph.adjacency
    network = nx.from_numpy_array(matrix.toarray(), create_using=nx.DiGraph if case.directed else nx.Graph)
    forms = [matrix.tocoo(), matrix.toarray(), network]
    graphs = [rebuilt(case.graph, as_graph(form, directed=case.directed).adjacency) for form in forms]
    return [case.changed(graph) for graph in graphs], [case.scores] * len(forms)


@relation("use text instead of integers as node ids", "ids name rows and take no part in the fit", SAME_BITS)
def text_ids(case: Case) -> tuple[Any, Any]:
    names = [f"node {chr(ord('z') - i)}" for i in range(case.graph.n_nodes)]
    return case.changed(rebuilt(case.graph, case.graph.adjacency, names)), case.scores


@relation(
    "give every undirected edge as two arcs", "the same P, d and groups", ROUNDING, SAMPLED | SWAPS | UNDIRECTED_ONLY
)
def both_arcs(case: Case) -> tuple[Any, Any]:
    graph = case.graph
    arcs = Graph(graph.adjacency, graph.node_ids, directed=True, node_attributes=graph.node_attributes)
    return case.changed(arcs), case.scores


WITH_ATTRIBUTES = only("bipartite dcsbm multilayer spatial temporal", "has no attributes")


@relation("give labels as array or in a shuffled mapping", "labels are matched by id", SAME_BITS, WITH_ATTRIBUTES)
def label_containers(case: Case) -> tuple[Any, Any]:
    attributes, ids = case.graph.node_attributes, case.graph.node_ids.tolist()
    kind, values = {
        "bipartite": (Bipartite, attributes["side"]),
        "dcsbm": (DegreeCorrectedSBM, attributes["group"]),
        "multilayer": (Multilayer, attributes["layer"]),
        "temporal": (Temporal, attributes["time"]),
        "spatial": (lambda points: Spatial(points, n_bins=4), np.stack([attributes["x"], attributes["y"]], axis=1)),
    }[case.null]
    order = np.random.default_rng(1).permutation(len(ids))
    mapping = {ids[i]: values[i].tolist() for i in order}
    return [case.changed(null_model=kind(form)) for form in (values, mapping)], [case.scores] * 2
