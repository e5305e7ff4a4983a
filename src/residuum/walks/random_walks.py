"""Random walks on a graph, streamed: the same bits at any number of threads."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from residuum._random import as_generator
from residuum._validation import check_integer, check_real
from residuum.errors import InvalidParameterError
from residuum.graph import Graph, Teleport, resolve_teleport
from residuum.walks._alias_kernels import alias_tables
from residuum.walks._walk_kernels import walk_from

__all__ = ["RandomWalks", "alias_of"]

# Nodes in one chunk of walks: a few megabytes, whatever the length of the walks.
_CHUNK_NODES = 1 << 19
_SMALLEST_FACTOR = 1e-6


class RandomWalks:
    """Walks of ``walk_length`` steps, ``n_walks`` from each node, a chunk at a time.

    A walker at v that came from t goes to x with probability ``∝ A_vx α(t, x)``, where α is ``1/p`` if x = t, 1 if t
    and x are joined (t → x), and ``1/q`` otherwise (node2vec); p = q = 1 is the plain random walk. With ``groups`` a
    walker first chooses one of the groups of its neighbours, all with the same chance, then a neighbour in it
    (FairWalk). Walkers of directed graphs jump as ``teleport`` says; from dangling nodes they always jump.

    Edges are chosen by alias tables and refused by (p, q): memory is O(N + edges), nothing is kept for pairs of edges.
    Each walk has random numbers of its own, made of the seed and its number, so that the walks are the same bits
    whatever the number of threads. Isolated nodes have no walks.

    Parameters
    ----------
    graph : Graph
    n_walks : int, default 10
        Walks from each node in an epoch.
    walk_length : int, default 80
        Steps of a walk; it visits one node more.
    p, q : float, default 1.0
        Return and in-out parameter of node2vec.
    teleport : Teleport, optional
        By default walkers jump from dangling nodes only.
    groups : int array of shape (N,), optional
        The group of each node.
    random_state : int, Generator or None

    Examples
    --------
    >>> ring = Graph([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
    >>> walks = RandomWalks(ring, n_walks=2, walk_length=5, random_state=0)
    >>> [chunk.shape for chunk in walks.chunks()]
    [(8, 6)]
    """

    def __init__(
        self,
        graph: Graph,
        *,
        n_walks: int = 10,
        walk_length: int = 80,
        p: float = 1.0,
        q: float = 1.0,
        teleport: Teleport | None = None,
        groups: NDArray[np.integer] | None = None,
        random_state: object = None,
    ) -> None:
        self.graph = graph
        self.n_walks = check_integer("n_walks", n_walks, minimum=1)
        self.walk_length = check_integer("walk_length", walk_length, minimum=1)
        self._back, self._outward = 1.0 / _factor("p", p), 1.0 / _factor("q", q)
        self._teleport = resolve_teleport(graph, 0.0) if teleport is None else teleport
        self._seed = np.uint64(as_generator(random_state).integers(2**63))
        self._nodes = np.flatnonzero((graph.out_strength > 0) | (graph.in_strength > 0))
        self._edges = _Edges(graph, groups)
        self._jump = np.empty(0) if self._teleport is None else self._teleport.probability
        target = np.empty(0) if self._teleport is None else self._teleport.target
        self._target_tables = alias_of(np.array([0, len(target)]), target)

    @property
    def total(self) -> int:
        """Number of walks in an epoch."""
        return self.n_walks * len(self._nodes)

    @property
    def chunk_size(self) -> int:
        """Number of walks in a chunk."""
        return max(1, _CHUNK_NODES // (self.walk_length + 1))

    def chunks(self, epoch: int = 0) -> Iterator[NDArray[np.int32]]:
        """Give the walks of an epoch, shape (m, walk_length + 1); other epochs have other walks.

        Walks start once from every node, in random order, before any node starts its next one.
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
            whole = len(starts) if last else len(starts) - len(starts) % self.chunk_size
            for begin in range(0, whole, self.chunk_size):
                part = starts[begin : min(begin + self.chunk_size, whole)]
                yield self.walks_from(part, first)
                first += len(part)
            pending = [starts[whole:]]

    def walks_from(self, starts: NDArray[np.integer], first: int = 0) -> NDArray[np.int32]:
        """Return one walk from each start, shape (m, walk_length + 1); ``first`` is the number of the first walk."""
        out = np.empty((len(starts), self.walk_length + 1), dtype=np.int32)
        edges = self._edges
        matrix = self.graph.adjacency
        walk_from(
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
            self._jump,
            *self._target_tables,
            out,
        )
        return out


class _Edges:
    """The edges of each node in the segments from which a walker chooses, with alias tables if weights differ."""

    def __init__(self, graph: Graph, groups: NDArray[np.integer] | None) -> None:
        matrix = graph.adjacency
        self.segments = np.empty(0, dtype=np.int64)
        self.borders: NDArray[np.integer] = matrix.indptr
        self.neighbors: NDArray[np.integer] = matrix.indices
        weights = matrix.data
        if groups is not None:
            order = self._sort_by_group(matrix.indptr, matrix.indices, np.asarray(groups))
            self.neighbors, weights = matrix.indices[order], matrix.data[order]
        same = bool(np.all(weights == weights[0]))
        self.weights = weights[:0] if same else weights
        self.tables = alias_of(self.borders, self.weights)

    def _sort_by_group(
        self, indptr: NDArray[np.integer], indices: NDArray[np.integer], groups: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        n_nodes = len(indptr) - 1
        if groups.shape != (n_nodes,):
            raise InvalidParameterError(
                f"groups must have one number for each of the {n_nodes} nodes; got shape {groups.shape}."
            )
        row = np.repeat(np.arange(n_nodes), np.diff(indptr))
        group = groups[indices]
        order = np.lexsort((group, row))
        row, group = row[order], group[order]
        begins = np.flatnonzero(np.concatenate([[True], (np.diff(row) != 0) | (np.diff(group) != 0)]))
        self.borders = np.concatenate([begins, [len(row)]])
        self.segments = np.searchsorted(row[begins], np.arange(n_nodes + 1))
        return np.asarray(order, dtype=np.int64)


def alias_of(
    borders: NDArray[np.integer], weights: NDArray[np.floating]
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Return the alias tables of the distributions ``weights[borders[s]:borders[s + 1]]``; empty without weights."""
    threshold, alias = np.empty(len(weights), dtype=np.float32), np.empty(len(weights), dtype=np.int32)
    if len(weights) > 0:
        alias_tables(borders, weights, threshold, alias)
    return threshold, alias


def _factor(name: str, value: float) -> float:
    return check_real(name, value, minimum=_SMALLEST_FACTOR, maximum=1.0 / _SMALLEST_FACTOR)
