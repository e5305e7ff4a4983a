"""Sampled null models, whose window probabilities are averages over random graphs."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum._kernels.rewiring import swap_edges
from residuum._validation import check_choice, check_integer, check_real, window_weights
from residuum.errors import InvalidParameterError, NullModelError
from residuum.graph import Graph, as_graph, group_codes
from residuum.graph.attributes import NodeValues
from residuum.nulls.base import FittedNull
from residuum.nulls.configuration import Configuration
from residuum.walks import CountedProbabilities, WindowProbabilities, walk_ends

__all__ = ["FittedSamples", "SampledNull", "rewired"]

_BUILT_IN = ("rewire", "rewire-groups")
_ERROR_COLUMNS = 32
_COLUMNS_PER_TILE = 256
# Attempted swaps per edge; more swaps do not change the measured averages.
_TRIES_PER_EDGE = 20


class SampledNull:
    """``P_0 = (Σ_s P_s + prior · P_configuration) / (n_samples + prior)``, averaged over random graphs s.

    The mean for a node skips random graphs in which no walk from it takes a step that the window counts.

    Removes the structure that the generator preserves. ``"rewire"`` preserves the degrees of a simple graph by edge
    swaps: unlike the configuration model it has no self-loops and no parallel edges, which matters if hubs are large.
    Use a sampled null model if no formula describes the random graph.

    Parameters
    ----------
    generator : {"rewire", "rewire-groups"} or callable, default "rewire"
        Rewiring that preserves degrees, or degrees and the mixing of groups. A callable takes a seed and returns a
        graph with the same nodes in the same order.
    n_samples : int, default 10
        Number of random graphs, at least 2.
    groups : str, mapping, pandas Series or array of shape (N,), optional
        Label of each node, required for ``generator="rewire-groups"``.
    prior : float, default 1.0
        Weight of the configuration model, in samples. It keeps the probability of pairs that no sample connects above
        0, and vanishes as ``n_samples`` grows.
    estimate : {"exact", "walks"}, default "exact"
        Window probabilities of a sample: exact (tiles of T sparse products), or counted on random walks, which is
        noisier but cheaper for many or dense samples.
    n_walks : int, default 1000
        Number of walks from each node of each sample, for ``estimate="walks"``.
    random_state : int, default 0
        Seed of the first sample; the others have consecutive seeds.

    Examples
    --------
    >>> from residuum.datasets import karate_club
    >>> from residuum.nulls import SampledNull
    >>> null = SampledNull("rewire", n_samples=20).fit(karate_club(), window=3)
    >>> round(null.standard_error, 1)
    0.3
    """

    name: ClassVar[str] = "rewired"
    removes: ClassVar[str] = "degree, in simple graphs (sampled by edge swaps)"
    options: ClassVar[dict[str, str]] = {}
    in_block_form: ClassVar[bool] = False

    def __init__(
        self,
        generator: str | Callable[[int], Any] = "rewire",
        n_samples: int = 10,
        groups: NodeValues | None = None,
        prior: float = 1.0,
        estimate: str = "exact",
        n_walks: int = 1000,
        random_state: int = 0,
    ) -> None:
        self.generator = generator
        self.n_samples = n_samples
        self.groups = groups
        self.prior = prior
        self.estimate = estimate
        self.n_walks = n_walks
        self.random_state = random_state

    def fit(self, graph: Graph, window: int | ArrayLike) -> "FittedSamples":
        """Generate the random graphs.

        Parameters
        ----------
        graph : Graph
            Graph to randomize.
        window : int or array of shape (T,)
            Number of steps T, or one weight for each step.

        Returns
        -------
        FittedSamples
            Window probabilities ``P_0``, averaged over the random graphs.
        """
        n_samples = check_integer("n_samples", self.n_samples, minimum=2)
        prior = check_real("prior", self.prior, minimum=0.0)
        by_walks = check_choice("estimate", self.estimate, ["exact", "walks"]) == "walks"
        n_walks = check_integer("n_walks", self.n_walks, minimum=1)
        seed = check_integer("random_state", self.random_state, minimum=0)
        generate = self._generator(graph)
        samples = [_check_sample(generate(seed + number), graph) for number in range(n_samples)]
        weights = window_weights(window)
        chains = [WindowProbabilities(sample, weights) for sample in samples]
        estimates = (
            [CountedProbabilities(chain, n_walks, seed + number) for number, chain in enumerate(chains)]
            if by_walks
            else chains
        )
        return FittedSamples(graph, chains, estimates, prior, Configuration().fit(graph, weights))

    def _generator(self, graph: Graph) -> Callable[[int], Any]:
        if callable(self.generator):
            return self.generator
        if self.generator not in _BUILT_IN:
            raise InvalidParameterError(
                f"generator must be {', '.join(map(repr, _BUILT_IN))} or a callable that takes a seed; "
                f"got {self.generator!r}."
            )
        if self.generator == "rewire":
            return lambda seed: rewired(graph, seed)
        if self.groups is None:
            raise NullModelError(
                "SampledNull('rewire-groups') needs groups: labels by node id, an array of labels, or the name of a "
                "node attribute."
            )
        codes, _ = group_codes(graph, self.groups)
        return lambda seed: rewired(graph, seed, codes)

    def __repr__(self) -> str:
        name = self.generator if isinstance(self.generator, str) else getattr(self.generator, "__name__", "function")
        return f"SampledNull({name}, n_samples={self.n_samples})"


def _check_sample(sample: Any, graph: Graph) -> Graph:
    random_graph = as_graph(sample, directed=graph.directed)
    if random_graph.n_nodes != graph.n_nodes:
        raise NullModelError(
            f"generator must return graphs with the same {graph.n_nodes} nodes; got a graph with "
            f"{random_graph.n_nodes} nodes."
        )
    return random_graph


def rewired(graph: Graph, seed: int, groups: NDArray[np.int32] | None = None) -> Graph:
    """Return a random graph with the same degrees, generated by edge swaps.

    A simple graph stays simple. Weights move with their edges, so that degrees are preserved exactly and strengths on
    average. Self-loops are not swapped.

    Parameters
    ----------
    graph : Graph
        Graph to rewire, which is not modified.
    seed : int
        Seed of the swaps.
    groups : int array of shape (N,), optional
        Group of each node; if specified, the weight between groups is preserved, too.

    Returns
    -------
    Graph
        Graph with the same node ids, without node attributes.

    Examples
    --------
    >>> from residuum.datasets import karate_club
    >>> from residuum.nulls import rewired
    >>> graph = karate_club()
    >>> bool((rewired(graph, seed=0).out_strength == graph.out_strength).all())
    True
    """
    half = graph.adjacency if graph.directed else sparse.triu(graph.adjacency)
    edges = sparse.coo_array(half)
    loops = edges.row == edges.col
    source, target = (axis[~loops].astype(np.int64) for axis in (edges.row, edges.col))
    codes = np.zeros(graph.n_nodes, dtype=np.int64) if groups is None else groups.astype(np.int64)
    swap_edges(source, target, codes, graph.directed, _TRIES_PER_EDGE * len(source), seed)
    rows = np.concatenate([source, edges.row[loops]])
    columns = np.concatenate([target, edges.col[loops]])
    weights = np.concatenate([edges.data[~loops], edges.data[loops]])
    matrix = sparse.coo_array((weights, (rows, columns)), shape=graph.adjacency.shape)
    if not graph.directed:
        matrix = matrix + matrix.T - sparse.diags_array(matrix.diagonal())
    return Graph(matrix, graph.node_ids, directed=graph.directed)


class FittedSamples(FittedNull):
    """``P_0 = (Σ_s P_s + prior · P_configuration) / (n + prior)``, computed in tiles of rows or columns.

    n is the number of samples in which some walk from the center takes a step that the window counts. The mean skips
    the others, where the center is isolated or every walk ends early, so that its row sums to 1.

    Parameters
    ----------
    graph : Graph
        Graph that the null model is fitted to.
    chains : list of WindowProbabilities
        Random walks on each sample.
    estimates : list of WindowProbabilities or list of CountedProbabilities
        Window probabilities P_s of each sample, exact or counted.
    prior : float
        Weight of the configuration model, in samples.
    configuration : FittedNull
        Fitted configuration model.

    Examples
    --------
    >>> import numpy as np
    >>> from residuum.datasets import karate_club
    >>> from residuum.nulls import SampledNull
    >>> null = SampledNull("rewire", n_samples=5).fit(karate_club(), window=3)
    >>> np.exp(null.log_rows([0, 1])).sum(axis=1).round(4)
    array([1., 1.])
    """

    def __init__(
        self,
        graph: Graph,
        chains: list[WindowProbabilities],
        estimates: Sequence[WindowProbabilities | CountedProbabilities],
        prior: float,
        configuration: FittedNull,
    ) -> None:
        self._chains = chains
        self._estimates = estimates
        self._prior = prior
        self._configuration = configuration
        weight = prior + np.sum([chain.takes_steps for chain in chains], axis=0, dtype=np.float64)
        self._share = np.divide(1.0, weight, out=np.zeros_like(weight), where=weight > 0)
        self.symmetric = not graph.directed and all(
            np.allclose(chain.graph.out_strength, graph.out_strength, rtol=1e-6, atol=0.0) for chain in chains
        )
        self.source_offset = self._configuration.source_offset

    @cached_property
    def offset(self) -> NDArray[np.float64]:  # type: ignore[override] # computed once
        """``ln Σ_i p_i P_0(j | i)``, shape (N,); always computed from exact window probabilities."""
        source = np.exp(self.source_offset) * self._share
        # The rows of the configuration model are all alike.
        total = self._prior * source.sum() * np.exp(self._configuration.offset)
        for chain in self._chains:
            total = total + chain.spread(source)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(total))

    @cached_property
    def standard_error(self) -> float:
        """Standard error of ``P_0`` relative to its mean, estimated from up to 32 columns.

        Centers that count in fewer than two samples are left out; NaN if no center remains.
        """
        chosen = np.random.default_rng(0).choice(len(self.offset), min(_ERROR_COLUMNS, len(self.offset)), replace=False)
        tiles = np.stack([estimate.columns(chosen) for estimate in self._estimates]).astype(np.float64)
        counted = np.stack([chain.takes_steps for chain in self._chains])
        enough = counted.sum(axis=0) > 1
        counted = counted[:, enough, None]
        if not enough.all():
            tiles = tiles[:, enough]
        if not tiles.any():
            return float("nan")
        n_samples = counted.sum(axis=0)
        means = tiles.sum(axis=0) / n_samples
        squares = np.sum((tiles - means) ** 2, axis=0, where=counted) / (n_samples - 1)
        return float(np.sqrt(np.mean(squares / n_samples)) / means.mean())

    def log_columns(self, contexts: ArrayLike) -> NDArray[np.float64]:
        """Return ``ln P_0(j | i)`` for all centers i and some contexts j, shape (N, m)."""
        nodes = np.asarray(contexts)
        total = self._prior * np.exp(self._configuration.log_columns(nodes))
        return _log_mean(total, [estimate.columns(nodes) for estimate in self._estimates], self._share)

    def log_rows(self, centers: ArrayLike) -> NDArray[np.float64]:
        """Return ``ln P_0(j | i)`` for some centers i and all contexts j, shape (m, N)."""
        nodes = np.asarray(centers)
        total = self._prior * np.exp(self._configuration.log_rows(nodes))
        return _log_mean(total, [estimate.rows(nodes) for estimate in self._estimates], self._share[nodes])

    def log_probability(self, rows: ArrayLike, columns: ArrayLike) -> NDArray[np.float64]:
        """Return ``ln P_0(j | i)`` for pairs of nodes."""
        i, j = np.broadcast_arrays(np.asarray(rows), np.asarray(columns))
        contexts, place = np.unique(j, return_inverse=True)
        result = np.empty(i.shape)
        flat, place = result.ravel(), place.ravel()
        for begin in range(0, len(contexts), _COLUMNS_PER_TILE):
            tile = self.log_columns(contexts[begin : begin + _COLUMNS_PER_TILE])
            in_tile = (place >= begin) & (place < begin + _COLUMNS_PER_TILE)
            flat[in_tile] = tile[i.ravel()[in_tile], place[in_tile] - begin]
        return flat.reshape(i.shape)

    def sample(self, centers: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        """Sample one context for each center: the end of a walk on a random sample or the configuration model."""
        nodes = np.asarray(centers)
        share = self._share[nodes]
        choice = rng.random(nodes.shape) * np.divide(1.0, share, out=np.zeros_like(share), where=share > 0)
        contexts = self._configuration.sample(nodes, rng)
        number = np.zeros(nodes.shape)
        for chain in self._chains:
            takes_steps = chain.takes_steps[nodes]
            chosen = takes_steps & (choice >= number) & (choice < number + 1)
            contexts[chosen] = walk_ends(chain, nodes[chosen], rng)
            number += takes_steps
        return contexts


def _log_mean(
    total: NDArray[np.float64], tiles: list[NDArray[np.float32]], share: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the logarithm of the sum of tiles, which is overwritten, with rows multiplied by a share."""
    for tile in tiles:
        total += tile
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(total * share[:, None]))
