"""What a null model must keep, as a check that third parties can run on theirs."""

import numpy as np
from numpy.typing import NDArray

from residuum.graph import Graph, resolve_teleport
from residuum.nulls import FittedNull, NullModel
from residuum.residual import ResidualMatrix
from residuum.walks import WindowProbabilities

__all__ = ["check_null_model"]


def check_null_model(
    null_model: NullModel, graph: Graph, *, window: int = 4, n_draws: int = 20_000, random_state: int = 0
) -> None:
    """Check that a null model keeps the contract on a graph; raise an AssertionError that says what is broken.

    - ``fit`` returns all that :class:`residuum.nulls.FittedNull` names, and leaves the graph alone;
    - ``log_probability`` broadcasts, and rows of ``P_0`` sum to 1 for every node that has edges;
    - ``offset`` is the log of the marginal ``Σ_i p_i P_0(j | i)`` with ``ln p = source_offset``;
    - ``sample`` draws only contexts that ``P_0`` allows, in their frequencies, and the same with the same seed;
    - ``symmetric`` is true only if ``P_d / P_0`` is symmetric;
    - ``blocks``, if there are any, give the same probabilities.

    Parameters
    ----------
    null_model : NullModel
    graph : Graph
        A small one: all pairs of nodes are looked at.
    window : int
    n_draws : int
        Samples for the test of frequencies.
    random_state : int

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> check_null_model(Configuration(), datasets.karate_club())
    """
    before = graph.adjacency.copy()
    teleport = resolve_teleport(graph, None)
    null = null_model.fit(graph, window, teleport)
    assert isinstance(null, FittedNull), (
        f"fit must return an object with offset, source_offset, blocks, symmetric, log_probability and sample; "
        f"{type(null).__name__} misses {[n for n in _NAMES if not hasattr(null, n)]}"
    )
    assert abs(before - graph.adjacency).nnz == 0, "fit must not change the graph"
    everyone = np.arange(graph.n_nodes)
    active = (graph.out_strength > 0) | (graph.in_strength > 0)
    probability = np.exp(null.log_probability(everyone[:, None], everyone[None, :]))
    assert probability.shape == (graph.n_nodes, graph.n_nodes), "log_probability must broadcast rows against columns"
    pairs = np.exp(null.log_probability(everyone, everyone[::-1]))
    assert np.allclose(pairs, probability[everyone, everyone[::-1]]), "log_probability of pairs and of a block differ"
    _check_sums(null, probability, active)
    _check_samples(null, probability, active, n_draws, random_state)
    _check_symmetry(null, graph, window, probability)
    _check_blocks(null, probability, active)


_NAMES = ("offset", "source_offset", "blocks", "symmetric", "log_probability", "sample")


def _check_sums(null: FittedNull, probability: NDArray[np.float64], active: NDArray[np.bool_]) -> None:
    mask = active
    total = probability[mask].sum(axis=1)
    worst = int(np.argmax(np.abs(total - 1)))
    assert np.allclose(total, 1.0, atol=1e-5), f"rows of P_0 must sum to 1; one sums to {total[worst]:.6f}"
    source = np.exp(null.source_offset)
    assert np.isclose(source.sum(), 1.0, atol=1e-6), f"exp(source_offset) must sum to 1; it sums to {source.sum():.6f}"
    marginal = source[mask] @ probability[mask]
    found = np.exp(null.offset)
    assert np.allclose(found, marginal, rtol=1e-4, atol=1e-9), "offset must be the log of Σ_i p_i P_0(j | i)"


def _check_samples(
    null: FittedNull,
    probability: NDArray[np.float64],
    active: NDArray[np.bool_],
    n_draws: int,
    random_state: int,
) -> None:
    center = int(np.flatnonzero(active)[0])
    centers = np.full(n_draws, center)
    draws = null.sample(centers, np.random.default_rng(random_state))
    again = null.sample(centers, np.random.default_rng(random_state))
    assert np.array_equal(draws, again), "sample must give the same contexts for the same seed"
    frequency = np.bincount(draws, minlength=len(probability)) / n_draws
    assert not frequency[probability[center] == 0].any(), "sample drew a context of probability zero"
    # Five standard deviations, and one draw for those that are rare.
    allowed = 5 * np.sqrt(probability[center] / n_draws) + 2 / n_draws
    worst = int(np.argmax(np.abs(frequency - probability[center]) - allowed))
    assert (np.abs(frequency - probability[center]) <= allowed).all(), (
        f"sample drew node {worst} with frequency {frequency[worst]:.4f}, but P_0 says {probability[center, worst]:.4f}"
    )


def _check_symmetry(null: FittedNull, graph: Graph, window: int, probability: NDArray[np.float64]) -> None:
    if not null.symmetric or graph.directed:
        return
    matrix = ResidualMatrix(WindowProbabilities(graph, window), null, floor=-5.0)
    observed = matrix.probabilities.rows(np.arange(graph.n_nodes))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(probability > 0, observed / probability, 0.0)
    assert np.allclose(ratio, ratio.T, rtol=1e-3, atol=1e-6), "symmetric is true, but P_d / P_0 is not symmetric"


def _check_blocks(null: FittedNull, probability: NDArray[np.float64], active: NDArray[np.bool_]) -> None:
    blocks = null.blocks
    if blocks is None:
        return
    rebuilt = blocks.theta * blocks.weights[blocks.row_groups][:, blocks.groups]
    if blocks.target is not None and blocks.jump is not None:
        rebuilt = rebuilt + np.outer(blocks.jump[blocks.row_groups], blocks.target)
    mask = active
    assert np.allclose(rebuilt[mask], probability[mask], rtol=1e-6, atol=1e-12), (
        "blocks must give the same probabilities as log_probability"
    )
