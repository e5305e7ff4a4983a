"""Measure the price of erasure: link prediction against leakage."""

import csv
import importlib.util
import json
import shlex
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from residuum._files import atomic_path, check_output
from residuum.cli.attribute_options import AttributeReader, attribute_options
from residuum.cli.display import print_table
from residuum.cli.graph_options import graph_options, load_graph
from residuum.cli.progress import progress_bar
from residuum.cli.provenance import OutputPath, provenance, record_file, write_record
from residuum.cli.recommendation import repeated_options
from residuum.errors import InvalidParameterError, ResiduumWarning

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from residuum.selection import FrontierPoint

__all__ = ["frontier"]

_STRENGTHS = {"linear": (0.5, 1.0), "distribution": (0.25, 0.5, 0.75, 1.0)}
_HELD_OUT = 0.5


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.option("--groups", required=True, metavar="FILE:COLUMN", help="Node label to erase.")
@click.option("-o", "--output", type=OutputPath(), metavar="CSV", help="Write the table as csv.")
@click.option("--figure", type=OutputPath(), metavar="PNG", help="Draw the frontier; needs residuum[report].")
@click.option("-k", "--dim", default=64, show_default=True, help="Number of dimensions.")
@click.option("--max-leak", default=0.05, show_default=True, help="Largest leakage of the recommended setting.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed.")
@click.option("--threads", type=int, metavar="N", help="Number of threads. [default: all cores]")
@click.option("--overwrite", is_flag=True, help="Replace output files.")
@click.option("--json", "as_json", is_flag=True, help="Print the table and the recommended setting as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Hide progress.")
@attribute_options(missing="error", meaning="a group of its own")
@graph_options
def frontier(
    graph: Path,
    groups: str,
    output: Path | None,
    figure: Path | None,
    dim: int,
    max_leak: float,
    seed: int,
    threads: int | None,
    overwrite: bool,
    **options: Any,
) -> None:
    """Measure what erasing a label of GRAPH costs, and recommend a setting.

    Half of the edges are held out. The rest is embedded at several levels and strengths of erasure, and with FairWalk,
    CrossWalk, the dcSBM null model and LEACE (if residuum[benchmarks] is installed) for comparison. Link AUC is against
    degree-matched non-edges; leakage is the distance from chance of the strongest of nine attackers who predict the
    label from the vectors. Both have 95 % confidence intervals, over pairs and over nodes, for one split of the edges.

    \b
    Examples:
      residuum frontier friends.csv --groups people.csv:gender
      residuum frontier friends.csv --groups people.csv:gender -o frontier.csv --figure frontier.png
    """
    import numpy as np

    from residuum.evaluation import link_task
    from residuum.graph import node_values
    from residuum.models.record import input_record
    from residuum.selection import measure_frontier, recommended_point

    _check_outputs(output, figure, overwrite, graph)
    loaded = load_graph(graph, options)
    values = AttributeReader.of(loaded, options).labels(groups, "--groups")
    labels = np.asarray(node_values(loaded, values, "--groups")).astype(str)
    task = link_task(loaded, _HELD_OUT, np.random.default_rng(seed))
    common = {"n_components": dim, "random_state": seed, "n_jobs": threads}
    with progress_bar(options["quiet"]) as progress:
        by_id = dict(zip(loaded.node_ids.tolist(), labels.tolist(), strict=True))
        points = measure_frontier(
            task,
            labels,
            _models(by_id, common),
            post_hoc=_post_hoc(labels),
            random_state=seed,
            progress=progress,
        )
    best = recommended_point([point for point in points if point.name in _settings()], max_leak)
    name = groups.rpartition(":")[2]
    setting = ["--dim", str(dim), "--erase", groups, *_options(best.name), "--seed", str(seed)]
    reading = repeated_options(click.get_current_context())
    missing = ["--missing", options["missing"]] if options["missing"] != "error" else []
    command = shlex.join(["residuum", "embed", str(graph), "-o", "fair.parquet", *setting, *reading, *missing])
    if options["as_json"]:
        facts = {"recommended": best.name, "command": command, "points": list(map(_facts, points))}
        click.echo(json.dumps(facts, indent=2))
    else:
        _show(points, best, name, command)
    record = provenance([input_record("graph", graph)], seed=seed)
    if output is not None:
        _write(output, points)
        write_record(output, record)
    if figure is not None:
        from residuum.report import FrontierRow, frontier_figure

        rows = [FrontierRow(p.name, p.attack.leak, p.attack.margin, p.auc, p.auc_margin) for p in points]
        frontier_figure(figure, rows, name, best.name)
        write_record(figure, record)


def _check_outputs(output: Path | None, figure: Path | None, overwrite: bool, graph: Path) -> None:
    """Fail before the work, not after it."""
    for file in (output, figure):
        if file is not None:
            check_output(file, overwrite=overwrite, inputs=[graph])
            check_output(record_file(file), overwrite=overwrite, inputs=[graph])
    if figure is not None and importlib.util.find_spec("matplotlib") is None:
        raise InvalidParameterError(
            "--figure needs matplotlib; run pip install 'residuum[report]', or leave --figure out."
        )


def _settings() -> dict[str, tuple[str, float]]:
    """Return level and strength of erasure, by name."""
    return {f"{level} {s:g}": (level, s) for level, strengths in _STRENGTHS.items() for s in strengths}


def _options(name: str) -> list[str]:
    """Return the options of ``residuum embed`` for a setting."""
    level, strength = _settings()[name]
    return ["--erase-level", level, "--erase-strength", f"{strength:g}"]


def _models(labels: Any, common: dict[str, Any]) -> dict[str, Any]:
    from residuum.baselines import CrossWalk, FairWalk
    from residuum.models import Residual2Vec
    from residuum.nulls import DegreeCorrectedSBM

    models: dict[str, Any] = {"none": Residual2Vec(**common)}
    for name, (level, strength) in _settings().items():
        models[name] = Residual2Vec(**common, erase={"label": labels}, erase_level=level, erase_strength=strength)
    models["dcSBM null model"] = Residual2Vec(**common, null_model=DegreeCorrectedSBM(labels))
    models["dcSBM, linear"] = Residual2Vec(**common, null_model=DegreeCorrectedSBM(labels), erase="null")
    models["FairWalk"] = FairWalk(**common, groups=labels)
    models["CrossWalk"] = CrossWalk(**common, groups=labels)
    return models


def _post_hoc(labels: "NDArray[Any]") -> "dict[str, Callable[[NDArray[np.float32]], NDArray[np.float32]]]":
    """Return LEACE if its package is installed, else say that it is left out."""
    from residuum.baselines import leace

    if importlib.util.find_spec("concept_erasure") is None:
        message = "LEACE is left out, because concept-erasure is not installed: pip install 'residuum[benchmarks]'."
        warnings.warn(message, ResiduumWarning, stacklevel=2)
        return {}
    return {"LEACE": lambda vectors: leace(vectors, labels)}


def _show(points: "list[FrontierPoint]", best: "FrontierPoint", name: str, command: str) -> None:
    from residuum.evaluation.diagnosis import interval_text

    columns = [("erasure", False), ("link AUC", True), ("leakage", True), ("strongest attacker", False)]
    rows = [
        (
            point.name,
            interval_text(point.auc, point.auc_margin),
            interval_text(point.attack.leak, point.attack.margin),
            point.attack.name if point.attack.is_leak else "no better than guessing",
        )
        for point in points
    ]
    print_table(f"Erasure of {name}: links against leakage", columns, rows)
    auc, leak = interval_text(best.auc, best.auc_margin), interval_text(best.attack.leak, best.attack.margin)
    click.echo(f"Recommended: {best.name}, link AUC {auc}, leakage {leak}.")
    click.echo(f"  {command}")


def _write(output: Path, points: "list[FrontierPoint]") -> None:
    with atomic_path(output) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(_facts(points[0]))
        writer.writerows(list(_facts(point).values()) for point in points)


def _facts(point: "FrontierPoint") -> dict[str, Any]:
    attack = point.attack
    return {
        "erasure": point.name,
        "link_auc": point.auc,
        "link_auc_margin": point.auc_margin,
        "leak": attack.leak,
        "leak_margin": attack.margin,
        "is_leak": attack.is_leak,
        "attacker": attack.name,
        "accuracy": attack.accuracy,
        "chance": attack.chance,
        "chance_low": attack.low,
        "chance_high": attack.high,
    }
