"""Degree-corrected stochastic block models, which remove degree and the mixing of groups."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from residuum.errors import NullModelError
from residuum.graph import Graph, group_codes
from residuum.graph.attributes import NodeValues
from residuum.nulls.grouped import GroupedNull
from residuum.nulls.grouping import Grouping, LabelGroups

__all__ = ["DegreeCorrectedSBM", "Multilayer"]


class DegreeCorrectedSBM(GroupedNull):
    """``P_0(j | i) = d_j / D_{g_j} · (Σ_t w_t P_SBMᵗ)[g_i, g_j]``, the dcSBM with observed groups.

    ``P_SBM[g, g']`` is the fraction of the edge weight from group g that leads to group g', and D_g is the total degree
    of group g. Removes degree and the mixing of groups, for example that people of the same gender, country or age are
    connected more often. Use it for any label whose effect on the structure is known or unwanted. With one group it
    equals :class:`Configuration`.

    Parameters
    ----------
    groups : str, mapping, pandas Series or array of shape (N,)
        Label of each node: the name of a node attribute, labels by node id, or labels in ascending order of integer
        ids.
    missing : {"error", "group"}, default="error"
        Whether nodes without a label raise an error, or form a group with the label ``"unknown"``.

    Examples
    --------
    >>> import numpy as np
    >>> from residuum.datasets import karate_club
    >>> from residuum.nulls import DegreeCorrectedSBM
    >>> null = DegreeCorrectedSBM("club").fit(karate_club(), window=10)
    >>> np.exp(null.log_probability(0, [0, 33])).round(2)
    array([0.13, 0.08])
    """

    name: ClassVar[str] = "dcsbm"
    removes: ClassVar[str] = "degree and the mixing of groups (gender, country, topic)"
    options: ClassVar[dict[str, str]] = {"groups": "groups"}

    def __init__(self, groups: NodeValues | None = None, *, missing: str = "error") -> None:
        self.groups = groups
        self.missing = missing

    def groups_of(self, graph: Graph) -> tuple[NDArray[np.int32], Grouping]:
        """Return the group of each node, one group per label."""
        parameter = self.options["groups"]
        groups = getattr(self, parameter)
        if groups is None:
            raise NullModelError(
                f"{type(self).__name__} needs {parameter}: labels by node id, an array of labels, or the name of a "
                "node attribute (on the command line: --groups FILE:COLUMN)."
            )
        codes, labels = group_codes(graph, groups, parameter, missing=self.missing)
        return codes, LabelGroups(labels)

    def __repr__(self) -> str:
        parameter = self.options["groups"]
        groups = getattr(self, parameter)
        return f"{type(self).__name__}({parameter}={groups if isinstance(groups, str) else type(groups).__name__})"


class Multilayer(DegreeCorrectedSBM):
    """The dcSBM whose groups are the layers of a multilayer graph.

    Removes degree and the coupling of layers. In a graph of people on several platforms, or of genes in several
    tissues, most edges are within a layer, and without this null model the vectors mostly encode the layer. Nodes are
    (entity, layer) pairs.

    Parameters
    ----------
    layers : str, mapping, pandas Series or array of shape (N,)
        Layer of each node: the name of a node attribute, layers by node id, or layers in ascending order of
        integer ids.
    missing : {"error", "group"}, default="error"
        Whether nodes without a layer raise an error, or form a layer with the label ``"unknown"``.

    Examples
    --------
    >>> from residuum import Graph
    >>> from residuum.nulls import Multilayer
    >>> graph = Graph([[0, 1, 1, 0], [1, 0, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]])
    >>> null = Multilayer(["mail", "mail", "phone", "phone"]).fit(graph, window=1)
    >>> null.block_form.weights
    array([[0.5, 0.5],
           [0.5, 0.5]])
    """

    name: ClassVar[str] = "multilayer"
    removes: ClassVar[str] = "degree and the coupling of layers"
    options: ClassVar[dict[str, str]] = {"groups": "layers"}

    def __init__(self, layers: NodeValues | None = None, *, missing: str = "error") -> None:
        self.layers = layers
        self.missing = missing
