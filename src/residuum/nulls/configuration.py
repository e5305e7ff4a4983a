"""The configuration model: what degree alone would lead one to expect."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._validation import check_real, window_weights
from residuum.errors import InvalidParameterError
from residuum.graph import Graph, Teleport
from residuum.nulls.block_null import BlockNull
from residuum.nulls.blocks import window_blocks

__all__ = ["Configuration"]


class Configuration:
    """``P_0(j | i) = d_j^γ / Σ_l d_l^γ``: chance leads to a node in proportion to its degree.

    It removes degree: two hubs are similar only if walkers join them more often than their degrees explain.
    Use it unless you know of another bias. γ = 1 fits the degree exactly (NetMF, residual2vec); γ = 0.75 is what
    node2vec and word2vec assume, which removes only a part; γ = 0 removes nothing.

    Parameters
    ----------
    exponent : float or "auto", default 1.0
        γ, between 0 and 1. With "auto" :class:`residuum.Residual2Vec` takes the one of 1, 0.75, 0.5 and 0.25 with which
        it finds hidden edges best, so that a part of the degree may stay in the vectors.

    Examples
    --------
    >>> from residuum import Graph
    >>> null = Configuration().fit(Graph([[0, 1, 1], [1, 0, 0], [1, 0, 0]]), window=10)
    >>> null.offset.round(3)
    array([-0.693, -1.386, -1.386])
    """

    def __init__(self, exponent: float | str = 1.0) -> None:
        self.exponent = exponent

    def fit(self, graph: Graph, window: int | ArrayLike, teleport: Teleport | None = None) -> BlockNull:
        """Fit to a graph: in-strengths lead walkers in, out-strengths weigh the centres."""
        if self.exponent == "auto":
            raise InvalidParameterError(
                "exponent='auto' is for Residual2Vec, which takes the number that finds hidden edges best; here give a "
                "number between 0 and 1."
            )
        exponent = check_real("exponent", self.exponent, minimum=0.0, maximum=1.0)
        theta, source = (_share(strength, exponent) for strength in (graph.in_strength, graph.out_strength))
        blocks = window_blocks(
            np.zeros(graph.n_nodes, dtype=np.int32), theta, np.ones((1, 1)), window_weights(window), teleport
        )
        return BlockNull(blocks, source, symmetric=exponent == 1.0)

    def __repr__(self) -> str:
        return f"Configuration(exponent={self.exponent!r})"


def _share(strength: NDArray[np.float64], exponent: float) -> NDArray[np.float64]:
    """Return ``d^γ / Σ d^γ``, and 0 where d is 0, for γ = 0 too."""
    powers = np.where(strength > 0, strength**exponent, 0.0)
    return np.asarray(powers / powers.sum())
