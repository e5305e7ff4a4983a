"""Graphs that do not fit one machine: the solvers on the workers of a Dask cluster (extra ``distributed``)."""

from typing import TYPE_CHECKING

from residuum._lazy import lazy_exports

if TYPE_CHECKING:
    from residuum.distributed.estimator import DaskResidual2Vec
    from residuum.distributed.graph import PartitionedGraph
    from residuum.distributed.vectors import PartitionedVectors
else:
    __getattr__, __dir__ = lazy_exports(__name__)

__all__ = ["DaskResidual2Vec", "PartitionedGraph", "PartitionedVectors"]
