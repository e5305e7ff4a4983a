"""How attributes are erased: projected out of the matrix, subtracted as a trend, or by moving groups of vectors."""

from dataclasses import dataclass
from typing import Any

from residuum.graph import Graph
from residuum.nulls import FittedNull
from residuum.residual import Cells, Erasure, build_cells, build_erasure, erases_trend, label_cells

__all__ = ["ErasurePlan", "plan_erasure"]


@dataclass(frozen=True)
class ErasurePlan:
    """Steps of an erasure.

    Attributes
    ----------
    erasure : Erasure or None
        Erased attributes, if any.
    level : {"linear", "distribution"}
        Level of erasure.
    by_trend : bool
        Whether the trend of the attributes is subtracted from the vectors, and nothing else is done.
    """

    erasure: Erasure | None
    level: str
    by_trend: bool

    @property
    def keeps_means(self) -> bool:
        """Whether cells of nodes keep their means, which a projection made equal."""
        return self.level == "linear"

    @property
    def projected(self) -> Erasure | None:
        """Attributes that are projected out of the matrix."""
        return self.erasure if self.level == "linear" and not self.by_trend else None

    def cells(self) -> Cells | None:
        """Return the groups whose vectors get the same distribution or, at level "linear", moments and marginals.

        Returns
        -------
        Cells or None
            None if vectors are not moved by group.
        """
        if self.erasure is None or self.by_trend:
            return None
        return (label_cells if self.level == "linear" else build_cells)(self.erasure)


def plan_erasure(graph: Graph, null: FittedNull, floor: float, erase: Any, level: str, strength: float) -> ErasurePlan:
    """Return the steps that erase attributes from the vectors of a graph.

    Parameters
    ----------
    graph : Graph
        Graph whose nodes have the attributes.
    null : FittedNull
        Null model, whose groups ``erase="null"`` erases.
    floor : float
        Minimum association.
    erase : str, array, mapping, list or None
        Attributes to erase, as in :func:`residuum.residual.build_erasure`.
    level : {"linear", "distribution"}
        Level of erasure.
    strength : float
        From 0, no erasure, to 1.

    Returns
    -------
    ErasurePlan
        Steps; none if ``erase`` is None.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> graph = datasets.karate_club()
    >>> plan = plan_erasure(graph, Configuration().fit(graph, window=5), -3.0, "club", "linear", 1.0)
    >>> plan.projected.names, plan.by_trend
    (['club'], False)
    """
    erasure = build_erasure(graph, erase, null, strength)
    by_trend = level == "linear" and erasure is not None and erases_trend(erasure, graph, floor)
    return ErasurePlan(erasure, level, by_trend)
