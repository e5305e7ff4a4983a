"""Temporal null model, which removes degree and time."""

from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._validation import check_integer
from residuum.errors import InvalidParameterError, NullModelError
from residuum.graph import Bins, Graph, node_numbers
from residuum.graph.attributes import NodeValues, as_numbers
from residuum.graph.graph import attribute_array
from residuum.nulls.grouped import GroupedNull
from residuum.nulls.grouping import BinGroups, Grouping

__all__ = ["Temporal"]

# More distinct times are binned, because groups of few nodes would remove the structure itself.
_MAX_DISTINCT_TIMES = 150
_DEFAULT_BINS = 50


class Temporal(GroupedNull):
    """The dcSBM whose groups are times or bins of times.

    Removes degree and the effects of growth and aging, for example that papers mostly cite recent papers, or that new
    pages outnumber old pages. This is the null model of the residual2vec paper for journal citations. Use it if nodes
    have a time and the vectors must not encode it.

    Parameters
    ----------
    times : str, mapping, pandas Series or array of shape (N,)
        Time of each node, as numbers or time stamps: the name of a node attribute, times by node id, or times in node
        order.
    bins : int or array of shape (B − 1,), optional
        Number of bins with equally many nodes, or the borders between bins. By default each distinct time is a group,
        or 50 bins are used for more than 150 distinct times.

    Examples
    --------
    >>> from residuum.datasets import karate_club
    >>> from residuum.nulls import Temporal
    >>> years = [1970 + node % 4 for node in range(34)]
    >>> Temporal(years).fit(karate_club(), window=10).block_form.n_groups
    4
    """

    name: ClassVar[str] = "temporal"
    removes: ClassVar[str] = "degree and time (years, growth and aging)"
    options: ClassVar[dict[str, str]] = {"time": "times"}

    def __init__(self, times: NodeValues | None = None, bins: int | ArrayLike | None = None) -> None:
        self.times = times
        self.bins = bins

    def groups_of(self, graph: Graph) -> tuple[NDArray[np.int32], Grouping]:
        """Return the time bin of each node."""
        if self.times is None:
            raise NullModelError(
                "Temporal needs times: numbers by node id, an array of numbers, or the name of a node attribute "
                "(on the command line: --time FILE:COLUMN)."
            )
        times = node_numbers(graph, self.times, "times")
        bins = self._bins(times)
        return bins.codes(times), BinGroups(bins)

    def _bins(self, times: NDArray[np.float64]) -> Bins:
        if self.bins is not None and np.ndim(self.bins) > 0:
            borders = as_numbers(attribute_array(self.bins), "bins")
            if borders.ndim != 1 or not np.isfinite(borders).all():
                raise InvalidParameterError(f"bins must be a number or a list of finite borders; got {self.bins!r}.")
            return Bins(np.sort(borders))
        if self.bins is None and len(np.unique(times)) <= _MAX_DISTINCT_TIMES:
            return Bins.distinct(times)
        n_bins = _DEFAULT_BINS if self.bins is None else check_integer("bins", self.bins, minimum=1)
        return Bins.equal_counts(times, n_bins)

    def __repr__(self) -> str:
        return f"Temporal(times={self.times if isinstance(self.times, str) else type(self.times).__name__})"
