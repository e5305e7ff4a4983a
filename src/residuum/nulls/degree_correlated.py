"""Degree-correlated null model, which removes degree and degree correlations."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from residuum._validation import check_real
from residuum.graph import Bins, Graph
from residuum.nulls.grouped import GroupedNull
from residuum.nulls.grouping import BinGroups, Grouping, StrengthGroups, product_groups

__all__ = ["DegreeCorrelated"]


class DegreeCorrelated(GroupedNull):
    """The dcSBM whose groups are bins of the degree.

    Removes degree and degree correlations: that hubs link to hubs (assortative, as in social networks) or to leaves
    (disassortative, as in the internet). Use it if ``residuum diagnose`` reports a degree assortativity that the
    vectors must not encode. Nodes of a directed graph are binned by out-degree and in-degree.

    Parameters
    ----------
    ratio : float, default 2.0
        Ratio of the upper to the lower bound of each bin, at least 1.01.

    Examples
    --------
    >>> from residuum.datasets import karate_club
    >>> from residuum.nulls import DegreeCorrelated
    >>> null = DegreeCorrelated().fit(karate_club(), window=10)
    >>> null.block_form.n_groups
    5
    """

    name: ClassVar[str] = "degree-correlated"
    removes: ClassVar[str] = "degree and degree correlations (hubs linked to hubs or to leaves)"
    options: ClassVar[dict[str, str]] = {}

    def __init__(self, ratio: float = 2.0) -> None:
        self.ratio = ratio

    def groups_of(self, graph: Graph) -> tuple[NDArray[np.int32], Grouping]:
        """Return the degree bin of each node."""
        ratio = check_real("ratio", self.ratio, minimum=1.01)
        out_bins = _degree_bins(graph.out_strength, ratio)
        codes = out_bins.codes(graph.out_strength)
        if not graph.directed:
            return codes, StrengthGroups(out_bins)
        # The edges of an out-of-sample node are out-edges, so the user must specify its in-degree.
        in_bins = _degree_bins(graph.in_strength, ratio)
        return product_groups((codes, StrengthGroups(out_bins)), (in_bins.codes(graph.in_strength), BinGroups(in_bins)))

    def __repr__(self) -> str:
        return f"DegreeCorrelated(ratio={self.ratio:g})"


def _degree_bins(strength: NDArray[np.float64], ratio: float) -> Bins:
    """Return bins with geometric borders from the smallest positive degree, independent of the scale of weights."""
    smallest, largest = strength[strength > 0].min(), strength.max()
    count = int(np.floor(np.log(largest / smallest) / np.log(ratio) + 1e-9))
    # Slightly below the powers of the ratio, so that rounding does not move a degree that is an exact power.
    return Bins(smallest * ratio ** np.arange(1, count + 1) * (1 - 1e-6))
