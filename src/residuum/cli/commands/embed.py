"""Embed a graph: one vector per node, debiased by a null model."""

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from residuum.cli.attribute_options import attribute_options
from residuum.cli.display import printed_log
from residuum.cli.graph_options import explain_if_asked, graph_options, load_graph
from residuum.cli.method_options import fitting_dim, model_from_options
from residuum.cli.null_options import ERASED_BY_NAME
from residuum.cli.progress import interruptible, progress_bar
from residuum.cli.provenance import OutputPath, check_vectors, provenance, save_vectors
from residuum.errors import InvalidParameterError

if TYPE_CHECKING:
    from residuum.embedding import Embedding
    from residuum.graph import Graph

__all__ = ["embed"]

# Options from the command line, or from the file of --config.
_EXPLICIT = (ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP)
Converter = Callable[[click.Context, click.Parameter, str | None], list[Any] | None]


def _numbers(kind: type[Any]) -> Converter:
    """Return a click callback that parses one number or a comma-separated list of numbers."""

    def convert(context: click.Context, parameter: click.Parameter, text: str | None) -> list[Any] | None:
        del context, parameter
        if text is None:
            return None
        try:
            return [kind(part) for part in text.split(",")]
        except ValueError:
            singular, plural = ("an integer", "integers") if kind is int else ("a number", "numbers")
            raise click.BadParameter(f"{text!r} is not {singular} or a comma-separated list of {plural}.") from None

    return convert


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=OutputPath(),
    metavar="OUT",
    help="Output file: .parquet, .npz, or .w2v (word2vec text).",
)
@click.option(
    "--model",
    "model_folder",
    type=OutputPath(),
    metavar="DIR",
    help="Save the fitted model in this folder, which ends in .r2m, for residuum transform; OUT may then be left out.",
)
@click.option("-m", "--method", default="residual2vec", show_default=True, metavar="NAME", help="See residuum methods.")
@click.option("-k", "--dim", default=64, show_default=True, help="Number of dimensions.")
@click.option(
    "--null",
    "null_name",
    metavar="NAME",
    help="Null model; see residuum nulls. [default: configuration, or implied by --groups, --time or --coordinates]",
)
@click.option(
    "--gamma",
    callback=_numbers(float),
    metavar="G",
    help="Degree exponent of the configuration null model: 1 removes degree. [default: 1; node2vec: 0.75]",
)
@click.option(
    "--groups",
    multiple=True,
    metavar="FILE:COLUMN",
    help="Node labels whose mixing to remove: a column of a csv or parquet file with one row per node, or a node "
    "attribute of the graph (repeatable).",
)
@click.option("--time", metavar="FILE:COLUMN", help="Node times, for the temporal null model.")
@click.option(
    "--coordinates",
    metavar="FILE:X,Y",
    help="Node coordinates, or FILE:LAT,LON, for the spatial null model.",
)
@click.option(
    "--erase",
    multiple=True,
    metavar="FILE:COLUMN",
    help="Attribute to remove from the vectors: a column, 'degree', or 'null' for the groups of the null model "
    "(repeatable).",
)
@click.option(
    "--erase-level",
    type=click.Choice(["linear", "distribution"]),
    default="linear",
    show_default=True,
    help="linear: no linear model predicts the attribute; nearest neighbors and non-linear models may, mostly no "
    "better than before erasure. distribution: no model predicts it from the vectors, at a higher cost in link "
    "prediction. Neither protects from an attacker who has the graph. See residuum frontier.",
)
@click.option(
    "--erase-strength",
    type=float,
    default=1.0,
    show_default=True,
    metavar="S",
    help="From 0, no erasure, to 1, the guarantee of the level.",
)
@click.option(
    "-t",
    "--window",
    callback=_numbers(int),
    metavar="STEPS",
    help="Window length in steps. [default: decreasing weights, read off mean degree and triangles; other methods: 10]",
)
@click.option(
    "--floor",
    callback=_numbers(float),
    metavar="F",
    help="Clip associations below this value. [default: -3; 0 for directed graphs with few cycles; paper: 0]",
)
@click.option(
    "--weighting",
    callback=_numbers(float),
    metavar="W",
    help="Weight of high-degree pairs, from 0 (paper) to 1 (skip-gram). [default: 0.5]",
)
@click.option(
    "--power",
    callback=_numbers(float),
    metavar="P",
    help="Exponent of the singular values; above 1, weak dimensions count less. [default: 1]",
)
@click.option(
    "--shrinkage",
    callback=_numbers(float),
    metavar="C",
    help="Share of the smallest singular value to subtract from all. [default: by left-out edges]",
)
@click.option(
    "--scale",
    callback=_numbers(float),
    metavar="S",
    help="Factor of the association in the full score. [default: by left-out edges]",
)
@click.option(
    "--refine",
    callback=_numbers(int),
    metavar="N",
    help="Newton sweeps on the likelihood of skip-gram, for graphs with many dense communities. [default: 0]",
)
@click.option(
    "--tune",
    is_flag=False,
    flag_value="both",
    type=click.Choice(["residual", "full", "both"]),
    metavar="[residual|full|both]",
    help="Tune window, floor, weighting, power, shrinkage, scale and refine on held-out edges, by the AUC of the "
    "residual score, the full score, or both (default). One value for an option fixes it; a list (1,2,5) is searched.",
)
@click.option(
    "--solver",
    default="auto",
    show_default=True,
    metavar="NAME",
    help="Solver: exact, landmark, block, likelihood, skipgram, or auto.",
)
@click.option("--landmarks", type=int, metavar="M", help="Number of landmarks. [default: by --tolerance]")
@click.option("--tolerance", type=float, metavar="X", help="Add landmarks until this error. [default: 0.3]")
@click.option(
    "--clusters",
    type=int,
    metavar="B",
    help="Clusters of the block solver. [default: 1000, but at least 25 per group]",
)
@click.option("--p", type=float, metavar="P", help="Return parameter of node2vec. [default: 1]")
@click.option("--q", type=float, metavar="Q", help="In-out parameter of node2vec. [default: 1]")
@click.option("--walks", type=int, metavar="N", help="Random walks per node. [default: 10]")
@click.option("--walk-length", type=int, metavar="N", help="Steps per walk. [default: 80]")
@click.option("--epochs", type=int, metavar="N", help="Training epochs. [default: 5; GNNs: 100]")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed.")
@click.option("--memory", metavar="SIZE", help="Memory limit, such as 8GiB. [default: half of free memory]")
@click.option(
    "--checkpoint",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Save finished stages here; the same command resumes a stopped run.",
)
@click.option("--threads", type=int, metavar="N", help="Number of threads. [default: all cores]")
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Embed on the Dask cluster with this scheduler, or local for worker processes on this machine. GRAPH is a "
    "folder of parquet files or an .r2g, OUT and --checkpoint are folders, on storage that the workers share.",
)
@click.option("--partitions", type=int, metavar="N", help="Parts of the nodes on a cluster. [default: by memory]")
@attribute_options(missing="error", meaning="a group of their own, with the label unknown")
@graph_options
@click.option("--overwrite", is_flag=True, help="Replace OUT if it exists.")
@click.option("-v", "--verbose", is_flag=True, help="Show expected time and memory, null model and parameters.")
@click.option("--json", "as_json", is_flag=True, help="Print method, parameters and outcome as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Print errors only.")
def embed(graph: Path, output: Path | None, **options: Any) -> None:
    """Embed GRAPH: one vector per node, debiased by a null model.

    GRAPH is an edge list (csv, tsv, or whitespace-separated columns; a header is detected), a parquet edge table, a
    MatrixMarket or scipy .npz matrix, GraphML, GML, or an .r2g folder of residuum convert. Text may be gzipped.

    \b
    Examples:
      residuum embed edges.csv -o vectors.parquet
      residuum embed edges.tsv.gz -o vectors.w2v --dim 128 --tune
      residuum embed edges.csv -o fair.npz --groups people.csv:gender --erase null
      residuum embed edges.csv -o fair.npz --erase people.csv:gender --erase-level distribution
      residuum embed citations.csv -o out.npz --directed
      residuum embed edges.csv -o vectors.parquet --method node2vec --q 0.5
      residuum embed edges/ -o vectors/ --scheduler tcp://10.0.0.1:8786 --checkpoint /shared/run
    """
    from residuum.embedding.files import check_ids
    from residuum.models.record import input_record
    from residuum.models.saved import check_model_output

    explain_if_asked(graph, options)
    context = click.get_current_context()
    if output is None and (options["model_folder"] is None or options["scheduler"] is not None):
        raise click.MissingParameter(ctx=context, param=next(p for p in context.command.params if p.name == "output"))
    explicit = {name for name in options if context.get_parameter_source(name) in _EXPLICIT}
    if options["scheduler"] is not None:
        from residuum.cli.cluster import embed_on_cluster

        assert output is not None
        embed_on_cluster(graph, output, options, explicit)
        return
    _refuse_cluster_options(explicit)
    if output is not None:
        _check_output(output, options["overwrite"], [graph, *_attribute_files(options)])
    model_folder = options.pop("model_folder")
    if model_folder is not None:
        check_model_output(model_folder, overwrite=options["overwrite"])
    began = time.perf_counter()
    loaded = load_graph(graph, options)
    if output is not None:
        check_ids(output, loaded.node_ids)
    options["dim"] = fitting_dim(options["dim"], loaded)
    stoppable = interruptible(options["checkpoint"])
    with stoppable, printed_log(options["verbose"]), progress_bar(options["quiet"]) as progress:
        model = model_from_options(loaded, options, explicit, progress)
        if model_folder is not None:
            _require_save(model, options["method"])
        model.fit(loaded)
    model.inputs_ = [input_record("graph", graph), *_attribute_records(loaded, options)]
    embedding = _write(model, output, model_folder, options["overwrite"])
    if options["as_json"]:
        click.echo(
            json.dumps({**embedding.metadata, "output": str(output or model_folder)}, indent=2, ensure_ascii=False)
        )
    elif not options["quiet"]:
        if options["verbose"]:
            click.echo("\n".join(_details(model, loaded)))
        click.echo(_summary(model, output or model_folder, time.perf_counter() - began))


def _refuse_cluster_options(explicit: set[str]) -> None:
    if "partitions" in explicit:
        raise InvalidParameterError("--partitions applies to a cluster only; add --scheduler, or leave it out.")


def _require_save(model: Any, method: str) -> None:
    if not hasattr(model, "save"):
        raise InvalidParameterError(
            f"--model saves models that embed out-of-sample nodes, which --method {method} does not; leave it out."
        )


def _write(model: Any, output: Path | None, model_folder: Path | None, overwrite: bool) -> "Embedding":
    """Write the vectors and the model, as far as asked for; return the vectors with their provenance."""
    record = provenance(model.inputs_)
    embedding: Embedding = model.to_embedding()
    embedding.metadata = {**embedding.metadata, **record}
    if output is not None:
        save_vectors(embedding, output, overwrite=overwrite)
    if model_folder is not None:
        model.save(model_folder, overwrite=overwrite, record=record)
    return embedding


def _attribute_files(options: dict[str, Any]) -> list[Path]:
    """Return the files in the values FILE:COLUMN of the options."""
    return [Path(text.rpartition(":")[0]) for _, text in _attributes(options) if ":" in text]


def _attributes(options: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the name and the value of each option that names a node attribute."""
    values = {name: options[name] for name in ("groups", "erase", "time", "coordinates")}
    return [
        (name, text)
        for name, value in values.items()
        for text in (value if isinstance(value, tuple) else (value,))
        if text is not None
    ]


def _attribute_records(graph: "Graph", options: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the records of the attributes in other files, and of the node attributes of the graph, that are used."""
    from residuum.models.record import input_record

    records: list[dict[str, Any]] = []
    for role, text in _attributes(options):
        file, _, column = text.rpartition(":")
        if file and text not in graph.node_attributes:
            records.append(input_record(role, file, column))
        elif text not in ERASED_BY_NAME:
            records.append({"role": role, "attribute": text})
    return records


def _check_output(output: Path, overwrite: bool, inputs: list[Path]) -> None:
    """Fail before the work, not after it."""
    check_vectors(output, overwrite=overwrite, inputs=inputs)
    try:
        with tempfile.TemporaryFile(dir=output.resolve().parent):
            pass
    except OSError as error:
        raise InvalidParameterError(
            f"the folder {output.parent} is not writable ({error.strerror or error}); choose another."
        ) from error


def _summary(model: Any, output: Path, seconds: float) -> str:
    """Return one line: output file, numbers of nodes and dimensions, solver and time."""
    n_nodes, n_components = model.embedding_.shape
    solver = f", {model.solver_} solver" if hasattr(model, "solver_") else ""
    return f"{output}: {n_nodes} nodes, {n_components} dimensions{solver}, {seconds:.1f} s"


def _details(model: Any, graph: "Graph") -> list[str]:
    """Return one or two lines: graph and method, and parameters that were tuned or read off the graph."""
    method = type(model).__name__
    if hasattr(model, "null_model_") and hasattr(model, "erased_") and method.startswith("Residual2Vec"):
        error = f", error {model.approximation_error_:.3f}" if model.approximation_error_ else ""
        erased = f", {' and '.join(model.erased_)} erased{_level(model)}" if model.erased_ else ""
        method = f"{model.null_model_!r} null model{erased}, {model.solver_} solver{error}"
    lines = [f"{graph}: {model.embedding_.shape[1]} dimensions, {method}"]
    if hasattr(model, "best_params_"):
        from residuum.selection.tunables import shown  # a model that was not tuned does not need it

        tuned = ", ".join(f"{name} {shown(value)}" for name, value in model.best_params_.items())
        lines.append(f"tuned on held-out edges: {tuned}")
    else:
        lines += _read_off(model)
    return lines


def _read_off(model: Any) -> list[str]:
    """Return a line on the values that were read off the graph, and from what; none if all were set."""
    details = getattr(model, "solver_details_", {})
    parts = []
    if "effective_degree" in details:
        read = f"mean degree {details['effective_degree']:.1f}"
        if "triangles_by_degree" in details:
            read += f"; degrees explain {details['triangles_by_degree']:.0%} of the triangles"
        parts.append(f"window {len(model.window_)} ({read})")
    if "weight_in_cycles" in details:
        parts.append(f"floor {model.floor_:g} ({details['weight_in_cycles']:.0%} of the arcs in cycles)")
    if details.get("left_out_edges"):
        n_edges, n_dimensions = details["left_out_edges"], details["remaining_dimensions"]
        fitted = f"shrinkage {model.shrinkage_:.3g} ({n_dimensions} dimensions remain), scale {model.scale_:.3g}"
        parts.append(f"{fitted} ({n_edges} left-out edges, noise {details['noise_leakage']:.2f} of 1)")
    if "signal_dimensions" in details:
        parts.append(f"alpha {model.alpha_:.2g} ({details['signal_dimensions']} dimensions above the noise)")
    return [f"read off the graph: {', '.join(parts)}"] if parts else []


def _level(model: Any) -> str:
    """Return level and strength of the erasure."""
    strength = "" if model.erase_strength == 1.0 else f", strength {model.erase_strength:g}"
    return f" ({model.erase_level}{strength})"
