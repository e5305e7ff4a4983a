"""The file ``header.json`` of a graph on disk, whose content is checked before it is used."""

import json
from pathlib import Path
from typing import Any

from residuum._files import reading
from residuum.errors import GraphFileError
from residuum.graph.disk.arrays import WAY_OUT

__all__ = ["ENDING", "FORMAT", "HEADER", "NODES", "REVERSE", "VERSION", "foreign_file", "read_header"]

ENDING = ".r2g"
FORMAT = "residuum graph"
VERSION = 1
HEADER = "header.json"
NODES = "nodes.parquet"
REVERSE = "reverse_"

_KEYS = {"n_nodes": int, "n_entries": int, "n_edges": int, "directed": bool, "weighted": bool, "files": dict}
_MATRIX = ("indptr", "indices", "weights")


def read_header(folder: Path) -> dict[str, Any]:
    """Read the header of a graph on disk.

    Parameters
    ----------
    folder : Path
        Folder of the graph.

    Returns
    -------
    dict
        Header with all keys of the right type, which lists exactly the files of a graph.

    Raises
    ------
    GraphFileError
        If the header is missing, damaged, or of another version.
    """
    file = folder / HEADER
    if not file.is_file():
        raise GraphFileError(f"{folder} is not a graph: it has no {HEADER}. {WAY_OUT}.")
    with reading(file, GraphFileError, WAY_OUT):
        header = json.loads(file.read_text(encoding="utf-8"))
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise GraphFileError(f"{folder} is not a graph: the format in {HEADER} is not {FORMAT!r}. {WAY_OUT}.")
    if header.get("version") != VERSION:
        raise GraphFileError(
            f"{folder} has format version {header.get('version')}, but this residuum reads version {VERSION}. "
            "Update residuum, or recreate the graph with 'residuum convert'."
        )
    for name, kind in _KEYS.items():
        if type(header.get(name)) is not kind:
            raise GraphFileError(f"{file} is damaged: {name!r} is missing or has the wrong type. {WAY_OUT}.")
    if min(header["n_nodes"], header["n_entries"]) < 1:
        raise GraphFileError(f"{file} is damaged: a graph has at least one node and one edge. {WAY_OUT}.")
    if not isinstance(header.get("origin", {}), dict):
        raise GraphFileError(f"{file} is damaged: 'origin' has the wrong type. {WAY_OUT}.")
    _check_files(file, header)
    return header


def _check_files(file: Path, header: dict[str, Any]) -> None:
    """Raise an error unless the header lists the files of a graph and no others."""
    expected = _file_names(header["directed"])
    for name in expected:
        if name not in header["files"]:
            raise GraphFileError(f"{file} does not list the file {name!r}. {WAY_OUT}.")
    for name, record in header["files"].items():
        if name not in expected:
            raise GraphFileError(f"{file} lists the file {name!r}, which no graph has. {WAY_OUT}.")
        kinds: dict[str, Any] = {"bytes": int, "checksum": str, "dtype": str | None, "length": int | None}
        if not isinstance(record, dict) or not all(isinstance(record.get(key), kinds[key]) for key in kinds):
            raise GraphFileError(f"{file} is damaged: the record of {name!r} is incomplete. {WAY_OUT}.")


def _file_names(directed: bool) -> list[str]:
    arrays = [*_MATRIX, "out_strength"]
    if directed:
        arrays += [*(f"{REVERSE}{name}" for name in _MATRIX), "in_strength"]
    return [*(f"{name}.npy" for name in arrays), NODES]


def foreign_file(folder: Path) -> str | None:
    """Return the name of something in a folder that is not a file of a graph on disk.

    Parameters
    ----------
    folder : Path
        Folder of a graph.

    Returns
    -------
    str or None
        None if the folder contains nothing but a graph.
    """
    own = {HEADER, *_file_names(directed=True)}
    content = sorted(folder.iterdir())
    return next((path.name for path in content if path.name not in own or path.is_symlink() or path.is_dir()), None)
