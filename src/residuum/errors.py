"""What can go wrong, by name.

::

    ResiduumError
    ├── InvalidParameterError     a parameter breaks its rule                 (also ValueError)
    ├── InvalidGraphError         a graph, a weight or a label breaks a rule   (also ValueError)
    │   └── GraphFileError        the same, in a file, with its line
    ├── NullModelError            a null model does not fit the graph          (also ValueError)
    ├── UnknownNodeError          a node id that is not in the graph           (also KeyError)
    ├── EmbeddingFileError        a file of vectors that cannot be read
    ├── DatasetError              a dataset that is unknown or cannot be had
    ├── CheckpointError           checkpoints of another run, or no space for them
    ├── DivergenceError           the training of vectors ran away
    ├── MemoryLimitError          the work does not fit the memory limit       (also MemoryError)
    └── MissingExtraError         an optional dependency is not installed      (also ImportError)

    ResiduumWarning               a defined result that deserves a look        (a UserWarning)

Every message names the value, the rule and the way out.
"""

__all__ = [
    "CheckpointError",
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
    """Base of all errors that residuum raises on purpose."""


class InvalidParameterError(ResiduumError, ValueError):
    """A parameter breaks its rule."""


class InvalidGraphError(ResiduumError, ValueError):
    """The graph, its weights or its labels break a rule."""


class GraphFileError(InvalidGraphError):
    """A graph file cannot be read; the message has the file's name and, where there is one, the line."""


class NullModelError(ResiduumError, ValueError):
    """A null model does not fit the graph."""


class UnknownNodeError(ResiduumError, KeyError):
    """A node id is not in the graph or the embedding."""

    def __str__(self) -> str:
        # KeyError shows the repr of its argument, which would quote the sentence.
        return str(self.args[0]) if self.args else ""


class EmbeddingFileError(ResiduumError):
    """A file of vectors cannot be read or written."""


class DatasetError(ResiduumError):
    """A dataset is unknown, absent or damaged."""


class CheckpointError(ResiduumError):
    """A folder of checkpoints belongs to another run, or has no space left."""


class DivergenceError(ResiduumError):
    """The training of vectors ran away; the message names what to turn down."""


class MemoryLimitError(ResiduumError, MemoryError):
    """The chosen work does not fit the memory limit; nothing was allocated."""


class MissingExtraError(ResiduumError, ImportError):
    """An optional dependency is missing; the message names the extra that brings it."""


class ResiduumWarning(UserWarning):
    """The result is defined, but the user may not expect it."""
