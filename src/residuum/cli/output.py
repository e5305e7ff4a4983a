"""Tables as the output of a command: a file, JSON, or the terminal."""

import csv
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from residuum._files import atomic_path, check_output
from residuum.cli.display import print_table
from residuum.cli.provenance import OutputPath, record_file, write_record
from residuum.errors import InvalidParameterError

__all__ = ["Columns", "Output", "output_options", "write_table"]

Columns = Mapping[str, Sequence[Any]]
Command = TypeVar("Command", bound=Callable[..., Any])
_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_FORMATS = (*_DELIMITERS, ".parquet")
_OPTIONS = (
    click.option(
        "-o",
        "--output",
        type=OutputPath(),
        metavar="OUT",
        help="Output file: .csv, .tsv or .parquet. [default: print]",
    ),
    click.option("--overwrite", is_flag=True, help="Replace OUT if it exists."),
    click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON."),
)


def output_options(command: Command) -> Command:
    """Add ``--output``, ``--overwrite`` and ``--json`` to a command.

    Parameters
    ----------
    command : callable
        Function that receives ``output``, ``overwrite`` and ``as_json``.

    Returns
    -------
    callable
        The command with its options.
    """
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True)
class Output:
    """Where the rows of a command go.

    Attributes
    ----------
    path : Path or None
        File to write; None to print the rows.
    as_json : bool
        Whether to print JSON.
    """

    path: Path | None
    as_json: bool

    @classmethod
    def of(cls, options: Mapping[str, Any], inputs: Sequence[Path]) -> "Output":
        """Return the output of a command, after checks that the file can be written.

        Parameters
        ----------
        options : mapping of name to value
            All options of the command.
        inputs : sequence of Path
            Files that are read, which the output must not replace.

        Returns
        -------
        Output
            The output.
        """
        path = options["output"]
        if path is not None:
            check_table(path, overwrite=options["overwrite"], inputs=inputs)
        return cls(path, options["as_json"])

    def show(self, title: str, columns: Columns, record: Callable[[], Mapping[str, Any]]) -> None:
        """Write or print rows.

        Parameters
        ----------
        title : str
            Line above the table, or the summary if a file is written.
        columns : mapping of name to sequence
            Cells by column.
        record : callable
            Returns the provenance, which is stored with a file.
        """
        if self.path is not None:
            write_table(self.path, columns, record())
        if self.as_json:
            rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
            click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
        elif self.path is not None:
            click.echo(f"{title}\n{self.path}")
        elif sys.stdout.isatty():
            # People know nodes by their names, and the width is scarce.
            shown = {name: cells for name, cells in columns.items() if f"{name}_name" not in columns}
            heads = [
                (name.removesuffix("_name"), all(isinstance(cell, float) for cell in cells))
                for name, cells in shown.items()
            ]
            rows_of_text = [tuple(map(_cell, row)) for row in zip(*shown.values(), strict=True)]
            print_table(title, heads, rows_of_text)
        else:
            click.echo("\t".join(columns))
            for row in zip(*columns.values(), strict=True):
                click.echo("\t".join(f"{cell:.6f}" if isinstance(cell, float) else str(cell) for cell in row))


def _cell(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def check_table(path: Path, *, overwrite: bool, inputs: Sequence[Path]) -> None:
    """Raise an error if a table cannot be written to a path.

    Parameters
    ----------
    path : Path
        File to write.
    overwrite : bool
        Whether an existing file may be replaced.
    inputs : sequence of Path
        Files that are read.

    Raises
    ------
    InvalidParameterError
        If the extension is not one of a table, or the file must not be written.
    """
    if path.suffix not in _FORMATS:
        raise InvalidParameterError(f"{path}: a table must end in {', '.join(_FORMATS)}; got {path.suffix!r}.")
    check_output(path, overwrite=overwrite, inputs=inputs)
    if path.suffix in _DELIMITERS:
        check_output(record_file(path), overwrite=overwrite, inputs=inputs)


def write_table(path: Path, columns: Columns, record: Mapping[str, Any]) -> None:
    """Write a table with its provenance: in the metadata of a parquet file, or next to a text file.

    Parameters
    ----------
    path : Path
        File that ends in .csv, .tsv or .parquet.
    columns : mapping of name to sequence
        Cells by column.
    record : mapping
        Provenance, as JSON values.
    """
    if path.suffix == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.table({name: pa.array(cells) for name, cells in columns.items()})
        with atomic_path(path) as temporary:
            pq.write_table(table.replace_schema_metadata({b"residuum": json.dumps(record).encode()}), temporary)
        return
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter=_DELIMITERS[path.suffix], lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    write_record(path, record)
