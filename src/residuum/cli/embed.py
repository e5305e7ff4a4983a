"""residuum embed"""

import contextlib
import logging
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from residuum import Residual2Vec, nulls
from residuum.cli.interruption import interruptible
from residuum.cli.method_options import model_from_options
from residuum.cli.progress import progress_bar
from residuum.embedding.files import check_ids, format_of
from residuum.errors import InvalidParameterError
from residuum.graph import Graph, read_graph
from residuum.models.node_embedding import NodeEmbedding

__all__ = ["embed"]


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="OUT",
    help="Where the vectors go; the ending says how: .parquet, .npz, or .w2v (word2vec text).",
)
@click.option(
    "-m",
    "--method",
    default="residual2vec",
    show_default=True,
    metavar="NAME",
    help="residuum methods lists them.",
)
@click.option("-k", "--dim", default=64, show_default=True, help="Length of the vectors.")
@click.option(
    "--null",
    "null_name",
    metavar="NAME",
    help=f"What to remove: {', '.join(nulls.null_model_names())}. "
    "[default: what --groups, --time or --coordinates ask for, else configuration]",
)
@click.option(
    "--gamma",
    callback=lambda context, parameter, value: None if value is None else _number_or_word(value),
    metavar="G",
    help="Exponent of the configuration null: 1 removes degree, 0.75 is what node2vec assumes; "
    "auto leaves in the vectors what of the degree helps to find hidden edges.",
)
@click.option(
    "--groups",
    multiple=True,
    metavar="FILE:COLUMN",
    help="Labels whose mixing is removed: a column of a csv or parquet file with one row a node, "
    "or the name of a node attribute of the graph file. Several times for several labels.",
)
@click.option("--time", metavar="FILE:COLUMN", help="Times of the nodes, for the temporal null.")
@click.option(
    "--coordinates", metavar="FILE:X,Y", help="Places of the nodes (FILE:LAT,LON on earth), for the spatial null."
)
@click.option(
    "--erase",
    multiple=True,
    metavar="FILE:COLUMN",
    help="What no linear predictor may find in the vectors: a column, 'degree', or 'null' (the null's own groups).",
)
@click.option(
    "--teleport", type=float, metavar="P", help="How often walkers of a directed graph jump. [default: as needed]"
)
@click.option(
    "-t",
    "--window",
    default="10",
    show_default=True,
    callback=lambda context, parameter, value: int(value) if value.isdecimal() else value,
    metavar="STEPS",
    help="Longest walk between two nodes, or auto: what finds hidden edges best.",
)
@click.option(
    "--floor",
    default="-3",
    show_default=True,
    callback=lambda context, parameter, value: _number_or_word(value),
    metavar="F",
    help="Lowest association that is told apart; 0 as in the paper, or auto.",
)
@click.option(
    "--weighting",
    default="0.5",
    show_default=True,
    callback=lambda context, parameter, value: _number_or_word(value),
    metavar="W",
    help="How much pairs of high degree count in the fit; 0 as in the paper, 1 as in skip-gram, or auto.",
)
@click.option(
    "--power",
    default="1",
    show_default=True,
    callback=lambda context, parameter, value: _number_or_word(value),
    metavar="P",
    help="Above 1, strong components count more and weak ones, which are noisy, less; or auto.",
)
@click.option(
    "--shrinkage",
    default="0",
    show_default=True,
    callback=lambda context, parameter, value: _number_or_word(value),
    metavar="C",
    help="Share of the weakest component's strength that is taken from all of them; below 1, or auto.",
)
@click.option(
    "--scale",
    default="1",
    show_default=True,
    callback=lambda context, parameter, value: _number_or_word(value),
    metavar="S",
    help="Factor of the association beside what the null explains, or auto: what finds hidden edges best.",
)
@click.option(
    "--refine",
    default="0",
    show_default=True,
    callback=lambda context, parameter, value: int(value) if value.isdecimal() else value,
    metavar="N",
    help="Sweeps over all pairs after the factorisation, for many small groups, or auto.",
)
@click.option(
    "--auto",
    is_flag=True,
    help="Choose window, floor, weighting, power, shrinkage, scale and refine, if they are not given.",
)
@click.option(
    "--solver", default="auto", show_default=True, metavar="NAME", help="exact, landmark, block, sgd, or auto."
)
@click.option("--p", type=float, metavar="P", help="Return parameter of the walks (node2vec). [default: 1]")
@click.option("--q", type=float, metavar="Q", help="In-out parameter of the walks (node2vec). [default: 1]")
@click.option("--walks", type=int, metavar="N", help="Walks from each node, for methods that walk. [default: 10]")
@click.option("--walk-length", type=int, metavar="N", help="Steps of a walk. [default: 80]")
@click.option("--epochs", type=int, metavar="N", help="Rounds of training, for methods that train. [default: 5]")
@click.option(
    "--landmarks",
    type=int,
    metavar="M",
    help="Fix the number of landmarks. [default: until --tolerance is met]",
)
@click.option(
    "--tolerance",
    type=float,
    default=0.16,
    metavar="X",
    help="Error at which there are enough landmarks. [default: 0.16; 0.05 with --auto, after the choice]",
)
@click.option("--blocks", type=int, metavar="B", help="Blocks of the block solver. [default: 1000, or 25 a group]")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same vectors.")
@click.option("--memory", metavar="SIZE", help="Memory for the solver, such as 8GiB. [default: half of what is free]")
@click.option(
    "--checkpoint",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Save the stages of the run here; the same command goes on where it was stopped.",
)
@click.option("--threads", type=int, metavar="N", help="[default: all cores]")
@click.option(
    "--directed/--undirected",
    default=None,
    help="What the edges are. [default: undirected, unless the file says]",
)
@click.option("--source", metavar="COLUMN", help="Name of the column with the first node of an edge.")
@click.option("--target", metavar="COLUMN", help="Name of the column with the second node.")
@click.option("--weight", metavar="COLUMN", help="Name of the column with the weight.")
@click.option("--overwrite", is_flag=True, help="Replace OUT if it exists.")
@click.option("-v", "--verbose", is_flag=True, help="Say what time and memory are expected before the work begins.")
@click.option("-q", "--quiet", is_flag=True, help="No progress and no summary.")
def embed(graph: Path, output: Path, **options: Any) -> None:
    """Embed GRAPH: one vector for each node, free of what the null model explains.

    GRAPH is an edge list (csv, tsv, or columns separated by blanks; a header is found by itself), a parquet edge
    table, a MatrixMarket or scipy .npz matrix, GraphML or GML; text may be gzipped.

    \b
    Examples:
      residuum embed edges.csv -o vectors.parquet
      residuum embed edges.tsv.gz -o vectors.w2v --dim 128 --auto
      residuum embed friends.csv -o fair.parquet --groups people.csv:gender --erase null
      residuum embed citations.csv -o out.npz --directed
      residuum embed edges.csv -o vectors.parquet --method node2vec --q 0.5
    """
    context = click.get_current_context()
    given = {name for name in options if context.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    _check_output(output, options["overwrite"])
    began = time.perf_counter()
    loaded = read_graph(
        graph,
        directed=options["directed"],
        source=options["source"],
        target=options["target"],
        weight=options["weight"],
    )
    check_ids(output, loaded.node_ids)
    stoppable = interruptible(options["checkpoint"])
    with stoppable, _logged(options["verbose"]), progress_bar(options["quiet"]) as progress:
        model = model_from_options(loaded, options, given, progress).fit(loaded)
    model.to_embedding().save(output)
    if not options["quiet"]:
        _say(model, loaded, output, time.perf_counter() - began)


class _Echo(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        click.echo(record.getMessage(), err=True)


@contextlib.contextmanager
def _logged(verbose: bool) -> Iterator[None]:
    """Show what the library logs inside the block, on stderr."""
    logger, handler = logging.getLogger("residuum"), _Echo()
    level = logger.level
    if verbose:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def _number_or_word(value: str) -> float | str:
    if value.isalpha():
        return value
    try:
        return float(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is neither a number nor 'auto'.") from None


def _check_output(output: Path, overwrite: bool) -> None:
    """Refuse before the work what would fail, or lose something, after it."""
    format_of(output)
    if not output.parent.is_dir():
        raise InvalidParameterError(f"the folder {output.parent} does not exist; make it first.")
    if output.is_dir():
        raise InvalidParameterError(f"{output} is a folder; name a file.")
    if output.exists() and not overwrite:
        raise InvalidParameterError(f"{output} exists; say --overwrite to replace it.")
    try:
        with tempfile.TemporaryFile(dir=output.resolve().parent):
            pass
    except OSError as error:
        raise InvalidParameterError(
            f"nothing can be written to the folder {output.parent} ({error.strerror or error}); name another one."
        ) from error


def _short(value: Any) -> str:
    """Return a chosen value in few words: weights that fall are told by their number."""
    return f"{len(value)} falling" if isinstance(value, tuple) else f"{value:.3g}"


def _say(model: NodeEmbedding, graph: Graph, output: Path, seconds: float) -> None:
    made = [f"{model.embedding_.shape[1]} components"]
    if type(model) is Residual2Vec:
        erased = f", {' and '.join(model.erased_)} erased" if model.erased_ else ""
        error = f", error {model.approximation_error_:.3f}" if model.approximation_error_ else ""
        made.append(f"{model.null_model_!r} null{erased}, {model.solver_} solver{error}")
        if model.chosen_:
            made.append(", ".join(f"{name} {_short(value)}" for name, value in model.chosen_.items()) + " chosen")
    else:
        made.append(type(model).__name__)
    click.echo(f"{graph}: {', '.join(made)}, {seconds:.1f} s -> {output}")
