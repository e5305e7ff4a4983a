"""Records of a fit: metadata of an embedding, and the identity of a checkpointed run."""

import hashlib
import json
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._checkpoint import Store, open_checkpoint
from residuum._version import __version__
from residuum.errors import CheckpointError
from residuum.nulls import FittedNull, NullModel
from residuum.residual import ResidualMatrix

__all__ = ["EXECUTION", "checksum", "describe", "input_record", "null_record", "open_run", "plain", "restore_generator"]

#: Parameters that do not affect the result.
EXECUTION = {"progress", "n_jobs", "memory_limit", "checkpoint", "client", "n_partitions"}
# Node attributes are recorded by type only, so that a file of vectors never contains an erased label.
_BY_TYPE = ("erase", "groups")
_OUTCOMES = (
    "window",
    "shrinkage",
    "scale",
    "null_model",
    "solver",
    "approximation_error",
    "erased",
    "solver_details",
    "singular_values",
    "best_params",
)


def describe(model: Any) -> dict[str, Any]:
    """Return the parameters and the outcome of a fitted estimator as JSON values.

    Parameters
    ----------
    model : NodeEmbedding
        A fitted estimator.

    Returns
    -------
    dict of str to value
        Version, method, parameters, graph, input file, and the fitted attributes that describe the outcome.
    """
    parameters = {
        name: type(value).__name__ if name in _BY_TYPE and not isinstance(value, (str, type(None))) else plain(value)
        for name, value in model.get_params(deep=False).items()
        if name not in EXECUTION
    }
    return {
        "residuum": __version__,
        "method": type(model).__name__,
        "parameters": parameters,
        "inputs": getattr(model, "inputs_", []),
        "graph": repr(model.graph_),
        "directed": model.graph_.directed,
        **{name: plain(getattr(model, f"{name}_")) for name in _OUTCOMES if hasattr(model, f"{name}_")},
    }


def input_record(role: str, path: str | os.PathLike[str], column: str | None = None) -> dict[str, Any]:
    """Return the record of an input file as JSON values.

    Parameters
    ----------
    role : str
        What the file is used for, such as ``"graph"`` or ``"groups"``.
    path : path
        File, or folder of a graph on disk, which is identified by its header.
    column : str, optional
        Column that is used.

    Returns
    -------
    dict of str to value
        Role, file, column if there is one, and the SHA-256 hash of the content; the hash is None for a pipe, which
        cannot be read twice.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     input_record("graph", file.name)["sha256"][:8]
    'e3b0c442'
    """
    file = Path(path) / "header.json" if Path(path).is_dir() else Path(path)
    record = {"role": role, "file": str(file)} | ({} if column is None else {"column": column})
    if not file.is_file():
        return {**record, "sha256": None}
    with file.open("rb") as content:
        return {**record, "sha256": hashlib.file_digest(content, "sha256").hexdigest()}


def plain(value: Any) -> Any:
    """Return a value as JSON values; objects by their representation.

    Parameters
    ----------
    value : object
        Any value.

    Returns
    -------
    JSON value
        Arrays and tuples become lists.

    Examples
    --------
    >>> plain({"window": np.ones(2), "groups": (1, None)})
    {'window': [1.0, 1.0], 'groups': [1, None]}
    """
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return repr(value)


def open_run(
    folder: str | os.PathLike[str] | None,
    matrix: ResidualMatrix,
    null_model: NullModel,
    parameters: Mapping[str, Any],
    rng: np.random.Generator,
    *,
    seeded: bool,
) -> Store:
    """Return the checkpoint store of a run.

    Parameters
    ----------
    folder : path or None
        Folder for checkpoints; None disables them.
    matrix : ResidualMatrix
        Graph, null model and erasure, identified by checksums of their arrays.
    null_model : NullModel
        Identifies a sampled null model, which has no arrays, by its parameters.
    parameters : mapping of str to value
        Other parameters that determine the result, as JSON values.
    rng : numpy Generator
        Set to the initial state of the interrupted run if ``seeded`` is false.
    seeded : bool
        Whether the user set ``random_state``.

    Returns
    -------
    Store
        Store in the folder, or a store that saves nothing.

    Raises
    ------
    CheckpointError
        If the folder belongs to a different run, or is damaged.
    """
    if folder is None:
        return Store()
    if not seeded:
        restore_generator(Path(folder), rng)
    graph = matrix.probabilities.graph
    # Degrees alone do not identify a graph: a rewired graph has the same.
    arrays = [graph.adjacency.indptr, graph.adjacency.indices, graph.adjacency.data]
    erasure = matrix.erasure
    return open_checkpoint(
        folder,
        {
            "residuum": __version__,
            "graph": [graph.n_nodes, graph.adjacency.nnz, graph.directed, checksum(*arrays)],
            "null_model": null_record(null_model, matrix.null),
            "erased": [] if erasure is None else [*erasure.names, checksum(erasure.columns()), erasure.strength],
            **parameters,
            "generator": rng.bit_generator.state,
        },
    )


def restore_generator(folder: Path, rng: np.random.Generator) -> None:
    """Set a generator to the initial state of the run whose checkpoints are in a folder, if there is one.

    Parameters
    ----------
    folder : Path
        Folder for checkpoints.
    rng : numpy Generator
        Generator of a run without ``random_state``.

    Raises
    ------
    CheckpointError
        If the record of the run is damaged.
    """
    record = folder / "run.json"
    if record.exists():
        try:
            rng.bit_generator.state = json.loads(record.read_text())["generator"]
        except (ValueError, KeyError, TypeError):
            raise CheckpointError(f"{record} is damaged; delete the folder to start over.") from None


def null_record(null_model: NullModel, null: FittedNull) -> list[Any]:
    """Return what identifies a fitted null model, as JSON values.

    Parameters
    ----------
    null_model : NullModel
        Identifies a sampled null model, which has no arrays, by its parameters.
    null : FittedNull
        Identified by the checksum of its arrays.

    Returns
    -------
    list
        Name of the class, scalar parameters, and checksum.
    """
    return [type(null_model).__name__, _scalars_of(null_model), checksum(*_arrays_of(null))]


def _arrays_of(null: FittedNull) -> list[NDArray[Any]]:
    form = null.block_form
    if form is None:
        return [null.offset]
    return [null.offset, form.groups, form.theta, form.weights]


def _scalars_of(null_model: NullModel) -> dict[str, Any]:
    """Return the scalar parameters of a null model, and the names of its functions."""
    plain = {name: getattr(value, "__qualname__", value) for name, value in vars(null_model).items()}
    return {name: value for name, value in plain.items() if isinstance(value, (bool, int, float, str))}


def checksum(*arrays: NDArray[Any]) -> int:
    """Return the CRC-32 checksum of arrays.

    Parameters
    ----------
    *arrays : arrays
        Numbers.

    Returns
    -------
    int
        Checksum.
    """
    total = 0
    for array in arrays:
        total = zlib.crc32(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data, total)
    return total
