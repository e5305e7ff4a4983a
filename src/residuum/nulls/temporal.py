"""The temporal null model: what degree and time would lead one to expect."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._validation import check_integer
from residuum.errors import NullModelError
from residuum.graph import Graph
from residuum.nulls.grouped import GroupedNull
from residuum.nulls.groupings import BinGroups, Grouping
from residuum.nulls.labels import node_values

__all__ = ["Temporal"]

# More distinct times than this are binned: groups of a few nodes would take the structure for chance.
_MOST_DISTINCT = 150
_DEFAULT_BINS = 50


class Temporal(GroupedNull):
    """Groups are times or bins of times: ``P_0`` knows degrees and how much each time links to each other.

    It removes what growth and ageing do to a graph: that papers cite the last few years, that there are more new
    pages than old ones. This is the paper's null model for the journal citation graph. Use it whenever nodes have a
    time and you care for what they are about.

    Parameters
    ----------
    times : array of shape (N,), mapping of node id to number, or name of a node attribute
    bins : int or array, optional
        Number of bins with equally many nodes, or the borders between them. By default each distinct time is a group of
        its own, up to 150 of them; more are put into 50 bins.
    """

    def __init__(
        self, times: ArrayLike | Mapping[Any, Any] | str | None = None, bins: int | ArrayLike | None = None
    ) -> None:
        self.times = times
        self.bins = bins

    def groups_of(self, graph: Graph) -> tuple[NDArray[np.int32], Grouping]:
        """Return the bin of each node's time."""
        if self.times is None:
            raise NullModelError(
                "the temporal null needs times: Temporal(times=years) with an array, a dict by node id, or the name "
                "of a node attribute (on the command line: --time FILE:COLUMN)."
            )
        times = number_of_each_node(graph, self.times, "times")
        grouping = BinGroups(self._borders(times))
        return grouping.bins(times), grouping

    def _borders(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        distinct = np.unique(times)
        if self.bins is not None and np.ndim(self.bins) > 0:
            return np.sort(np.asarray(self.bins, dtype=np.float64))
        if self.bins is None and len(distinct) <= _MOST_DISTINCT:
            return np.asarray((distinct[1:] + distinct[:-1]) / 2)
        count = _DEFAULT_BINS if self.bins is None else check_integer("bins", self.bins, minimum=1)
        return np.unique(np.quantile(times, np.linspace(0, 1, count + 1)[1:-1]))

    def __repr__(self) -> str:
        shown = self.times if isinstance(self.times, str) else type(self.times).__name__
        return f"Temporal(times={shown})"


def number_of_each_node(graph: Graph, values: ArrayLike | Mapping[Any, Any] | str, name: str) -> NDArray[np.float64]:
    """Return one finite number for each node, or name the first node that has none."""
    given = node_values(graph, values, name)
    try:
        numbers = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise NullModelError(f"{name} must be numbers; got values such as {given.tolist()[0]!r}.") from None
    bad = ~np.isfinite(numbers)
    if bad.any():
        node = graph.node_ids.tolist()[int(np.flatnonzero(bad)[0])]
        raise NullModelError(
            f"{name} must be a finite number for every node; node {node!r} has none ({int(bad.sum())} such in all)."
        )
    return numbers
