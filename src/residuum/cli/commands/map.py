"""Draw a map of embeddings: a page, a picture, or a table for other viewers."""

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from residuum._files import atomic_path, check_output
from residuum._progress import duration
from residuum._validation import check_choice, import_extra
from residuum.cli.attribute_options import AttributeReader, attribute_options
from residuum.cli.display import attribute_names
from residuum.cli.provenance import OutputPath, provenance, record_file, write_record
from residuum.cli.report_output import file_names
from residuum.errors import InvalidParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from residuum.embedding import Embedding

__all__ = ["map"]

# Integers with at most this many distinct values are labels.
_FEW_LABELS = 10
_ENDINGS = (".html", ".png", ".svg", ".pdf", ".parquet")
# Outputs that contain their record; that of a picture is written next to it.
_WITH_RECORD = (".html", ".parquet")


@click.command()
@click.argument("vectors", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    required=True,
    type=OutputPath(),
    metavar="OUT",
    help="Output file: .html (interactive), .png, .svg, .pdf, or .parquet (vectors with x, y and neighbors).",
)
@click.option(
    "--color",
    multiple=True,
    metavar="FILE:COLUMN",
    help="Node attribute that colors the nodes; text and up to 10 distinct integers are labels (repeatable).",
)
@click.option(
    "--projection",
    default="auto",
    show_default=True,
    metavar="auto|umap|neighbors|pca",
    help="Projection to the plane; auto is UMAP if umap-learn is installed, else neighbors.",
)
@click.option("--title", help="Title. [default: names of the files]")
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed.")
@click.option("--overwrite", is_flag=True, help="Replace OUT if it exists.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@attribute_options(missing="unknown", meaning="drawn in gray")
@click.option("-q", "--quiet", is_flag=True, help="Hide notes and summary.")
def map(  # the name of the command
    vectors: tuple[Path, ...],
    output: Path,
    color: tuple[str, ...],
    projection: str,
    title: str | None,
    seed: int,
    **options: Any,
) -> None:
    """Draw the nodes of VECTORS on a map, on which similar nodes are near each other.

    Several files of the same nodes are drawn side by side, with a common selection. A .parquet output has the vectors,
    the columns of --color, and x, y and neighbors for embedding-atlas, which opens it:
    embedding-atlas OUT --x x --y y --neighbors neighbors --disable-projection

    \b
    Examples:
      residuum map vectors.parquet -o map.html --color people.csv:year
      residuum map node2vec.w2v fair.parquet -o map.png --color people.csv:gender
      residuum map vectors.parquet -o atlas.parquet --color people.csv:gender
    """
    from residuum.embedding import Embedding
    from residuum.embedding.projection import PROJECTIONS

    began = time.perf_counter()
    check_choice("--projection", projection, PROJECTIONS)
    ending = _checked_ending(output, len(vectors))
    for file in (output,) if ending in _WITH_RECORD else (output, record_file(output)):
        check_output(file, overwrite=options["overwrite"], inputs=vectors)
    names = file_names(vectors)
    loaded = [Embedding.load(file) for file in vectors]
    embeddings = dict(zip(names, _same_nodes(names, loaded), strict=True))
    columns = {name: _column(loaded[0], text, options) for text, name in attribute_names(color).items()}
    drawing = _Drawing(embeddings, columns, title or f"Map of {', '.join(names)}", projection, seed)
    record = _record(vectors, color, seed)
    with atomic_path(output) as temporary:
        if ending == ".html":
            temporary.write_text(_page(drawing, record), encoding="utf-8")
        elif ending == ".parquet":
            _table(temporary, loaded[0], drawing, record)
        else:
            _picture(temporary, drawing)
    if ending not in _WITH_RECORD:
        write_record(output, record)
    seconds = time.perf_counter() - began
    if options["as_json"]:
        facts = {"output": str(output), "maps": names, "nodes": len(loaded[0]), "colors": list(columns)}
        click.echo(json.dumps({**facts, "seconds": seconds}, indent=2, ensure_ascii=False))
    elif not options["quiet"]:
        count = "" if len(names) == 1 else f"{len(names)} maps of "
        click.echo(f"{output}: {count}{len(loaded[0])} nodes, {duration(seconds)}")


@dataclass(frozen=True)
class _Drawing:
    """What is drawn: embeddings of the same nodes, and the attributes that color them."""

    embeddings: "dict[str, Embedding]"
    columns: "dict[str, NDArray[Any]]"
    title: str
    projection: str
    seed: int


def _record(vectors: tuple[Path, ...], color: tuple[str, ...], seed: int) -> dict[str, Any]:
    from residuum.models.record import input_record

    parts = [text.rpartition(":") for text in color]
    inputs = [input_record("vectors", file) for file in vectors]
    return provenance([*inputs, *(input_record("attribute", file, column) for file, _, column in parts)], seed=seed)


def _checked_ending(output: Path, n_files: int) -> str:
    """Return the extension of the output; fail before the work, not after it."""
    ending = output.suffix.lower()
    if ending not in _ENDINGS:
        raise InvalidParameterError(f"-o {output}: the extension must be one of {', '.join(_ENDINGS)}.")
    if ending == ".parquet" and n_files > 1:
        raise InvalidParameterError(f"-o {output}: a .parquet output accepts one file of vectors; got {n_files}.")
    return ending


def _same_nodes(names: list[str], embeddings: "list[Embedding]") -> "list[Embedding]":
    """Return the embeddings with their nodes in the order of the first."""
    from residuum.embedding import Embedding

    first = embeddings[0]
    aligned = [first]
    for name, other in zip(names[1:], embeddings[1:], strict=True):
        texts = {str(identity): row for row, identity in enumerate(other.ids.tolist())}
        missing = [identity for identity in first.ids.tolist() if str(identity) not in texts]
        if missing:
            raise InvalidParameterError(f"{name} has no vector of node {missing[0]!r}, which {names[0]} has.")
        rows = [texts[str(identity)] for identity in first.ids.tolist()]
        aligned.append(Embedding(first.ids, other.vectors[rows]))
    return aligned


def _column(embedding: "Embedding", text: str, options: dict[str, Any]) -> "NDArray[Any]":
    """Return the values of ``FILE:COLUMN``: floats, or labels if there are strings or few distinct integers."""
    from scipy import sparse

    from residuum.graph import Graph
    from residuum.graph.attributes import as_numbers
    from residuum.graph.codes import object_array

    # The reader matches ids with those of a graph, and a graph needs edges.
    nodes = Graph(sparse.eye_array(len(embedding), format="csr"), embedding.ids)
    values = object_array(list(AttributeReader.of(nodes, options).known(text, "--color").values()))
    present = {value for value in values.tolist() if value is not None}
    few = len(present) <= _FEW_LABELS and all(isinstance(value, int) for value in present)
    if few or any(isinstance(value, str) for value in present):
        return object_array([None if value is None else str(value) for value in values.tolist()])
    return as_numbers(values, f"--color {text}")


def _page(drawing: _Drawing, record: dict[str, Any]) -> str:
    from residuum.report import label_coloring, map_data, map_page, number_coloring

    colorings = [
        (number_coloring if values.dtype.kind == "f" else label_coloring)(name, values)
        for name, values in drawing.columns.items()
    ]
    vectors = {name: embedding.vectors for name, embedding in drawing.embeddings.items()}
    ids = next(iter(drawing.embeddings.values())).ids
    data = map_data(ids, vectors, colorings, method=drawing.projection, random_state=drawing.seed)
    return map_page(data, title=drawing.title, provenance=record)


def _table(file: Path, embedding: "Embedding", drawing: _Drawing, record: dict[str, Any]) -> None:
    """Write the vectors with the columns of the map and of the attributes."""
    from residuum.embedding.files import write_embedding
    from residuum.embedding.map_columns import map_columns

    columns = map_columns(embedding.vectors, drawing.projection, random_state=drawing.seed)
    taken = {*columns, "id", "vector", "context", "offset", "source_offset"} & set(drawing.columns)
    if taken:
        raise InvalidParameterError(
            f"--color: a .parquet output has a column {sorted(taken)[0]!r} of its own; rename this column of the file."
        )
    columns |= {name: values.tolist() for name, values in drawing.columns.items()}
    parts = vars(embedding) | {"metadata": {**embedding.metadata, **record}, "columns": columns}
    write_embedding(file, parts)


def _picture(file: Path, drawing: _Drawing) -> None:
    """Draw one column of panels per embedding, and one row per attribute."""
    from residuum.embedding.drawing import draw_map
    from residuum.embedding.projection import project

    figures = import_extra("matplotlib.figure", "report")
    rows: list[tuple[str, NDArray[Any] | None]] = [*drawing.columns.items()] or [("", None)]
    size = (5.2 * len(drawing.embeddings), 5.4 * len(rows) + 0.3)
    figure = figures.Figure(figsize=size, layout="constrained")
    axes = figure.subplots(len(rows), len(drawing.embeddings), squeeze=False)
    for column, (name, embedding) in enumerate(drawing.embeddings.items()):
        points = project(embedding.vectors, drawing.projection, random_state=drawing.seed)
        for row, (attribute, values) in enumerate(rows):
            draw_map(points, values, name=attribute, ax=axes[row, column])
        axes[0, column].set_title(name)
    figure.suptitle(drawing.title)
    figure.savefig(file, dpi=150, format=file.suffix.lstrip("."))
