"""Provenance of an output: version, command, inputs with hashes, seed."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from residuum._files import atomic_path, check_output, missing_file, reading
from residuum._version import __version__
from residuum.cli.config import CONFIG
from residuum.errors import InvalidParameterError

if TYPE_CHECKING:
    from residuum.embedding import Embedding

__all__ = [
    "ARGUMENTS",
    "OutputPath",
    "check_inputs",
    "check_vectors",
    "provenance",
    "read_provenance",
    "record_file",
    "save_vectors",
    "write_record",
]

# Key of the command line in the metadata of a click context.
ARGUMENTS = "residuum.arguments"
_METADATA_KEY = b"residuum"
# Formats of vectors with room for metadata; the record of a text file is written next to it.
_WITH_METADATA = (".parquet", ".npz")
# The record of a page is one of its elements; see report/templates/base.html.
_RECORD_OF_PAGE = re.compile(r'<script type="application/json" id="record">(.*?)</script>', re.DOTALL)


class OutputPath(click.Path):
    """Type of a parameter that names an output, by which ``residuum rerun`` finds it."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)


def provenance(inputs: Iterable[Mapping[str, Any]], **facts: Any) -> dict[str, Any]:
    """Return the record of the command that runs, as JSON values.

    Parameters
    ----------
    inputs : iterable of mappings
        Records of the files that are read; see :func:`residuum.models.record.input_record`.
    **facts : dict
        Other facts by name, such as the seed.

    Returns
    -------
    dict of str to value
        Version, command line, inputs and facts.
    """
    context = click.get_current_context(silent=True)
    meta: Mapping[str, Any] = {} if context is None else context.meta
    records = [dict(item) for item in inputs]
    if CONFIG in meta:
        from residuum.models.record import input_record

        records.append(input_record("config", meta[CONFIG]))
    return {"residuum": __version__, "command": list(meta.get(ARGUMENTS, [])), "inputs": records, **facts}


def record_file(path: Path) -> Path:
    """Return the file next to an output that holds its provenance.

    Parameters
    ----------
    path : Path
        Output without room for metadata, such as a csv file or a picture.

    Returns
    -------
    Path
        The same path with ``.json`` added.
    """
    return path.with_name(f"{path.name}.json")


def write_record(path: Path, record: Mapping[str, Any]) -> None:
    """Write the provenance of an output next to it.

    Parameters
    ----------
    path : Path
        The output.
    record : mapping
        Its provenance.
    """
    with atomic_path(record_file(path)) as temporary:
        temporary.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def check_vectors(path: Path, *, overwrite: bool, inputs: Iterable[Path]) -> None:
    """Raise an error if vectors cannot be written to a path.

    Parameters
    ----------
    path : Path
        File to write.
    overwrite : bool
        Whether an existing file may be replaced.
    inputs : iterable of Path
        Files that are read, which are never replaced.
    """
    from residuum.embedding.files import format_of

    format_of(path)
    for file in (path,) if path.suffix in _WITH_METADATA else (path, record_file(path)):
        check_output(file, overwrite=overwrite, inputs=inputs)


def save_vectors(embedding: "Embedding", path: Path, *, overwrite: bool) -> None:
    """Write vectors with their provenance.

    Parameters
    ----------
    embedding : Embedding
        Vectors, with the provenance in their metadata.
    path : Path
        File to write.
    overwrite : bool
        Whether an existing file may be replaced.
    """
    embedding.save(path, overwrite=overwrite)
    if path.suffix not in _WITH_METADATA:
        write_record(path, embedding.metadata)


def read_provenance(path: Path) -> dict[str, Any]:
    """Return the provenance of an output of residuum.

    Parameters
    ----------
    path : Path
        File of vectors (.parquet or .npz), folder of a model, page (.html), or an output with a record next to it.

    Returns
    -------
    dict of str to value
        Version, command line and inputs.

    Raises
    ------
    InvalidParameterError
        If the output has no record of a command.
    """
    if not path.exists():
        raise InvalidParameterError(f"{path} {missing_file(path)}.")
    with reading(path, InvalidParameterError):
        record = _stored(path)
    command = record.get("command") if isinstance(record, dict) else None
    if not isinstance(command, list) or not command or not all(isinstance(word, str) for word in command):
        raise InvalidParameterError(
            f"{path} has no record of a command; only outputs of residuum commands have one, in .parquet, .npz, "
            f".html and .r2m, and next to other files ({record_file(path).name})."
        )
    return dict(record)


def check_inputs(record: Mapping[str, Any]) -> None:
    """Raise an error if an input of a recorded command has changed or does not exist.

    Parameters
    ----------
    record : mapping
        Provenance of an output.

    Raises
    ------
    InvalidParameterError
        If the hash of an input is not the recorded one.
    """
    for item in record.get("inputs", []):
        if item.get("sha256") is None:
            continue
        file = Path(item["file"])
        if not file.is_file():
            raise InvalidParameterError(f"the input {file} does not exist; run this in the folder of the first run.")
        with file.open("rb") as content:
            if hashlib.file_digest(content, "sha256").hexdigest() != item["sha256"]:
                raise InvalidParameterError(f"the input {file} has changed since; use --changed to run nevertheless.")


def _stored(path: Path) -> Any:
    if record_file(path).is_file():
        return json.loads(record_file(path).read_text(encoding="utf-8"))
    if path.is_dir():
        model = path / "model.json"
        return json.loads(model.read_text(encoding="utf-8")).get("record") if model.is_file() else None
    if path.suffix == ".html":
        stored = _RECORD_OF_PAGE.search(path.read_text(encoding="utf-8"))
        return json.loads(stored[1]) if stored else None
    if path.suffix == ".parquet":
        from residuum._containers import open_parquet

        with open_parquet(path) as parquet:
            header = json.loads((parquet.schema_arrow.metadata or {}).get(_METADATA_KEY, b"{}"))
        return header.get("metadata", header)
    if path.suffix == ".npz":
        from residuum.embedding import Embedding

        return dict(Embedding.load(path).metadata)
    return None
