"""Bipartite null model, which removes degree and the two sides."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum.errors import NullModelError
from residuum.graph import Graph, Labels, group_codes, two_sides
from residuum.graph.attributes import NodeValues
from residuum.nulls.grouped import GroupedNull
from residuum.nulls.grouping import Grouping, LabelGroups

__all__ = ["Bipartite"]


class Bipartite(GroupedNull):
    """The dcSBM whose groups are the two sides of a bipartite graph.

    Walkers change sides at every step, so any two nodes of the same side look similar, and with the configuration
    model the vectors mostly encode the side. This null model removes degree and side. Use it for users and items,
    authors and papers, actors and films. Out-of-sample nodes are assigned to the side opposite to most of their
    neighbors.

    Parameters
    ----------
    sides : str, mapping, pandas Series or array of shape (N,), optional
        Side of each node: the name of a node attribute, sides by node id, or sides in id order. By default the sides
        are detected, which requires that every cycle of the graph is even.

    Examples
    --------
    >>> import numpy as np
    >>> from residuum import Graph
    >>> from residuum.nulls import Bipartite
    >>> graph = Graph([[0, 0, 1, 1], [0, 0, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]])
    >>> null = Bipartite().fit(graph, window=1)
    >>> np.exp(null.log_rows([0])).round(2)
    array([[0.  , 0.  , 0.67, 0.33]])
    """

    name: ClassVar[str] = "bipartite"
    removes: ClassVar[str] = "degree and the two sides (users and items, authors and papers)"
    options: ClassVar[dict[str, str]] = {"groups": "sides"}

    def __init__(self, sides: NodeValues | None = None) -> None:
        self.sides = sides

    def groups_of(self, graph: Graph) -> tuple[NDArray[np.int32], Grouping]:
        """Return the side of each node."""
        if self.sides is None:
            codes = two_sides(graph)
            if codes is None:
                raise NullModelError(
                    "the graph is not bipartite: it has an odd cycle or a self-loop. Use Bipartite(sides=labels) to "
                    "allow edges within a side, or choose another null model."
                )
            return codes, Sides(Labels(np.array([0, 1])), codes, detected=True)
        codes, labels = group_codes(graph, self.sides, "sides")
        if len(labels) != 2:
            raise NullModelError(
                f"sides must have exactly two distinct labels; got {len(labels)}: {labels.values[:5].tolist()}."
            )
        return codes, Sides(labels, codes, detected=False)

    def __repr__(self) -> str:
        return "Bipartite()" if self.sides is None else "Bipartite(sides=...)"


@dataclass(frozen=True)
class Sides(LabelGroups):
    """Groups of the two sides; an out-of-sample node without a label is opposite to most of its neighbors."""

    codes: NDArray[np.int32]
    detected: bool

    @property
    def n_columns(self) -> int:
        """0 if the sides are detected, 1 if the user specified them."""
        return int(not self.detected)

    def codes_of(self, values: ArrayLike | None, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
        """Return the sides of out-of-sample nodes."""
        if values is not None:
            return super().codes_of(values, edges)
        to_second = np.asarray(edges @ self.codes.astype(np.float64)).ravel()
        return (to_second < np.asarray(edges.sum(axis=1)).ravel() / 2).astype(np.int32)
