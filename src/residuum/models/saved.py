"""Fitted models in folders (``.r2m``), without pickle."""

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from residuum._containers import read_npz
from residuum._files import atomic_folder, check_output, missing_file, reading
from residuum._version import __version__
from residuum.errors import EmbeddingFileError, InvalidParameterError, ResiduumError
from residuum.graph import Graph, read_graph, write_graph
from residuum.models.base import NodeEmbedding
from residuum.models.parts import NotSaved, decode, encode
from residuum.models.record import EXECUTION, plain
from residuum.models.registry import method_from_name
from residuum.nulls import BlockNull, null_model_from_name
from residuum.residual import ResidualMatrix

__all__ = ["ENDING", "SavableEmbedding", "check_model_output", "read_model", "write_model"]

#: Ending of the folder of a model.
ENDING = ".r2m"
_FORMAT, _VERSION = "residuum model", 1
_HEADER, _ARRAYS, _GRAPH = "model.json", "arrays.npz", "graph.r2g"
_OUTCOMES = ("singular_values", "window", "shrinkage", "scale", "solver", "approximation_error", "erased")


class SavableEmbedding(NodeEmbedding):
    """Base class of estimators that are saved and loaded without pickle.

    Examples
    --------
    >>> import tempfile
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> folder = tempfile.TemporaryDirectory()
    >>> Residual2Vec(4, random_state=0).fit(graph).save(f"{folder.name}/karate.r2m")
    >>> Residual2Vec.load(f"{folder.name}/karate.r2m").transform(graph.adjacency[:2]).shape
    (2, 4)
    >>> folder.cleanup()
    """

    # Folder from which the model was loaded.
    _folder: Path | None = None

    @contextlib.contextmanager
    def _from_file(self) -> Iterator[None]:
        """Convert errors of a loaded model that only damaged parts cause."""
        try:
            yield
        except (ResiduumError, MemoryError):
            raise
        except Exception as error:
            if self._folder is None:
                raise
            raise EmbeddingFileError(
                f"{self._folder} is damaged, or was written by another version: {error}. Fit the model again."
            ) from error

    def save(
        self, path: str | os.PathLike[str], *, overwrite: bool = False, record: Mapping[str, Any] | None = None
    ) -> None:
        """Write the fitted model to a folder, without pickle, for :meth:`transform` in another process.

        The folder contains the graph, the groups of the null model and the erased attributes of the nodes: it is as
        confidential as these. To pass on vectors only, use ``to_embedding().save(path)``. The parameters ``progress``,
        ``n_jobs``, ``memory_limit`` and ``checkpoint`` are not saved.

        Parameters
        ----------
        path : path
            Folder to create; must end in ``.r2m``.
        overwrite : bool, default False
            Whether to replace an existing model, once the new one is complete.
        record : mapping, optional
            How the model was made, as JSON values, to be stored with it; the command line stores the command.

        Raises
        ------
        InvalidParameterError
            If the folder exists and ``overwrite`` is False, or the model contains objects of your own.
        """
        self._check_fitted()
        write_model(self, path, overwrite=overwrite, record=record)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a fitted model from a folder written by :meth:`save`.

        Parameters
        ----------
        path : path
            Folder that ends in ``.r2m``.

        Returns
        -------
        estimator
            The fitted model. A parameter that was an object, such as a null model, is known by its representation
            only; set it before you call ``fit`` again.

        Raises
        ------
        EmbeddingFileError
            If the folder is missing, damaged, or has a model of another class.
        """
        model = read_model(path)
        if not isinstance(model, cls):
            raise EmbeddingFileError(f"{path} has a {type(model).__name__}, not a {cls.__name__}.")
        return model


def write_model(model: Any, path: str | os.PathLike[str], *, overwrite: bool, record: Mapping[str, Any] | None) -> None:
    """Write a fitted model to a folder.

    =================  =================================================================
    file               content
    =================  =================================================================
    ``graph.r2g``      the training graph; see :func:`residuum.graph.write_graph`
    ``model.json``     method, parameters, outcome, and the structure of the arrays
    ``arrays.npz``     vectors, factors, groups and offsets
    =================  =================================================================

    Parameters
    ----------
    model : NullEmbedding
        A fitted model.
    path : path
        Folder to create; must end in ``.r2m``.
    overwrite : bool
        Whether to replace an existing model.
    record : mapping or None
        How the model was made, as JSON values.

    Raises
    ------
    InvalidParameterError
        If the folder must not be written, or the model has objects of the user that cannot be saved.
    """
    folder = Path(path)
    check_model_output(folder, overwrite=overwrite)
    if not isinstance(model.null_, BlockNull):
        raise InvalidParameterError(
            "a model with a sampled null model cannot embed out-of-sample nodes, so it cannot be saved; save its "
            "vectors with to_embedding().save(path)."
        )
    arrays: dict[str, NDArray[Any]] = {}
    graph = model.graph_
    header = {
        "format": _FORMAT,
        "version": _VERSION,
        "residuum": __version__,
        "method": model.method_name,
        "parameters": {name: _parameter(value, graph, arrays) for name, value in _parameters(model).items()},
        "outcome": {name: encode(getattr(model, f"{name}_"), graph, arrays) for name in _OUTCOMES},
        "solver_details": plain(model.solver_details_),
        "inputs": model.inputs_,
        "vectors": [encode(array, graph, arrays) for array in (model.embedding_, model.context_embedding_)],
        "out_of_sample": encode(model._out_of_sample, graph, arrays),
        "record": dict(record or {}),
    }
    with atomic_folder(folder) as temporary:
        write_graph(graph, temporary / _GRAPH)
        (temporary / _HEADER).write_text(json.dumps(header), encoding="utf-8")
        with (temporary / _ARRAYS).open("wb") as stream:
            np.savez(stream, allow_pickle=False, **arrays)


def check_model_output(folder: Path, *, overwrite: bool) -> None:
    """Raise an error if a model must not be written to a path.

    Parameters
    ----------
    folder : Path
        Folder to create.
    overwrite : bool
        Whether an existing model may be replaced; other folders never are.

    Raises
    ------
    InvalidParameterError
        If the path does not end in ``.r2m``, or exists.
    """
    if folder.suffix != ENDING:
        raise InvalidParameterError(f"the path of a model must end in {ENDING}; got {str(folder)!r}.")
    if not folder.is_dir():
        check_output(folder, overwrite=False)
    elif not (folder / _HEADER).is_file():
        raise InvalidParameterError(f"{folder} is a folder, but not a model; choose another output path.")
    elif not overwrite:
        raise InvalidParameterError(f"{folder} exists; use overwrite=True (--overwrite) to replace it.")


def _parameters(model: Any) -> dict[str, Any]:
    return {name: value for name, value in model.get_params(deep=False).items() if name not in EXECUTION}


def _parameter(value: Any, graph: Graph, arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """Return the code of a parameter, or the description of an object that cannot be saved."""
    try:
        return {"value": encode(value, graph, arrays)}
    except InvalidParameterError:
        return {"not_saved": repr(value)}


def read_model(path: str | os.PathLike[str]) -> Any:
    """Read a fitted model from a folder written by :func:`write_model`.

    Parameters
    ----------
    path : path
        Folder that ends in ``.r2m``.

    Returns
    -------
    NullEmbedding
        The fitted model.

    Raises
    ------
    EmbeddingFileError
        If the folder is missing or damaged.
    """
    folder = Path(path)
    with reading(folder, EmbeddingFileError):
        if not folder.is_dir():
            reason = "is not the folder of a model" if folder.exists() else missing_file(folder)
            raise EmbeddingFileError(f"{folder} {reason}.")
        if not (folder / _HEADER).is_file():
            raise EmbeddingFileError(f"{folder} is not a model: it has no {_HEADER}.")
        header = json.loads((folder / _HEADER).read_text(encoding="utf-8"))
        if header["format"] != _FORMAT or header["version"] != _VERSION:
            raise ValueError(f"the format is {header['format']!r}, version {header['version']!r}.")
        model = _restored(header, read_graph(folder / _GRAPH), read_npz(folder / _ARRAYS))
        model._folder = folder
        return model


def _restored(header: dict[str, Any], graph: Graph, arrays: dict[str, NDArray[Any]]) -> Any:
    parameters = {
        name: NotSaved(str(code["not_saved"])) if "not_saved" in code else decode(code["value"], graph, arrays)
        for name, code in header["parameters"].items()
    }
    model = method_from_name(header["method"])(**parameters)
    rows = decode(header["out_of_sample"], graph, arrays)
    u, v = (decode(code, graph, arrays) for code in header["vectors"])
    matrix = getattr(rows, "rows", rows).matrix
    _check(matrix, graph, u, v)
    for name in _OUTCOMES:
        setattr(model, f"{name}_", decode(header["outcome"][name], graph, arrays))
    null_model = parameters.get("null_model", "configuration")
    model.null_model_ = null_model_from_name(null_model) if isinstance(null_model, str) else null_model
    model.solver_details_, model.inputs_ = dict(header["solver_details"]), list(header["inputs"])
    model._out_of_sample = rows
    model._set_vectors(graph, u, v, matrix.null)
    return model


def _check(matrix: ResidualMatrix, graph: Graph, u: NDArray[Any], v: NDArray[Any]) -> None:
    """Raise an error if arrays do not match the graph, or groups are out of range, which kernels do not check."""
    n_nodes, null = graph.n_nodes, matrix.null
    if u.dtype != np.float32 or u.shape != v.shape or u.dtype != v.dtype or u.ndim != 2 or len(u) != n_nodes:
        raise ValueError(f"the vectors have shapes {u.shape} and {v.shape}, and the graph has {n_nodes} nodes.")
    if not isinstance(null, BlockNull) or matrix.probabilities.graph is not graph:
        raise ValueError("the null model has no block form, or another graph.")
    form = null.block_form
    if any(array.shape != (n_nodes,) for array in (form.groups, form.theta, null.source)):
        raise ValueError(f"an array of the null model does not have one value for each of the {n_nodes} nodes.")
    if not all((array >= 0).all() and np.isfinite(array).all() for array in (form.theta, form.weights, null.source)):
        raise ValueError("a probability of the null model is not a finite number of at least 0.")
    if form.groups.dtype.kind != "i" or form.groups.min() < 0 or form.groups.max() >= min(form.weights.shape):
        raise ValueError("a group of the null model is out of range.")
