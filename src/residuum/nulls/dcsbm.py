"""The degree-corrected stochastic block model: what degree and a label would lead one to expect."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum.errors import NullModelError
from residuum.graph import Graph
from residuum.nulls.grouped import GroupedNull
from residuum.nulls.groupings import Grouping, LabelGroups
from residuum.nulls.labels import group_codes

__all__ = ["DegreeCorrectedSBM"]


class DegreeCorrectedSBM(GroupedNull):
    """``P_0(j | i) = d_j / D_{g_j} · (Σ_t w_t P_SBMᵗ)[g_i, g_j]``: chance knows degrees and groups.

    ``P_SBM[g, g']`` is the share of the edges of group g that lead to g', D_g the total degree of g. It removes
    degree and the mixing of the groups: that people of one gender, country or year know each other more often.
    Use it for any label whose part in the structure is known or unwanted. With one group it equals
    :class:`Configuration`.

    Parameters
    ----------
    groups : array of shape (N,), mapping of node id to label, or name of a node attribute
        The label of each node. Labels of any kind; a missing one is an error.

    Examples
    --------
    >>> from residuum import Graph
    >>> graph = Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]], node_ids=["a", "b", "c"])
    >>> null = DegreeCorrectedSBM({"a": "end", "b": "middle", "c": "end"}).fit(graph, window=1)
    >>> null.log_probability(0, [0, 1]).round(3)
    array([-inf,   0.])
    """

    def __init__(self, groups: ArrayLike | Mapping[Any, Any] | str | None = None) -> None:
        self.groups = groups

    def groups_of(self, graph: Graph) -> tuple[NDArray[np.int32], Grouping]:
        """Return the group of each node's label."""
        if self.groups is None:
            raise NullModelError(
                f"{type(self).__name__} needs groups: an array, a dict by node id, or the name of a node attribute "
                "(on the command line: --groups FILE:COLUMN)."
            )
        codes, labels = group_codes(graph, self.groups)
        return codes, LabelGroups(labels)

    def __repr__(self) -> str:
        shown = self.groups if isinstance(self.groups, str) else type(self.groups).__name__
        return f"{type(self).__name__}(groups={shown})"
