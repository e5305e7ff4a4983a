"""Vectors before erasure: the command that made erased vectors runs again without it."""

import contextlib
import io
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from residuum.cli.provenance import check_inputs, read_provenance
from residuum.errors import InvalidParameterError, ResiduumError, ResiduumWarning

if TYPE_CHECKING:
    from residuum.embedding import Embedding

__all__ = ["embed_before_erasure"]

_UNERASED = {"erase": (), "erase_level": "linear", "erase_strength": 1.0}


def embed_before_erasure(vectors: Path) -> "Embedding | None":
    """Run the command that made a file of vectors again, without erasure.

    Parameters
    ----------
    vectors : Path
        File of vectors, with the record of ``residuum embed``.

    Returns
    -------
    Embedding or None
        Vectors without erasure; None if nothing was erased or there is no record, and, with a warning, if the command
        cannot run again.
    """
    try:
        record = read_provenance(vectors)
    except InvalidParameterError:
        return None
    if not record.get("erased") or record["command"][0] != "embed":
        return None
    try:
        check_inputs(record)
        return _embed(record)
    except (ResiduumError, click.ClickException) as error:
        message = f"attackers before erasure are not measured: {error}"
        warnings.warn(message, ResiduumWarning, stacklevel=2)
        return None


def _embed(record: Mapping[str, Any]) -> "Embedding":
    from residuum.embedding import Embedding

    root = click.get_current_context().find_root()
    assert isinstance(root.command, click.Group)
    command = root.command.get_command(root, "embed")
    assert command is not None
    with tempfile.TemporaryDirectory() as folder, command.make_context("embed", record["command"][1:]) as context:
        output = Path(folder) / "before.npz"
        silent = {"as_json": False, "verbose": False, "quiet": True}
        context.params |= {**_UNERASED, **silent, "output": output, "model_folder": None, "checkpoint": None}
        with contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore", ResiduumWarning)
            command.invoke(context)
        return Embedding.load(output)
