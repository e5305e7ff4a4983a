"""Null models that can only be drawn: their window probabilities are means over samples."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._validation import check_choice, check_integer, check_real, window_weights
from residuum.errors import InvalidParameterError, NullModelError
from residuum.graph import Graph, Teleport, as_graph, resolve_teleport
from residuum.nulls.base import FittedNull
from residuum.nulls.configuration import Configuration
from residuum.nulls.labels import group_codes
from residuum.nulls.rewiring import rewired
from residuum.walks import WalkedProbabilities, WindowProbabilities

__all__ = ["SampledNull"]

_BUILT_IN = ("rewire", "rewire-groups")
_ERROR_COLUMNS = 32
_AT_ONCE = 256


class SampledNull:
    """``P_0`` of any generator of graphs: the mean window probability over ``n_samples`` draws.

    It removes whatever the generator keeps. ``"rewire"`` keeps the degrees of a simple graph (edge swaps): unlike the
    configuration model it allows no self-loops and no parallel edges, which matters where hubs are large. Use it, or a
    generator of your own, when no formula describes what chance knows.

    Parameters
    ----------
    generator : "rewire", "rewire-groups" or callable
        Built in: degree-preserving rewiring, and the same inside groups. A callable takes a seed and returns a graph
        on the same nodes, in the same order.
    n_samples : int, default 10
    groups : labels, optional
        For ``"rewire-groups"``.
    prior : float, default 1.0
        Pairs that no sample joins would have probability zero. The mean is taken with this many further samples of the
        configuration model, whose weight vanishes as ``n_samples`` grows.
    estimate : "exact" or "walks", default "exact"
        How the window probabilities of a sample are had: every step for every walker (tiles of T sparse products), or
        counted on ``n_walks`` walks from each node, which is noisier, and cheaper where samples are many or dense.
    n_walks : int, default 1000
        For ``estimate="walks"``: walkers from each node in each sample.
    random_state : int, default 0
    """

    def __init__(
        self,
        generator: str | Callable[[int], Any] = "rewire",
        n_samples: int = 10,
        groups: ArrayLike | Mapping[Any, Any] | str | None = None,
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

    def fit(self, graph: Graph, window: int | ArrayLike, teleport: Teleport | None = None) -> "FittedSamples":
        """Draw the samples."""
        n_samples = check_integer("n_samples", self.n_samples, minimum=2)
        prior = check_real("prior", self.prior, minimum=0.0)
        by_walks = check_choice("estimate", self.estimate, ["exact", "walks"]) == "walks"
        n_walks = check_integer("n_walks", self.n_walks, minimum=1)
        first = check_integer("random_state", self.random_state, minimum=0)
        draw = self._generator(graph)
        samples = [_checked(draw(first + number), graph) for number in range(n_samples)]
        jump = None if teleport is None else (teleport.base_probability, teleport.target)
        teleports = [None if jump is None else resolve_teleport(sample, jump) for sample in samples]
        weights = window_weights(window)
        chains = [WindowProbabilities(sample, weights, one) for sample, one in zip(samples, teleports, strict=True)]
        estimates = (
            [WalkedProbabilities(chain, n_walks, first + number) for number, chain in enumerate(chains)]
            if by_walks
            else chains
        )
        return FittedSamples(graph, chains, estimates, prior, Configuration().fit(graph, weights, teleport))

    def _generator(self, graph: Graph) -> Callable[[int], Any]:
        if callable(self.generator):
            return self.generator
        if self.generator not in _BUILT_IN:
            raise InvalidParameterError(
                f"generator must be a function of a seed or one of {', '.join(map(repr, _BUILT_IN))}; "
                f"got {self.generator!r}."
            )
        if self.generator == "rewire":
            return lambda seed: rewired(graph, seed)
        if self.groups is None:
            raise NullModelError("SampledNull('rewire-groups') needs groups.")
        codes, _ = group_codes(graph, self.groups)
        return lambda seed: rewired(graph, seed, codes)

    def __repr__(self) -> str:
        name = self.generator if isinstance(self.generator, str) else getattr(self.generator, "__name__", "function")
        return f"SampledNull({name}, n_samples={self.n_samples})"


def _checked(sample: Any, graph: Graph) -> Graph:
    drawn = as_graph(sample, directed=graph.directed)
    if drawn.n_nodes != graph.n_nodes:
        raise NullModelError(
            f"the generator must return graphs on the same {graph.n_nodes} nodes; got one of {drawn.n_nodes}."
        )
    return drawn


class FittedSamples:
    """The mean over samples, computed for whole columns or rows at a time.

    Parameters
    ----------
    graph : Graph
    chains : list of WindowProbabilities
        The walkers of each sample.
    estimates : list of WindowProbabilities or of WalkedProbabilities
        Their window probabilities.
    prior : float
    configuration : FittedNull
        What stands behind the prior.
    """

    blocks = None

    def __init__(
        self,
        graph: Graph,
        chains: list[WindowProbabilities],
        estimates: Sequence[WindowProbabilities | WalkedProbabilities],
        prior: float,
        configuration: FittedNull,
    ) -> None:
        self._chains = chains
        self._estimates = estimates
        self._prior = prior
        self._configuration = configuration
        self._n_nodes = graph.n_nodes
        self.symmetric = not graph.directed and all(
            np.allclose(chain.graph.out_strength, graph.out_strength, rtol=1e-6) for chain in chains
        )
        self.source_offset = self._configuration.source_offset

    @cached_property
    def offset(self) -> NDArray[np.float64]:
        """``ln Σ_i p_i P_0(j | i)``: the sources' distribution, walked through every sample."""
        source = np.exp(self.source_offset)
        total = self._prior * np.exp(self._configuration.offset)
        for chain in self._chains:
            # One step from the sources, then on: the same as the mean over sources of the rows.
            total = total + chain.spread(source)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(total / (len(self._chains) + self._prior)))

    @cached_property
    def standard_error(self) -> float:
        """Standard error of ``P_0``, relative to its mean, over a sample of columns."""
        chosen = np.random.default_rng(0).choice(self._n_nodes, min(_ERROR_COLUMNS, self._n_nodes), replace=False)
        draws = np.stack([one.columns(chosen) for one in self._estimates]).astype(np.float64)
        spread = draws.std(axis=0, ddof=1) / np.sqrt(len(draws))
        return float(np.sqrt(np.mean(spread**2)) / draws.mean())

    def log_columns(self, columns: ArrayLike) -> NDArray[np.float64]:
        """Return ``ln P_0(j | i)`` for every centre i and the given targets j, shape (N, m)."""
        targets = np.asarray(columns)
        total = self._prior * np.exp(
            self._configuration.log_probability(np.arange(self._n_nodes)[:, None], targets[None, :])
        )
        return self._log_mean(total, [one.columns(targets) for one in self._estimates])

    def log_rows(self, rows: ArrayLike) -> NDArray[np.float64]:
        """Return ``ln P_0(j | i)`` for the given centres i and every target j, shape (m, N)."""
        centers = np.asarray(rows)
        total = self._prior * np.exp(
            self._configuration.log_probability(centers[:, None], np.arange(self._n_nodes)[None, :])
        )
        return self._log_mean(total, [one.rows(centers) for one in self._estimates])

    def _log_mean(self, total: NDArray[np.float64], draws: list[NDArray[np.float32]]) -> NDArray[np.float64]:
        for draw in draws:
            total += draw
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(total / (len(draws) + self._prior)))

    def log_probability(self, rows: ArrayLike, columns: ArrayLike) -> NDArray[np.float64]:
        """Return ``ln P_0(columns | rows)``, broadcasting the two index arrays against each other."""
        i, j = np.broadcast_arrays(np.asarray(rows), np.asarray(columns))
        targets, place = np.unique(j, return_inverse=True)
        result = np.empty(i.shape)
        flat, place = result.ravel(), place.ravel()
        for begin in range(0, len(targets), _AT_ONCE):
            block = self.log_columns(targets[begin : begin + _AT_ONCE])
            here = (place >= begin) & (place < begin + _AT_ONCE)
            flat[here] = block[i.ravel()[here], place[here] - begin]
        return flat.reshape(i.shape)

    def sample(self, centers: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw one context for each centre: a walk of a random length in a random sample."""
        nodes = np.asarray(centers)
        which = rng.random(nodes.shape) * (len(self._chains) + self._prior)
        contexts = self._configuration.sample(nodes, rng)
        for number, chain in enumerate(self._chains):
            here = (which >= number) & (which < number + 1)
            contexts[here] = chain.walk_ends(nodes[here], rng)
        return contexts
