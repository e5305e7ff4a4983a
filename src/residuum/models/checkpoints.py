"""What makes a run what it is, so that its checkpoints serve no other."""

import json
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import residuum
from residuum._store import Store, open_checkpoint
from residuum.errors import CheckpointError
from residuum.graph import Graph, Teleport
from residuum.nulls import FittedNull, NullModel
from residuum.residual import Erasure

__all__ = ["open_run"]


def open_run(
    folder: str | os.PathLike[str] | None,
    *,
    graph: Graph,
    teleport: Teleport | None,
    null_model: NullModel,
    null: FittedNull,
    erasure: Erasure | None,
    parameters: Mapping[str, Any],
    rng: np.random.Generator,
    seeded: bool,
) -> Store:
    """Return the store of a run: checkpoints in ``folder``, or none.

    A run that is taken up again without a seed of its own gets the state of the generator that the first one had.

    Parameters
    ----------
    folder : path or None
    graph, teleport, null, erasure
        What the run is about; told apart by checksums of their arrays.
    null_model : null model
        Of which ``null`` was made; what is drawn, and has no arrays to tell it by, is told apart by its parameters.
    parameters : mapping
        What decides the result, as JSON values.
    rng : numpy Generator
        Set to the state of the first run if ``seeded`` is false.
    seeded : bool
    """
    if folder is None:
        return Store()
    record = Path(folder) / "run.json"
    if not seeded and record.exists():
        try:
            rng.bit_generator.state = json.loads(record.read_text())["generator"]
        except (ValueError, KeyError, TypeError):
            raise CheckpointError(f"{record} is damaged; remove the folder to begin anew.") from None
    return open_checkpoint(
        folder,
        {
            "residuum": residuum.__version__,
            "graph": [graph.n_nodes, graph.adjacency.nnz, graph.directed, _checksum(*_arrays_of_graph(graph))],
            "teleport": [] if teleport is None else _checksum(teleport.probability, teleport.target),
            "null_model": [type(null_model).__name__, _parameters_of(null_model), _checksum(*_arrays_of_null(null))],
            "erased": [] if erasure is None else [*erasure.names, _checksum(erasure.columns())],
            **parameters,
            "generator": rng.bit_generator.state,
        },
    )


def _arrays_of_graph(graph: Graph) -> list[NDArray[Any]]:
    # Entries too: graphs that were rewired have the same degrees.
    return [graph.adjacency.indptr, graph.adjacency.indices, graph.adjacency.data]


def _arrays_of_null(null: FittedNull) -> list[NDArray[Any]]:
    blocks = null.blocks
    if blocks is None:
        return [null.offset]
    jumps = [] if blocks.jump is None else [blocks.jump]
    return [null.offset, blocks.groups, blocks.row_groups, blocks.theta, blocks.weights, *jumps]


def _parameters_of(null_model: NullModel) -> dict[str, Any]:
    """Return the numbers and names that a null model was made with, and the names of its functions."""
    plain = {name: getattr(value, "__qualname__", value) for name, value in vars(null_model).items()}
    return {name: value for name, value in plain.items() if isinstance(value, (bool, int, float, str))}


def _checksum(*arrays: NDArray[Any]) -> int:
    total = 0
    for array in arrays:
        total = zlib.crc32(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data, total)
    return total
