"""Random graphs with a planted answer."""

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
    """Return the toy graph of the paper's figure 1: a small dense core, a large sparse periphery.

    Edges are drawn with probability 0.9 inside the core, 0.2 between core and periphery and 0.02 inside the
    periphery, so that core nodes are the minority but get most visits of a random walker. Nodes without an edge
    are joined to a random other core node. The node attribute ``"role"`` says "core" or "periphery".

    Parameters
    ----------
    n_core, n_periphery : int
    random_state : int, Generator or None
    """
    check_integer("n_core", n_core, minimum=2)
    check_integer("n_periphery", n_periphery, minimum=1)
    rng = as_generator(random_state)
    n_nodes = n_core + n_periphery
    core = np.arange(n_nodes) < n_core
    chance = np.where(core[:, None] & core, 0.9, np.where(core[:, None] | core, 0.2, 0.02))
    upper = np.triu(rng.random((n_nodes, n_nodes)) < chance, k=1)
    adjacency = upper | upper.T
    for node in np.flatnonzero(~adjacency.any(axis=1)):
        others = np.setdiff1d(np.arange(n_core), node)
        partner = others[rng.integers(len(others))]
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
    """Return a degree-corrected planted partition: groups and degrees, and nothing else.

    The number of edges between i and j is Poisson with mean ``d_i d_j / 2m`` times what the mixing makes of their
    groups; parallel edges become one, self-loops go, and nodes without an edge get one to a node of their group.
    The node attribute ``"group"`` holds the planted answer.

    Parameters
    ----------
    n_nodes, n_groups : int
    mixing : float
        Expected share of a node's edges that leave its group.
    average_degree : float
        Above 0.
    degree_exponent : float or None
        Exponent of the power law of expected degrees, above 1; None for equal ones.
    random_state : int, Generator or None
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
    leaves = rng.random(n_edges) < (mixing if n_groups > 1 else 0.0)
    second = np.empty(n_edges, dtype=np.int64)
    for number in range(n_groups):
        for outside in (False, True):
            here = (group[first] == number) & (leaves == outside)
            weight = np.where((group == number) != outside, degree, 0.0)
            if here.any():
                second[here] = rng.choice(n_nodes, int(here.sum()), p=weight / weight.sum())
    lonely = np.setdiff1d(np.arange(n_nodes), np.concatenate([first, second])[np.tile(first != second, 2)])
    after = (lonely + 1) % n_nodes
    partner = np.where(group[after] == group[lonely], after, lonely - 1)
    rows, columns = np.concatenate([first, lonely]), np.concatenate([second, partner])
    use = rows != columns
    half = sparse.coo_array((np.ones(use.sum()), (rows[use], columns[use])), shape=(n_nodes, n_nodes))
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
    """Return an LFR benchmark graph, with the paper's parameters by default.

    Those are the ones of Lancichinetti and Fortunato (2009) for 1,000 nodes, with the paper's degree exponent.
    Needs networkit (extra ``benchmarks``). The node attribute ``"community"`` holds the planted answer.

    Parameters
    ----------
    mixing : float
        μ, the mean share of a node's neighbours in other communities.
    n_nodes : int
    degree_exponent : float
        τ, 3 for heterogeneous degrees, 6 for almost equal ones.
    average_degree, max_degree : int
    community_exponent : float
        Exponent of the sizes of the communities.
    min_community, max_community : int
    random_state : int
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
    """Networkit has one seed for the process; with one thread it decides the result."""
    threads = networkit.getMaxNumberOfThreads()  # type: ignore[attr-defined]
    networkit.setNumberOfThreads(1)  # type: ignore[attr-defined]
    networkit.setSeed(seed, False)  # type: ignore[attr-defined]
    try:
        yield
    finally:
        networkit.setNumberOfThreads(threads)  # type: ignore[attr-defined]
