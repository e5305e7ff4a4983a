"""Convert a graph to a folder that is memory-mapped, whatever its size."""

import json
import time
from pathlib import Path
from typing import Any

import click

from residuum._files import check_output
from residuum.cli.display import printed_log
from residuum.cli.graph_options import READING, explain_if_asked, graph_options
from residuum.cli.progress import progress_bar
from residuum.cli.provenance import OutputPath, provenance, record_file, write_record
from residuum.errors import InvalidParameterError

__all__ = ["convert"]


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=OutputPath(), metavar="OUT", help="Output folder, which ends in .r2g.")
@graph_options
@click.option("--memory", metavar="SIZE", help="Memory limit, such as 1GiB. [default: half of free memory]")
@click.option("--verify", is_flag=True, help="Verify checksums of OUT, or of GRAPH without OUT.")
@click.option("--overwrite", is_flag=True, help="Replace OUT if it exists.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Hide progress and summary.")
def convert(graph: Path, output: Path | None, verify: bool, quiet: bool, **options: Any) -> None:
    """Convert GRAPH to OUT, a folder that is memory-mapped, whatever its size.

    Edge lists may be larger than memory: csv, tsv and whitespace-separated columns (gzipped or not), and parquet. Other
    formats must fit into memory.

    \b
    Examples:
      residuum convert edges.tsv.gz -o graph.r2g
      residuum convert citations.parquet -o graph.r2g --directed --memory 2GiB
      residuum convert graph.r2g --verify
    """
    from residuum._memory import format_bytes
    from residuum.graph import convert as convert_graph
    from residuum.graph import verify_graph
    from residuum.models.record import input_record

    explain_if_asked(graph, options)
    began = time.perf_counter()
    with printed_log(not quiet), progress_bar(quiet) as progress:
        if output is None:
            if not verify:
                raise InvalidParameterError(
                    "the output is missing; use residuum convert GRAPH -o OUT.r2g, or add --verify."
                )
            result, folder = verify_graph(graph, progress), graph
        else:
            if not output.exists():
                check_output(record_file(output), overwrite=options["overwrite"], inputs=[graph])
            names = {name: options[name] for name in (*READING, "overwrite")}
            result = convert_graph(graph, output, memory_limit=options["memory"], progress=progress, **names)
            folder = output
            write_record(output, provenance([input_record("graph", graph)]))
            if verify:
                verify_graph(output, progress)
    n_bytes = sum(file.stat().st_size for file in folder.iterdir())
    if options["as_json"]:
        facts = {"graph": str(result), "folder": str(folder), "bytes": n_bytes, "verified": verify}
        click.echo(json.dumps(facts, indent=2, ensure_ascii=False))
    elif not quiet:
        size = format_bytes(n_bytes)
        verified = ", verified" if verify else ""
        arrow = f" -> {output}" if output else ""
        click.echo(f"{result}: {size}{verified}, {time.perf_counter() - began:.1f} s{arrow}")
