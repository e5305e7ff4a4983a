"""Random walks on a graph, generated in chunks."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from residuum._kernels.alias import alias_of
from residuum._kernels.walking import walk_from
from residuum._random import as_generator
from residuum._threads import even_ranges, run_ranges
from residuum._validation import check_integer, check_real
from residuum.errors import InvalidParameterError
from residuum.graph import Graph

__all__ = ["RandomWalks"]

# A step takes about as long as this many simple operations.
_STEP_OPERATIONS = 10

# Number of node visits in a chunk of walks: a few megabytes for any walk length.
_CHUNK_NODES = 1 << 19
_SMALLEST_FACTOR = 1e-6


class RandomWalks:
    """``P(x | v, t) ∝ A_vx α(t, x)``: second-order random walks from every node, generated in chunks.

    A walker at v that came from t moves to x with α = ``1/p`` if x = t, 1 if the graph has the edge t → x, and ``1/q``
    otherwise (node2vec); p = q = 1 is the first-order random walk. With ``groups`` a walker first chooses uniformly
    among the groups of its neighbors, then a neighbor in that group (FairWalk). From a dangling node, which has no
    out-edges, a walker jumps to a node sampled by out-strength. A jump is not a step: it is marked by −1, and nodes
    before and after it are not pairs. No walk starts at a node without out-edges.

    Steps are sampled from alias tables and accepted or rejected by α, so memory is O(N + edges): nothing is stored for
    pairs of edges. The random stream of a walk depends only on the seed and the number of the walk, so walks are
    identical for any number of threads.

    Parameters
    ----------
    graph : Graph
        Graph that the walkers move on.
    n_walks : int, default 10
        Number of walks from each node per epoch.
    walk_length : int, default 80
        Number of steps of a walk, which visits ``walk_length + 1`` nodes.
    p, q : float, default 1.0
        Return and in-out parameters of node2vec, between 1e-6 and 1e6.
    groups : int array of shape (N,), optional
        Group of each node, for FairWalk.
    random_state : int, Generator or None
        Seed of the walks; None gives different walks each time.

    Examples
    --------
    >>> from residuum.datasets import karate_club
    >>> from residuum.walks import RandomWalks
    >>> walks = RandomWalks(karate_club(), n_walks=2, walk_length=5, random_state=0)
    >>> [chunk.shape for chunk in walks.chunks()]
    [(68, 6)]
    """

    def __init__(
        self,
        graph: Graph,
        *,
        n_walks: int = 10,
        walk_length: int = 80,
        p: float = 1.0,
        q: float = 1.0,
        groups: NDArray[np.integer] | None = None,
        random_state: object = None,
    ) -> None:
        self.graph = graph
        self.n_walks = check_integer("n_walks", n_walks, minimum=1)
        self.walk_length = check_integer("walk_length", walk_length, minimum=1)
        self._back, self._outward = 1.0 / _factor("p", p), 1.0 / _factor("q", q)
        self._seed = np.uint64(as_generator(random_state).integers(2**63))
        self._nodes = np.flatnonzero(graph.out_strength > 0)
        self._edges = _Edges(graph, groups)
        restarts = graph.out_strength if np.any((graph.out_strength == 0) & (graph.in_strength > 0)) else np.empty(0)
        self._restart_tables = alias_of(np.array([0, len(restarts)]), restarts)

    @property
    def total(self) -> int:
        """Number of walks per epoch."""
        return self.n_walks * len(self._nodes)

    @property
    def chunk_size(self) -> int:
        """Number of walks per chunk."""
        return max(1, _CHUNK_NODES // (self.walk_length + 1))

    def chunks(self, epoch: int = 0) -> Iterator[NDArray[np.int32]]:
        """Yield the walks of an epoch in chunks.

        Walks come in rounds: each round has one walk from every node, in random order.

        Parameters
        ----------
        epoch : int, default 0
            Number of the epoch; different epochs have different walks.

        Yields
        ------
        int32 array of shape (m, walk_length + 1)
            Positions of the visited nodes, one walk per row; −1 for a jump.
        """
        first = check_integer("epoch", epoch, minimum=0) * self.total
        pending: list[NDArray[np.int64]] = []
        for number in range(self.n_walks):
            order = np.random.default_rng([int(self._seed), epoch, number]).permutation(self._nodes)
            pending.append(order)
            last = number == self.n_walks - 1
            if sum(map(len, pending)) < self.chunk_size and not last:
                continue
            starts = np.concatenate(pending)
            n_ready = len(starts) if last else len(starts) - len(starts) % self.chunk_size
            for begin in range(0, n_ready, self.chunk_size):
                chunk = starts[begin : min(begin + self.chunk_size, n_ready)]
                yield self.walks_from(chunk, first)
                first += len(chunk)
            pending = [starts[n_ready:]]

    def walks_from(self, starts: NDArray[np.integer], first: int = 0) -> NDArray[np.int32]:
        """Return one walk from each start node.

        Parameters
        ----------
        starts : int array of shape (m,)
            Positions of the start nodes.
        first : int, default 0
            Number of the first walk, which selects its random stream; the others follow consecutively.

        Returns
        -------
        int32 array of shape (m, walk_length + 1)
            Positions of the visited nodes, one walk per row; −1 for a jump.
        """
        out = np.empty((len(starts), self.walk_length + 1), dtype=np.int32)
        edges = self._edges
        matrix = self.graph.adjacency
        walk = partial(
            walk_from,
            np.ascontiguousarray(starts, dtype=np.int64),
            np.int64(first),
            self._seed,
            matrix.indptr,
            matrix.indices,
            not self.graph.directed,
            edges.segments,
            edges.borders,
            edges.neighbors,
            edges.weights,
            *edges.tables,
            self._back,
            self._outward,
            *self._restart_tables,
            out,
        )
        run_ranges(walk, even_ranges(len(starts), _STEP_OPERATIONS * out.size))
        return out


class _Edges:
    """Edges of each node, one segment per node or per group of its neighbors, with alias tables if weights differ."""

    def __init__(self, graph: Graph, groups: NDArray[np.integer] | None) -> None:
        matrix = graph.adjacency
        self.segments = np.empty(0, dtype=np.int64)
        self.borders: NDArray[np.integer] = matrix.indptr
        self.neighbors: NDArray[np.integer] = matrix.indices
        weights = matrix.data
        if groups is not None:
            order = self._sort_by_group(matrix.indptr, matrix.indices, np.asarray(groups))
            self.neighbors, weights = matrix.indices[order], matrix.data[order]
        all_equal = bool(np.all(weights == weights[0]))
        self.weights = weights[:0] if all_equal else weights
        self.tables = alias_of(self.borders, self.weights)

    def _sort_by_group(
        self, indptr: NDArray[np.integer], indices: NDArray[np.integer], groups: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        n_nodes = len(indptr) - 1
        if groups.shape != (n_nodes,):
            raise InvalidParameterError(
                f"groups must have one integer for each of the {n_nodes} nodes; got shape {groups.shape}."
            )
        row = np.repeat(np.arange(n_nodes), np.diff(indptr))
        group = groups[indices]
        order = np.lexsort((group, row))
        row, group = row[order], group[order]
        begins = np.flatnonzero(np.concatenate([[True], (np.diff(row) != 0) | (np.diff(group) != 0)]))
        self.borders = np.concatenate([begins, [len(row)]])
        self.segments = np.searchsorted(row[begins], np.arange(n_nodes + 1))
        return np.asarray(order, dtype=np.int64)


def _factor(name: str, value: float) -> float:
    return check_real(name, value, minimum=_SMALLEST_FACTOR, maximum=1.0 / _SMALLEST_FACTOR)
