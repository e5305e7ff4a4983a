"""The degree-correlated null model: what degree and the company it keeps would lead one to expect."""

import numpy as np
from numpy.typing import NDArray

from residuum._validation import check_real
from residuum.graph import Graph
from residuum.nulls.grouped import GroupedNull
from residuum.nulls.groupings import BinGroups, Grouping, StrengthGroups, product_groups

__all__ = ["DegreeCorrelated"]


class DegreeCorrelated(GroupedNull):
    """Groups are bins of the degree: ``P_0`` knows degrees and which degrees are joined.

    It removes degree and degree–degree correlation: that hubs link to hubs (assortative, as in social graphs) or to
    leaves (disassortative, as in the internet). Use it when ``residuum diagnose`` shows an assortativity by degree that
    you do not want in the vectors. Nodes of a directed graph are binned by out- and in-degree.

    Parameters
    ----------
    ratio : float, default 2.0
        The largest degree of a bin is this many times the smallest.
    """

    def __init__(self, ratio: float = 2.0) -> None:
        self.ratio = ratio

    def groups_of(self, graph: Graph) -> tuple[NDArray[np.int32], Grouping]:
        """Return the bin of each node's degree."""
        ratio = check_real("ratio", self.ratio, minimum=1.01)
        leaving = _degree_bins(graph.out_strength, ratio)
        codes = leaving.bins(graph.out_strength)
        if not graph.directed:
            return codes, StrengthGroups(leaving)
        # A newcomer is known by its out-edges alone; as a target it has no degree yet.
        arriving = _degree_bins(graph.in_strength, ratio)
        return product_groups((codes, StrengthGroups(leaving)), (arriving.bins(graph.in_strength), arriving))

    def __repr__(self) -> str:
        return f"DegreeCorrelated(ratio={self.ratio:g})"


def _degree_bins(strength: NDArray[np.float64], ratio: float) -> BinGroups:
    """Return borders in a geometric row from the smallest positive degree, so that the unit of weight is the same."""
    smallest, largest = strength[strength > 0].min(), strength.max()
    count = int(np.floor(np.log(largest / smallest) / np.log(ratio) + 1e-9))
    # A little below the powers, so that a degree that is exactly one falls on the same side in any unit.
    return BinGroups(smallest * ratio ** np.arange(1, count + 1) * (1 - 1e-6))
