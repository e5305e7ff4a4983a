"""Checks for null models defined outside of residuum."""

import numpy as np
from numpy.typing import NDArray

from residuum.graph import Graph
from residuum.nulls import FittedNull, NullModel
from residuum.walks import WindowProbabilities

__all__ = ["check_null_model"]

Probability = NDArray[np.float64]


def check_null_model(
    null_model: NullModel, graph: Graph, *, window: int = 4, n_draws: int = 20_000, random_state: int = 0
) -> None:
    """Check that a null model is consistent with its interface on a graph.

    - ``fit`` returns a :class:`residuum.nulls.FittedNull` and does not modify the graph.
    - ``log_probability`` broadcasts, the rows of ``P_0`` of nodes with out-edges sum to 1, and ``log_rows`` and
      ``log_columns`` return the same probabilities.
    - ``offset`` is the log of the marginal ``Σ_i p_i P_0(j | i)``, where ``ln p = source_offset``.
    - ``sample`` returns contexts with the frequencies of ``P_0``, and the same contexts for the same seed.
    - ``symmetric`` is true only if ``P_d / P_0`` is symmetric.
    - ``block_form``, if not None, has the same probabilities.

    Parameters
    ----------
    null_model : NullModel
        Unfitted null model.
    graph : Graph
        Small graph; the check uses dense arrays of shape (N, N).
    window : int, default 4
        Number of steps T, with equal weights.
    n_draws : int, default 20_000
        Number of contexts sampled to check the frequencies.
    random_state : int, default 0
        Seed of the samples.

    Raises
    ------
    AssertionError
        If a check fails; the message names the check.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> check_null_model(Configuration(), datasets.karate_club())
    """
    before = graph.adjacency.copy()
    null = null_model.fit(graph, window)
    assert isinstance(null, FittedNull), f"fit must return a FittedNull; got {type(null).__name__}"
    assert abs(before - graph.adjacency).nnz == 0, "fit must not change the graph"
    nodes = np.arange(graph.n_nodes)
    active = graph.out_strength > 0
    probability = np.exp(null.log_probability(nodes[:, None], nodes[None, :]))
    _check_shapes(null, probability)
    _check_sums(null, probability, active)
    _check_samples(null, probability, active, n_draws, random_state)
    if null.symmetric and not graph.directed:
        _check_symmetry(WindowProbabilities(graph, window).rows(nodes), probability)
    _check_block_form(null, probability, active)


def _check_shapes(null: FittedNull, probability: Probability) -> None:
    nodes = np.arange(len(probability))
    assert probability.shape == (len(nodes), len(nodes)), "log_probability must broadcast rows against columns"
    pairs = np.exp(null.log_probability(nodes, nodes[::-1]))
    assert np.allclose(pairs, probability[nodes, nodes[::-1]]), "log_probability of pairs and of a matrix differ"
    part = nodes[::3]
    assert np.allclose(np.exp(null.log_columns(part)), probability[:, part]), "log_columns and log_probability differ"
    assert np.allclose(np.exp(null.log_rows(part)), probability[part]), "log_rows and log_probability differ"


def _check_sums(null: FittedNull, probability: Probability, active: NDArray[np.bool_]) -> None:
    total = probability[active].sum(axis=1)
    worst = int(np.argmax(np.abs(total - 1)))
    assert np.allclose(total, 1.0, atol=1e-5), f"rows of P_0 must sum to 1; a row sums to {total[worst]:.6f}"
    source = np.exp(null.source_offset)
    assert np.isclose(source.sum(), 1.0, atol=1e-6), f"exp(source_offset) must sum to 1; got {source.sum():.6f}"
    marginal = source @ probability
    assert np.allclose(np.exp(null.offset), marginal, rtol=1e-4, atol=1e-9), (
        "offset must be the log of Σ_i p_i P_0(j | i)"
    )


def _check_samples(
    null: FittedNull, probability: Probability, active: NDArray[np.bool_], n_draws: int, random_state: int
) -> None:
    center = int(np.flatnonzero(active)[0])
    centers = np.full(n_draws, center)
    draws = null.sample(centers, np.random.default_rng(random_state))
    again = null.sample(centers, np.random.default_rng(random_state))
    assert np.array_equal(draws, again), "sample must return the same contexts for the same seed"
    frequency = np.bincount(draws, minlength=len(probability)) / n_draws
    assert not frequency[probability[center] == 0].any(), "sample returned a context with P_0 = 0"
    # Five standard deviations, and two samples for rare contexts.
    allowed = 5 * np.sqrt(probability[center] / n_draws) + 2 / n_draws
    worst = int(np.argmax(np.abs(frequency - probability[center]) - allowed))
    assert (np.abs(frequency - probability[center]) <= allowed).all(), (
        f"sample returned node {worst} with frequency {frequency[worst]:.4f}; P_0 is {probability[center, worst]:.4f}"
    )


def _check_symmetry(observed: NDArray[np.float32], probability: Probability) -> None:
    ratio = np.divide(observed, probability, out=np.zeros_like(probability), where=probability > 0)
    assert np.allclose(ratio, ratio.T, rtol=1e-3, atol=1e-6), "symmetric is true, but P_d / P_0 is not symmetric"


def _check_block_form(null: FittedNull, probability: Probability, active: NDArray[np.bool_]) -> None:
    if null.block_form is None:
        return
    rows = null.block_form.rows_of_groups(null.block_form.groups)
    assert np.allclose(rows[active], probability[active], rtol=1e-6, atol=1e-12), (
        "block_form and log_probability differ"
    )
