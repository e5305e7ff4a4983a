"""Random graphs with planted structure."""

import contextlib
from collections.abc import Iterator

import numpy as np
from scipy import sparse

from residuum._random import as_generator
from residuum._validation import check_integer, check_positive, check_real, import_extra
from residuum.errors import InvalidParameterError
from residuum.graph import Graph

__all__ = ["core_periphery", "lfr", "planted_groups"]


def core_periphery(
    n_core: int = 10, n_periphery: int = 90, *, random_state: int | np.random.Generator | None = 0
) -> Graph:
    """Return the toy graph of the paper's figure 1: a small dense core and a large sparse periphery.

    Edges have probability 0.9 within the core, 0.2 between core and periphery and 0.02 within the periphery: core nodes
    are a minority but receive most visits of a random walk. Nodes without an edge are connected to a random core node.

    Parameters
    ----------
    n_core, n_periphery : int
        Number of nodes in the core, at least 2, and in the periphery, at least 1.
    random_state : int, Generator or None
        Seed of the edges.

    Returns
    -------
    Graph
        Unweighted, with node attribute ``"role"``, "core" or "periphery".

    Examples
    --------
    >>> graph = core_periphery(10, 90)
    >>> core = graph.node_attributes["role"] == "core"
    >>> bool(graph.out_strength[core].mean() > 5 * graph.out_strength[~core].mean())
    True
    """
    check_integer("n_core", n_core, minimum=2)
    check_integer("n_periphery", n_periphery, minimum=1)
    rng = as_generator(random_state)
    n_nodes = n_core + n_periphery
    core = np.arange(n_nodes) < n_core
    probability = np.where(core[:, None] & core, 0.9, np.where(core[:, None] | core, 0.2, 0.02))
    upper = np.triu(rng.random((n_nodes, n_nodes)) < probability, k=1)
    adjacency = upper | upper.T
    for node in np.flatnonzero(~adjacency.any(axis=1)):
        candidates = np.setdiff1d(np.arange(n_core), node)
        partner = candidates[rng.integers(len(candidates))]
        adjacency[node, partner] = adjacency[partner, node] = True
    role = np.where(core, "core", "periphery")
    return Graph(sparse.csr_array(adjacency.astype(np.float32)), node_attributes={"role": role})


def planted_groups(
    n_nodes: int = 1000,
    n_groups: int = 4,
    *,
    mixing: float = 0.3,
    average_degree: float = 20.0,
    degree_exponent: float | None = 3.0,
    random_state: int | np.random.Generator | None = 0,
) -> Graph:
    """Return a degree-corrected planted partition: a random graph with groups, degrees and no other structure.

    The number of edges between nodes i and j is nearly Poisson with mean ``d_i d_j / 2m`` times a factor that depends
    on the mixing and on whether i and j are in the same group. Parallel edges are merged and self-loops removed. Nodes
    without an edge get one to a node of their group.

    Parameters
    ----------
    n_nodes, n_groups : int
        Number of nodes, at least twice the number of groups; groups have the same size, up to one node.
    mixing : float
        Expected fraction of a node's edges that leave its group.
    average_degree : float
        Mean degree before parallel edges are merged, above 0.
    degree_exponent : float or None
        Exponent of the power law of expected degrees, above 1; None for equal expected degrees.
    random_state : int, Generator or None
        Seed of the degrees and edges.

    Returns
    -------
    Graph
        Unweighted, with the planted group as node attribute ``"group"``.

    Examples
    --------
    >>> graph = planted_groups(100, 4, mixing=0.1)
    >>> np.bincount(graph.node_attributes["group"])
    array([25, 25, 25, 25])
    """
    check_integer("n_groups", n_groups, minimum=1)
    check_integer("n_nodes", n_nodes, minimum=2 * n_groups)
    check_real("mixing", mixing, minimum=0.0, maximum=1.0)
    check_positive("average_degree", average_degree)
    if degree_exponent is not None and check_real("degree_exponent", degree_exponent, minimum=1.0) == 1.0:
        raise InvalidParameterError("degree_exponent must be above 1, or None for equal degrees; got 1.")
    rng = as_generator(random_state)
    group = np.sort(np.arange(n_nodes) % n_groups)
    if degree_exponent is None:
        degree = np.ones(n_nodes)
    else:
        degree = np.minimum((1.0 - rng.random(n_nodes)) ** (-1.0 / (degree_exponent - 1.0)), np.sqrt(n_nodes))
    n_edges = int(n_nodes * average_degree / 2)
    first = rng.choice(n_nodes, n_edges, p=degree / degree.sum())
    leaves_group = rng.random(n_edges) < (mixing if n_groups > 1 else 0.0)
    second = np.empty(n_edges, dtype=np.int64)
    for source_group in range(n_groups):
        for outside in (False, True):
            selected = (group[first] == source_group) & (leaves_group == outside)
            weight = np.where((group == source_group) != outside, degree, 0.0)
            if selected.any():
                second[selected] = rng.choice(n_nodes, int(selected.sum()), p=weight / weight.sum())
    isolated = np.setdiff1d(np.arange(n_nodes), np.concatenate([first, second])[np.tile(first != second, 2)])
    following = (isolated + 1) % n_nodes
    partner = np.where(group[following] == group[isolated], following, isolated - 1)
    rows, columns = np.concatenate([first, isolated]), np.concatenate([second, partner])
    no_loop = rows != columns
    half = sparse.coo_array((np.ones(no_loop.sum()), (rows[no_loop], columns[no_loop])), shape=(n_nodes, n_nodes))
    adjacency = sparse.csr_array(half + half.T)
    adjacency.data[:] = 1.0
    return Graph(adjacency, node_attributes={"group": group})


def lfr(
    mixing: float,
    *,
    n_nodes: int = 1000,
    degree_exponent: float = 3.0,
    average_degree: int = 20,
    max_degree: int = 50,
    community_exponent: float = 1.0,
    min_community: int = 20,
    max_community: int = 100,
    random_state: int = 0,
) -> Graph:
    """Return an LFR benchmark graph, by default with the parameters of the paper.

    These are the parameters of Lancichinetti and Fortunato (2009) for 1,000 nodes, with the paper's degree exponent.
    Requires networkit (extra ``benchmarks``).

    Parameters
    ----------
    mixing : float
        Mean fraction μ of a node's neighbors in other communities.
    n_nodes : int
        Number of nodes.
    degree_exponent : float
        Exponent τ of the power law of degrees: 3 for heterogeneous, 6 for nearly equal degrees.
    average_degree, max_degree : int
        Mean and maximum degree.
    community_exponent : float
        Exponent of the power law of community sizes.
    min_community, max_community : int
        Minimum and maximum community size.
    random_state : int
        Seed, at least 0.

    Returns
    -------
    Graph
        Unweighted, with the planted community as node attribute ``"community"``.

    Examples
    --------
    >>> lfr(0.2, n_nodes=300)  # doctest: +SKIP
    Graph(300 nodes, 2906 edges, undirected, unweighted)
    """
    check_real("mixing", mixing, minimum=0.0, maximum=1.0)
    networkit = import_extra("networkit", "benchmarks")
    with _seeded(networkit, check_integer("random_state", random_state, minimum=0)):
        generator = networkit.generators.LFRGenerator(n_nodes)
        generator.generatePowerlawDegreeSequence(average_degree, max_degree, -degree_exponent)
        generator.generatePowerlawCommunitySizeSequence(min_community, max_community, -community_exponent)
        generator.setMu(mixing)
        network = generator.generate()
        community = np.array(generator.getPartition().getVector())
    ends = np.array([(u, v) for u, v in network.iterEdges() if u != v], dtype=np.int64)
    rows, columns = np.concatenate([ends, ends[:, ::-1]]).T
    adjacency = sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(n_nodes, n_nodes))
    adjacency.data[:] = 1.0
    return Graph(adjacency, node_attributes={"community": community})


@contextlib.contextmanager
def _seeded(networkit: object, seed: int) -> Iterator[None]:
    """Run networkit on one thread with a seed: its seed is global, and fixes the result only on one thread."""
    threads = networkit.getMaxNumberOfThreads()  # type: ignore[attr-defined]
    networkit.setNumberOfThreads(1)  # type: ignore[attr-defined]
    networkit.setSeed(seed, False)  # type: ignore[attr-defined]
    try:
        yield
    finally:
        networkit.setNumberOfThreads(threads)  # type: ignore[attr-defined]
