"""Relations of the nodes: permuted, added, split and doubled."""

from typing import Any

import numpy as np
from scipy import sparse

from metamorphic.relation import N_COMPONENTS, ROUNDING, SAMPLED, SWAPS, Case, associations, only, rebuilt, relation
from residuum import Graph
from residuum.nulls import DegreeCorrectedSBM


def with_rows(graph: Graph, adjacency: Any, rows: Any, **attributes: Any) -> Graph:
    """Return a graph whose nodes have the attributes of some nodes of another."""
    taken = {name: values[rows] for name, values in graph.node_attributes.items()}
    return Graph(adjacency, directed=graph.directed, node_attributes=taken | attributes)


@relation("permute the nodes", "R̃ is permuted, and so are the vectors", ROUNDING, SAMPLED | SWAPS)
def permuted_nodes(case: Case) -> tuple[Any, Any]:
    graph = case.graph
    order = np.random.default_rng(0).permutation(graph.n_nodes)
    permuted = with_rows(graph, graph.adjacency[order][:, order], order)
    return case.changed(permuted), case.scores[np.ix_(order, order)]


@relation("add an isolated node", "other nodes keep their associations, and it has the zero vector", ROUNDING, SAMPLED)
def isolated_node(case: Case) -> tuple[Any, Any]:
    larger = np.pad(case.graph.adjacency.toarray(), ((0, 1), (0, 1)))
    # The attributes of a node that is present: a new group or place would change the null model.
    rows = np.append(np.arange(case.graph.n_nodes), 0)
    return case.changed(with_rows(case.graph, larger, rows)), np.pad(case.scores, ((0, 1), (0, 1)))


COPIES = only("bipartite dcsbm degree-correlated multilayer temporal", "is no product of groups")


def doubled(graph: Graph) -> Graph:
    """Return the disjoint union of a graph with itself."""
    rows = np.tile(np.arange(graph.n_nodes), 2)
    return with_rows(graph, sparse.block_diag([graph.adjacency] * 2), rows, copy=np.repeat([0, 1], graph.n_nodes))


@relation(
    "unite the graph with a copy, with the copy as a group",
    "R̃ at floor 0 is block diagonal: twice the dimensions, and none between the copies",
    ROUNDING,
    SAMPLED | COPIES,
)
def disjoint_union(case: Case) -> tuple[Any, Any]:
    null = case.base.null_model_ * DegreeCorrectedSBM("copy")
    union = case.changed(doubled(case.graph), null_model=null, n_components=2 * N_COMPONENTS, floor=0.0)
    alone = case.changed(floor=0.0)
    return union, np.kron(np.eye(2), alone)


@relation(
    "unite the graph with a copy, with the same groups", "every node is half as likely: z falls by ln 2", 1e-9, SWAPS
)
def offsets_of_a_union(case: Case) -> tuple[Any, Any]:
    return case.fit(doubled(case.graph)).offset_, np.tile(case.base.offset_, 2) - np.log(2)


@relation(
    "split every third node into twins with half of its weights",
    "R̃ repeats its rows, and with weights d_i d_j the twins count as one node: all vectors stay",
    ROUNDING,
    SAMPLED
    | SWAPS
    | {
        "erdos-renyi": "counts nodes, and weighs none by degree",
        "degree-correlated": "twins are in another bin of the degree",
    },
)
def twins(case: Case) -> tuple[Any, Any]:
    graph = case.graph
    rows = np.sort(np.append(np.arange(graph.n_nodes), np.arange(0, graph.n_nodes, 3)))
    share = 1.0 / np.bincount(rows)[rows]
    split = graph.adjacency.toarray()[np.ix_(rows, rows)] * np.outer(share, share)
    expected = associations(case.fit(weighting=1.0))[np.ix_(rows, rows)]
    return case.changed(with_rows(graph, split, rows), weighting=1.0), expected


@relation("shuffle the order of the edges in the matrix", "the matrix is brought to a canonical form", 0.0)
def unsorted_matrix(case: Case) -> tuple[Any, Any]:
    entries = case.graph.adjacency.tocoo()
    order = np.random.default_rng(2).permutation(entries.nnz)
    shape = entries.shape
    shuffled = sparse.coo_array((entries.data[order], (entries.row[order], entries.col[order])), shape=shape)
    return case.changed(rebuilt(case.graph, shuffled)), case.scores
