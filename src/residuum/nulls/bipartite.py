"""The bipartite null model: what degree and the two sides would lead one to expect."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum.errors import NullModelError
from residuum.graph import Graph, node_sides
from residuum.nulls.grouped import GroupedNull
from residuum.nulls.groupings import Grouping, LabelGroups
from residuum.nulls.labels import group_codes

__all__ = ["Bipartite", "two_sides"]


class Bipartite(GroupedNull):
    """Groups are the two sides of a bipartite graph: ``P_0`` knows degrees and that edges cross.

    A walker changes sides at every step, so that users are near users and items near items whatever they are; with the
    configuration null the vectors mostly say on which side a node is. This null removes that. Use it for users and
    items, authors and papers, actors and films. New nodes are on the other side from their neighbours.

    Parameters
    ----------
    sides : array of shape (N,), mapping of node id to side, or name of a node attribute, optional
        By default the sides are found: a graph has two if every cycle is even.
    """

    def __init__(self, sides: ArrayLike | Mapping[Any, Any] | str | None = None) -> None:
        self.sides = sides

    def groups_of(self, graph: Graph) -> tuple[NDArray[np.int32], Grouping]:
        """Return the side of each node."""
        if self.sides is None:
            codes = two_sides(graph)
            if codes is None:
                raise NullModelError(
                    "the graph is not bipartite: it has an odd cycle (or a self-loop). Give the sides yourself, "
                    "Bipartite(sides=labels), if a few edges inside a side are meant; else take another null model."
                )
            return codes, _Sides(np.array([0, 1]), codes, given=False)
        codes, labels = group_codes(graph, self.sides)
        if len(labels) != 2:
            raise NullModelError(f"a bipartite graph has two sides; got {len(labels)} labels, {labels[:5].tolist()}.")
        return codes, _Sides(labels, codes, given=True)

    def __repr__(self) -> str:
        return "Bipartite()" if self.sides is None else "Bipartite(sides=given)"


@dataclass(frozen=True)
class _Sides(LabelGroups):
    """Two labels; a newcomer without one is opposite to most of its neighbours."""

    codes: NDArray[np.int32]
    given: bool

    @property
    def n_columns(self) -> int:
        """One label if the sides were given; edges tell those that were found."""
        return int(self.given)

    def codes_of(self, values: ArrayLike | None, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
        """Return the side of each newcomer."""
        if values is not None:
            return super().codes_of(values, edges)
        to_second = np.asarray(edges @ self.codes.astype(np.float64)).ravel()
        return (to_second < np.asarray(edges.sum(axis=1)).ravel() / 2).astype(np.int32)


def two_sides(graph: Graph) -> NDArray[np.int32] | None:
    """Return the side of each node, 0 or 1, or None if the graph has an odd cycle.

    The first node of every component is on side 0; directions do not matter.
    """
    side = node_sides(graph)
    return None if bool((side < 0).any()) else side
