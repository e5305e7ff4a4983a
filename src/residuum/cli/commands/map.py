"""Draw a map of embeddings: a page, a picture, or a table for other viewers."""

from pathlib import Path
from typing import Any

import click
from numpy.typing import NDArray
from scipy import sparse

from residuum._files import atomic_path, check_output
from residuum._validation import import_extra
from residuum.cli.attribute_options import AttributeReader, attribute_options
from residuum.cli.display import attribute_names
from residuum.cli.report_output import check_report_extra, file_names
from residuum.embedding import Embedding
from residuum.embedding.drawing import draw_map
from residuum.embedding.projection import PROJECTIONS, project
from residuum.errors import InvalidParameterError
from residuum.graph import Graph
from residuum.graph.attributes import as_numbers
from residuum.graph.codes import object_array

__all__ = ["map"]

# Integers with at most this many distinct values are labels.
_FEW_LABELS = 10
_ENDINGS = (".html", ".png", ".svg", ".pdf", ".parquet")


@click.command()
@click.argument("vectors", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
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
    "--projection", type=click.Choice(PROJECTIONS), default="auto", show_default=True, help="Projection to the plane."
)
@click.option("--title", help="Title. [default: names of the files]")
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed.")
@click.option("--overwrite", is_flag=True, help="Replace OUT if it exists.")
@attribute_options(missing="unknown", meaning="drawn in gray")
@click.option("-q", "--quiet", is_flag=True, help="Hide notes.")
def map(  # the name of the command
    vectors: tuple[Path, ...],
    output: Path,
    color: tuple[str, ...],
    projection: str,
    title: str | None,
    seed: int,
    overwrite: bool,
    **options: Any,
) -> None:
    """Draw the nodes of VECTORS on a map, on which similar nodes are near each other.

    Several files of the same nodes are drawn side by side, with a common selection. A .parquet output keeps the vectors
    and opens in embedding-atlas.

    \b
    Examples:
      residuum map vectors.parquet -o map.html --color people.csv:year
      residuum map node2vec.w2v fair.parquet -o map.png --color people.csv:gender
      residuum map vectors.parquet -o atlas.parquet
    """
    ending = _checked_ending(output, len(vectors))
    check_output(output, overwrite=overwrite, inputs=vectors)
    names = file_names(vectors)
    loaded = [Embedding.load(file) for file in vectors]
    if ending == ".parquet":
        loaded[0].save(output, overwrite=overwrite, with_map=True)
        return
    embeddings = dict(zip(names, _same_nodes(names, loaded), strict=True))
    first = next(iter(embeddings.values()))
    columns = {name: _column(first, text, options) for text, name in attribute_names(color).items()}
    heading = title or f"Map of {', '.join(names)}"
    with atomic_path(output) as temporary:
        if ending == ".html":
            temporary.write_text(_page(embeddings, columns, heading, projection, seed), encoding="utf-8")
        else:
            _picture(temporary, embeddings, columns, heading, projection, seed)


def _checked_ending(output: Path, n_files: int) -> str:
    """Return the extension of the output; fail before the work, not after it."""
    ending = output.suffix.lower()
    if ending not in _ENDINGS:
        raise InvalidParameterError(f"-o {output}: the extension must be one of {', '.join(_ENDINGS)}.")
    if ending == ".parquet" and n_files > 1:
        raise InvalidParameterError(f"-o {output}: a .parquet output accepts one file of vectors; got {n_files}.")
    if ending == ".html":
        check_report_extra()
    return ending


def _same_nodes(names: list[str], embeddings: list[Embedding]) -> list[Embedding]:
    """Return the embeddings with their nodes in the order of the first."""
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


def _column(embedding: Embedding, text: str, options: dict[str, Any]) -> NDArray[Any]:
    """Return the values of ``FILE:COLUMN``: floats, or labels if there are strings or few distinct integers."""
    # The reader matches ids with those of a graph, and a graph needs edges.
    nodes = Graph(sparse.eye_array(len(embedding), format="csr"), embedding.ids)
    values = object_array(list(AttributeReader.of(nodes, options).known(text, "--color").values()))
    present = {value for value in values.tolist() if value is not None}
    few = len(present) <= _FEW_LABELS and all(isinstance(value, int) for value in present)
    if few or any(isinstance(value, str) for value in present):
        return object_array([None if value is None else str(value) for value in values.tolist()])
    return as_numbers(values, f"--color {text}")


def _page(
    embeddings: dict[str, Embedding], columns: dict[str, NDArray[Any]], title: str, projection: str, seed: int
) -> str:
    from residuum.report import label_coloring, map_data, map_page, number_coloring

    colorings = [
        (number_coloring if values.dtype.kind == "f" else label_coloring)(name, values)
        for name, values in columns.items()
    ]
    vectors = {name: embedding.vectors for name, embedding in embeddings.items()}
    ids = next(iter(embeddings.values())).ids
    return map_page(map_data(ids, vectors, colorings, method=projection, random_state=seed), title=title)


def _picture(
    file: Path,
    embeddings: dict[str, Embedding],
    columns: dict[str, NDArray[Any]],
    title: str,
    projection: str,
    seed: int,
) -> None:
    """Draw one column of panels per embedding, and one row per attribute."""
    figures = import_extra("matplotlib.figure", "report")
    rows: list[tuple[str, NDArray[Any] | None]] = [*columns.items()] or [("", None)]
    size = (5.2 * len(embeddings), 5.4 * len(rows) + 0.3)
    figure = figures.Figure(figsize=size, layout="constrained")
    axes = figure.subplots(len(rows), len(embeddings), squeeze=False)
    for column, (name, embedding) in enumerate(embeddings.items()):
        points = project(embedding.vectors, projection, random_state=seed)
        for row, (attribute, values) in enumerate(rows):
            draw_map(points, values, name=attribute, ax=axes[row, column])
        axes[0, column].set_title(name)
    figure.suptitle(title)
    figure.savefig(file, dpi=150, format=file.suffix.lstrip("."))
