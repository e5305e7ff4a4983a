"""The multilayer null model: layers are groups."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from residuum.nulls.dcsbm import DegreeCorrectedSBM

__all__ = ["Multilayer"]


class Multilayer(DegreeCorrectedSBM):
    """The dcSBM whose groups are the layers of a multilayer graph.

    It removes degree and which layers are coupled: in a graph of people on several platforms, or of genes in several
    tissues, most edges stay inside a layer, and vectors would mostly say which layer a node is in. Use it to see what
    relates nodes beyond their layer. Nodes are (entity, layer) pairs.

    Parameters
    ----------
    layers : array of shape (N,), mapping of node id to layer, or name of a node attribute
    """

    def __init__(self, layers: ArrayLike | Mapping[Any, Any] | str | None = None) -> None:
        self.layers = layers

    @property
    def groups(self) -> Any:  # type: ignore[override] # the same thing under the name of the field
        """The layers."""
        return self.layers

    def __repr__(self) -> str:
        return super().__repr__().replace("groups=", "layers=")
