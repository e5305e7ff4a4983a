"""Exceptions and warnings.

::

    ResiduumError
    ├── InvalidParameterError     invalid parameter                              (also ValueError)
    ├── InvalidGraphError         invalid graph, weights or labels               (also ValueError)
    │   └── GraphFileError        invalid graph file
    ├── NullModelError            null model that cannot be used with the graph  (also ValueError)
    ├── UnknownNodeError          node id that is not in the graph               (also KeyError)
    ├── EmbeddingFileError        file of vectors that cannot be read or written
    ├── DatasetError              unknown, missing or damaged dataset
    ├── CheckpointError           checkpoints of a different run, or a full disk
    ├── ClusterError              workers, scheduler or shared storage of a cluster that fail
    ├── DivergenceError           training that diverged
    ├── MemoryLimitError          computation that exceeds the memory limit      (also MemoryError)
    └── MissingExtraError         optional dependency that is not installed      (also ImportError)

    ResiduumWarning               valid result that may be unexpected            (a UserWarning)

Each message names the value, the rule and a way to fix the problem.
"""

__all__ = [
    "CheckpointError",
    "ClusterError",
    "DatasetError",
    "DivergenceError",
    "EmbeddingFileError",
    "GraphFileError",
    "InvalidGraphError",
    "InvalidParameterError",
    "MemoryLimitError",
    "MissingExtraError",
    "NullModelError",
    "ResiduumError",
    "ResiduumWarning",
    "UnknownNodeError",
]


class ResiduumError(Exception):
    """Base class of the errors of residuum."""


class InvalidParameterError(ResiduumError, ValueError):
    """A parameter has an invalid value."""


class InvalidGraphError(ResiduumError, ValueError):
    """The graph, its weights or its labels are invalid."""


class GraphFileError(InvalidGraphError):
    """A graph file is invalid; the message names the file and, for text files, the line."""


class NullModelError(ResiduumError, ValueError):
    """The null model cannot be used with the graph."""


class UnknownNodeError(ResiduumError, KeyError):
    """A node id is not in the graph or the embedding."""

    def __str__(self) -> str:
        # KeyError shows the repr of its argument, with quotes.
        return str(self.args[0]) if self.args else ""


class EmbeddingFileError(ResiduumError):
    """A file of vectors cannot be read or written."""


class DatasetError(ResiduumError):
    """A dataset is unknown, missing or damaged."""


class CheckpointError(ResiduumError):
    """A checkpoint folder belongs to a different run, or the disk is full."""


class ClusterError(ResiduumError):
    """Workers, scheduler or shared storage of a cluster fail; the message says how to go on."""


class DivergenceError(ResiduumError):
    """The training diverged; the message names the parameter to decrease."""


class MemoryLimitError(ResiduumError, MemoryError):
    """The computation needs more memory than the limit; it is raised before any allocation."""


class MissingExtraError(ResiduumError, ImportError):
    """An optional dependency is missing; the message names the extra to install."""


class ResiduumWarning(UserWarning):
    """The result is valid, but may be unexpected."""
