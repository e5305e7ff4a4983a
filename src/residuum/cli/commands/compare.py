"""Compare methods and null models on one graph: links, leakage and a page."""

import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from residuum._progress import ProgressCallback, duration
from residuum.cli.attribute_options import AttributeReader, attribute_options
from residuum.cli.display import attribute_names, print_table, wrapped
from residuum.cli.graph_options import graph_options, load_graph
from residuum.cli.method_options import fitting_dim
from residuum.cli.null_options import erasure_from_options, null_model_from_options
from residuum.cli.progress import progress_bar
from residuum.cli.provenance import OutputPath, provenance
from residuum.cli.report_output import (
    attribute_colorings,
    attribute_records,
    check_reports,
    page_of,
    today,
    write_text,
)
from residuum.errors import InvalidParameterError

if TYPE_CHECKING:
    from residuum import nulls
    from residuum.models.base import NodeEmbedding

__all__ = ["compare"]


def _listed(context: click.Context, parameter: click.Parameter, text: str) -> list[str]:
    """Parse a comma-separated list of distinct names."""
    del context, parameter
    return list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.option(
    "--methods",
    default="node2vec,residual2vec",
    show_default=True,
    callback=_listed,
    metavar="NAMES",
    help="Methods, separated by commas; see residuum methods. The first is the baseline.",
)
@click.option(
    "--nulls",
    "null_names",
    default="configuration",
    show_default=True,
    callback=_listed,
    metavar="NAMES",
    help="Null models of residual2vec, separated by commas; see residuum nulls.",
)
@click.option("--groups", multiple=True, metavar="FILE:COLUMN", help="Node label to look for (repeatable).")
@click.option("--numbers", multiple=True, metavar="FILE:COLUMN", help="Node number to look for (repeatable).")
@click.option(
    "--erase-level",
    "levels",
    multiple=True,
    type=click.Choice(["linear", "distribution"]),
    help="Also embed with --groups erased at this level by residual2vec (repeatable).",
)
@click.option(
    "--hold-out",
    type=click.FloatRange(0, 0.9),
    default=0.2,
    show_default=True,
    metavar="F",
    help="Fraction of the edges to hold out and predict.",
)
@click.option("-o", "--output", type=OutputPath(), metavar="HTML", help="Write the audit page.")
@click.option("-k", "--dim", default=64, show_default=True, help="Number of dimensions.")
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed.")
@click.option("--threads", type=int, metavar="N", help="Number of threads. [default: all cores]")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.option("--overwrite", is_flag=True, help="Replace the output file.")
@attribute_options(missing="unknown", meaning="left out; in a null model, a group of their own")
@graph_options
@click.option("-q", "--quiet", is_flag=True, help="Hide notes and progress.")
def compare(
    graph: Path,
    methods: list[str],
    null_names: list[str],
    groups: tuple[str, ...],
    numbers: tuple[str, ...],
    levels: tuple[str, ...],
    hold_out: float,
    output: Path | None,
    dim: int,
    seed: int,
    threads: int | None,
    as_json: bool,
    overwrite: bool,
    **options: Any,
) -> None:
    """Embed GRAPH with several methods and null models, and compare links and leakage.

    A fraction of the edges is held out; the rest is embedded and audited.

    \b
    Examples:
      residuum compare edges.csv --methods deepwalk,node2vec,residual2vec
      residuum compare friends.csv --nulls configuration,dcsbm --groups people.csv:gender -o report.html
      residuum compare friends.csv --groups people.csv:gender --erase-level distribution -o report.html
    """
    import numpy as np

    from residuum.evaluation import audit, hide_edges
    from residuum.models.record import input_record
    from residuum.report import summarize

    check_reports(output, None, overwrite=overwrite, inputs=[graph])
    loaded = load_graph(graph, options)
    split = hide_edges(loaded, hold_out, np.random.default_rng(seed))
    reader = AttributeReader.of(split.train, options)
    names = attribute_names([*groups, *numbers])
    labels = {names[text]: reader.measured_labels(text, "--groups") for text in groups}
    values = {names[text]: reader.measured_numbers(text, "--numbers") for text in numbers}
    common = {"n_components": fitting_dim(dim, loaded), "random_state": seed, "n_jobs": threads}
    residual2vec = _residual2vec(reader, null_names, groups, levels, common) if "residual2vec" in methods else {}
    models, seconds = _models(reader, methods, residual2vec, groups, common), {}
    with progress_bar(options["quiet"]) as progress:
        for name, model in models.items():
            began = time.perf_counter()
            _with_progress(model, progress).fit(split.train)
            seconds[name] = time.perf_counter() - began
        result = audit(
            split.train,
            {name: model.to_embedding() for name, model in models.items()},
            labels=labels,
            numbers=values,
            hidden=split.hidden if len(split.hidden) else None,
            random_state=seed,
            progress=progress,
        )
    summary = {**summarize(result), "seconds": seconds}
    files = [input_record("graph", graph), *attribute_records(groups + numbers, loaded)]
    methods_used = {name: dict(model.to_embedding().metadata) for name, model in models.items()}
    record = provenance(files, seed=seed, created=today(), methods=methods_used)
    if output is not None:
        colorings = attribute_colorings(split.train, labels, values)
        title = f"Comparison on {graph.name}"
        write_text(output, page_of(result, summary, colorings, title=title, provenance=record))
    if as_json:
        click.echo(json.dumps({**summary, "provenance": record}, indent=2, ensure_ascii=False))
        return
    _show(summary)
    if output is not None and not options["quiet"]:
        click.echo(str(output))


def _models(
    reader: AttributeReader,
    methods: list[str],
    residual2vec: "dict[str, NodeEmbedding]",
    groups: tuple[str, ...],
    common: dict[str, Any],
) -> "dict[str, NodeEmbedding]":
    """Return the estimators by name, in the order of the methods."""
    from residuum.models import Residual2Vec, method_from_name

    if not methods:
        raise InvalidParameterError("--methods must name at least one method; see residuum methods.")
    models: dict[str, NodeEmbedding] = {}
    for name in methods:
        method = method_from_name(name)
        if method is Residual2Vec:
            models |= residual2vec
            continue
        accepted = method().get_params()
        parameters = {key: value for key, value in common.items() if key in accepted}
        if "groups" in accepted:
            if len(groups) != 1:
                raise InvalidParameterError(f"method {name} needs one --groups; got {len(groups)}.")
            parameters["groups"] = reader.labels(groups[0], "--groups")
        models[name] = method(**parameters)
    return models


def _residual2vec(
    reader: AttributeReader,
    null_names: list[str],
    groups: tuple[str, ...],
    levels: tuple[str, ...],
    common: dict[str, Any],
) -> "dict[str, NodeEmbedding]":
    """Return residual2vec with each null model, without erasure and at each level of it."""
    from residuum.models import Residual2Vec

    if levels and not groups:
        raise InvalidParameterError("--erase-level needs --groups, the labels to erase.")
    models: dict[str, NodeEmbedding] = {}
    for null_name in null_names:
        key = "residual2vec" if len(null_names) == 1 else f"residual2vec, {null_name}"
        null_model = _null_model(reader, null_name, groups)
        models[key] = Residual2Vec(null_model=null_model, **common)
        for level in dict.fromkeys(levels):
            erased = erasure_from_options(reader, groups)
            models[f"{key}, {level} erasure"] = Residual2Vec(
                null_model=null_model, erase=erased, erase_level=level, **common
            )
    return models


def _null_model(reader: AttributeReader, name: str, groups: tuple[str, ...]) -> "nulls.NullModel":
    from residuum import nulls

    accepted = getattr(nulls.null_model_class(name), "options", {})
    used = groups if "groups" in accepted else ()
    return null_model_from_options(reader, null_name=name, gamma=None, groups=used, time=None, coordinates=None)


def _with_progress(model: "NodeEmbedding", progress: ProgressCallback | None) -> "NodeEmbedding":
    if progress is not None and "progress" in model.get_params():
        model.set_params(progress=progress)
    return model


def _show(summary: Mapping[str, Any]) -> None:
    from residuum.evaluation.diagnosis import interval_text

    names = [embedding["name"] for embedding in summary["embeddings"]]
    links = [row for row in summary["measures"] if "AUC" in row["name"]]
    columns = [("method", False), ("time", True), *((row["name"], True) for row in links)]
    columns += [(subject["name"], False) for subject in summary["subjects"]]
    rows = [
        (
            name,
            duration(summary["seconds"][name]),
            *(interval_text(row["values"][name], row["margins"][name]) for row in links),
            *(_cell(subject["embeddings"][name]) for subject in summary["subjects"]),
        )
        for name in names
    ]
    print_table(summary["graph"]["text"], columns, rows)
    note = "Attributes: verdict; balanced accuracy of the strongest attacker (chance). Degree: verdict; R²."
    click.echo(wrapped(note, sys.stdout))


def _cell(result: Mapping[str, Any]) -> str:
    """Return the verdict and the first check: attackers, or similarity if there are none."""
    check = result["checks"][0]
    chance = f" ({check['expected']:.2f})" if check["name"] == "attackers" else ""
    return f"{result['level']}; {check['value']:.2f}{chance}"
