"""Configuration model, the null model that removes degree."""

from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._validation import check_real, window_weights
from residuum.graph import Graph
from residuum.nulls.block_form import window_form
from residuum.nulls.block_null import BlockNull

__all__ = ["Configuration"]


class Configuration:
    """``P_0(j | i) = d_j^γ / Σ_l d_l^γ``: walkers reach a node in proportion to a power of its degree.

    Removes degree: two hubs are similar only if walkers connect them more often than their degrees explain. Use it
    unless another bias is known. γ = 1 removes degree completely (NetMF, residual2vec), γ = 0.75 partly (node2vec,
    word2vec), and γ = 0 not at all.

    Parameters
    ----------
    exponent : float, default 1.0
        Exponent γ of the degree, between 0 and 1.

    Examples
    --------
    >>> from residuum.datasets import karate_club
    >>> from residuum.nulls import Configuration
    >>> null = Configuration().fit(karate_club(), window=10)
    >>> null.offset[:3].round(2)
    array([-2.28, -2.85, -2.75])
    """

    name: ClassVar[str] = "configuration"
    removes: ClassVar[str] = "degree; the default"
    options: ClassVar[dict[str, str]] = {"gamma": "exponent"}

    def __init__(self, exponent: float = 1.0) -> None:
        self.exponent = exponent

    def fit(self, graph: Graph, window: int | ArrayLike) -> BlockNull:
        """Fit to a graph: contexts are weighted by in-strength, centers by out-strength.

        Parameters
        ----------
        graph : Graph
            Graph whose degrees the null model keeps.
        window : int or array of shape (T,)
            Number of steps T, or one weight for each step.

        Returns
        -------
        BlockNull
            Window probabilities ``P_0`` in block form, with one group.
        """
        exponent = check_real("exponent", self.exponent, minimum=0.0, maximum=1.0)
        theta, source = (_share(strength, exponent) for strength in (graph.in_strength, graph.out_strength))
        groups = np.zeros(graph.n_nodes, dtype=np.int32)
        form = window_form(groups, theta, np.ones((1, 1)), window_weights(window), graph.out_strength == 0)
        return BlockNull(form, source, symmetric=exponent == 1.0)

    def __repr__(self) -> str:
        return f"Configuration(exponent={self.exponent!r})"


def _share(strength: NDArray[np.float64], exponent: float) -> NDArray[np.float64]:
    """Return ``d^γ / Σ d^γ``, which is 0 where d is 0, also for γ = 0."""
    powers = np.where(strength > 0, strength**exponent, 0.0)
    return np.asarray(powers / powers.sum())
