"""What the commands that write pages share: colorings, records of files, and verdicts in the terminal."""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from residuum._files import atomic_path, check_output
from residuum.cli.display import print_table, wrapped
from residuum.cli.provenance import record_file
from residuum.errors import InvalidParameterError

if TYPE_CHECKING:
    from residuum.evaluation import Audit
    from residuum.graph import Graph

__all__ = [
    "attribute_colorings",
    "attribute_records",
    "check_reports",
    "file_names",
    "page_of",
    "print_verdicts",
    "today",
    "write_text",
]

_COLORS = {"green": "green", "amber": "yellow", "red": "red"}


def check_reports(output: Path | None, card: Path | None, *, overwrite: bool, inputs: Sequence[Path]) -> None:
    """Raise an error if a page or a model card cannot be written, before any work is done.

    Parameters
    ----------
    output, card : Path or None
        Files to write.
    overwrite : bool
        Whether existing files may be replaced.
    inputs : sequence of Path
        Files that are read.
    """
    for file in (output, card, None if card is None else record_file(card)):
        if file is not None:
            check_output(file, overwrite=overwrite, inputs=inputs)


def today() -> str:
    """Return date and time, for the record of a report.

    Returns
    -------
    str
        To the minute, in UTC.
    """
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")


def page_of(result: "Audit", summary: Mapping[str, Any], colorings: list[Any], **values: Any) -> str:
    """Return the audit page.

    Parameters
    ----------
    result : Audit
        Measured values, with vectors and neighbors for the maps.
    summary : mapping
        Its summary.
    colorings : list of Coloring
        Attributes that color the maps.
    **values : value
        Other parameters of :func:`residuum.report.audit_page`.

    Returns
    -------
    str
        HTML.
    """
    from residuum.report import audit_page, map_data

    maps = map_data(
        result.graph.node_ids,
        {name: embedding.vectors for name, embedding in result.embeddings.items()},
        colorings,
        nearest={name: embedding.nearest for name, embedding in result.embeddings.items()},
        random_state=result.random_state,
    )
    return audit_page(summary, maps, **values)


def write_text(file: Path, text: str) -> None:
    """Write a text file, completely or not at all.

    Parameters
    ----------
    file : Path
        File to write.
    text : str
        Its content.
    """
    with atomic_path(file) as temporary:
        temporary.write_text(text, encoding="utf-8")


def attribute_colorings(
    graph: "Graph", labels: Mapping[str, Mapping[Any, Any]], numbers: Mapping[str, Mapping[Any, float]]
) -> list[Any]:
    """Return the colorings of a map: degree, labels and numbers.

    Parameters
    ----------
    graph : Graph
        Graph whose nodes are drawn.
    labels, numbers : mapping of str to mapping
        Value of each node id, by name of the attribute.

    Returns
    -------
    list of Coloring
        Labels first, because they show at the start; then numbers and degree.
    """
    import numpy as np

    from residuum.report import label_coloring, number_coloring

    nodes = graph.node_ids.tolist()
    return [
        *(label_coloring(name, [values[node] for node in nodes]) for name, values in labels.items()),
        *(number_coloring(name, [values[node] for node in nodes]) for name, values in numbers.items()),
        number_coloring("degree", np.asarray(graph.in_strength), is_log=True),
    ]


def attribute_records(texts: Sequence[str], graph: "Graph") -> list[dict[str, Any]]:
    """Return the records of the files that options name as ``FILE:COLUMN``.

    Parameters
    ----------
    texts : sequence of str
        Values of the options.
    graph : Graph
        Graph with node attributes, which are no files.

    Returns
    -------
    list of dict
        Role, file, column and hash of each file.
    """
    from residuum.models.record import input_record

    parts = [text.rpartition(":") for text in texts if text not in graph.node_attributes]
    return [input_record("attribute", file, column) for file, _, column in parts if file]


def file_names(files: Sequence[Path]) -> list[str]:
    """Return a name for each file of vectors: its stem, or the whole path if two files have the same stem.

    Parameters
    ----------
    files : sequence of Path
        Files on the command line.

    Returns
    -------
    list of str
        Distinct names.

    Examples
    --------
    >>> file_names([Path("fair.parquet"), Path("old/fair.npz"), Path("n2v.w2v")])
    ['fair.parquet', 'old/fair.npz', 'n2v']
    """
    repeated = {stem for stem, count in Counter(file.stem for file in files).items() if count > 1}
    names = [str(file) if file.stem in repeated else file.stem for file in files]
    if len(set(names)) < len(names):
        raise InvalidParameterError("VECTORS must be different files; one is given twice.")
    return names


def print_verdicts(summary: Mapping[str, Any]) -> None:
    """Print the verdicts and their sentences.

    Parameters
    ----------
    summary : mapping
        Summary of an audit.
    """
    names = [embedding["name"] for embedding in summary["embeddings"]]
    rows = [
        (subject["name"], *(_verdict(subject["embeddings"][name]) for name in names)) for subject in summary["subjects"]
    ]
    print_table(summary["graph"]["text"], [("trace of", False), *((name, False) for name in names)], rows)
    for subject in summary["subjects"]:
        for name in names:
            result = subject["embeddings"][name]
            color = _COLORS[result["level"]]
            click.echo(f"{subject['name']}, {name}: {click.style(_verdict(result), fg=color, bold=True)}")
            for check in result["checks"]:
                click.echo(wrapped(check["text"], sys.stdout, "  "))


def _verdict(result: Mapping[str, Any]) -> str:
    return f"{result['level']}, {result['verdict']}"
