"""Fuzzes every target for its share of the time, and prints executions and findings.

``python fuzz/run.py --minutes 10`` (``make fuzz MINUTES=10``). Each target runs in a child, which is started again
after a crash, a hang or an exceeded memory limit. Findings are written to ``fuzz/findings/TARGET``: the input, and the
traceback or the end of the output. A finding that is mended moves to ``tests/fuzzing/corpus/TARGET``, where the tests
replay it.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent / "tests"))

from fuzzing.names import NAMES  # noqa: E402 # beside the tests
from fuzzing.packing import pack  # noqa: E402
from fuzzing.targets import TARGETS, starts  # noqa: E402

# Seconds by the clock after which an input hangs, and most bytes of an input.
HANGS, LARGEST = 60, 1 << 16
_EXECUTED = re.compile(r"stat::number_of_executed_units:\s*(\d+)")
_COVERAGE = re.compile(r"cov: (\d+)")


@dataclass
class Count:
    """What was seen of a target."""

    executions: int = 0
    coverage: int = 0
    seconds: float = 0.0
    crashes: int = 0


def fuzz(name: str, seconds: float, findings: Path, corpus: Path) -> Count:
    """Run a target for some seconds, with a new child after each crash."""
    count = Count()
    for folder in (findings, corpus):
        folder.mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(starts(TARGETS[name]) if name in TARGETS else []):
        Path(corpus, f"start-{number:03}").write_bytes(pack(content))
    begin = time.monotonic()
    while (left := seconds - (time.monotonic() - begin)) > 1:
        options = [
            f"-max_total_time={int(left) + 1}",
            f"-timeout={HANGS}",
            f"-max_len={LARGEST}",
            f"-artifact_prefix={findings}/",
            *("-len_control=0", "-print_final_stats=1", "-rss_limit_mb=4096", "-reload=0"),
        ]
        command = [sys.executable, str(FOLDER / "child.py"), name, str(findings), *options, str(corpus)]
        ended = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        executed, covered = _EXECUTED.findall(ended.stderr), _COVERAGE.findall(ended.stderr)
        count.executions += int(executed[-1]) if executed else 0
        count.coverage = max([count.coverage, *map(int, covered)])
        if ended.returncode:
            count.crashes += 1
            (findings / f"crash-{count.crashes}.txt").write_text(ended.stderr[-20_000:], encoding="utf-8")
        if not executed:
            break
    count.seconds = time.monotonic() - begin
    return count


def main() -> None:
    """Print a table with one line per target; end with 1 if anything was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="for all targets together")
    parser.add_argument("--targets", default=",".join(NAMES), help="names, with commas between them")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="targets at a time (default: all cores)")
    arguments = parser.parse_args()
    names = arguments.targets.split(",")
    shutil.rmtree(FOLDER / "findings", ignore_errors=True)
    total = found = 0
    print(
        "| target | executions | per second | edges of code reached | findings |",
        "| --- | ---: | ---: | ---: | ---: |",
        sep="\n",
    )
    share = 60 * arguments.minutes * min(arguments.jobs, len(names)) / len(names)
    with tempfile.TemporaryDirectory() as corpus, ThreadPoolExecutor(arguments.jobs) as pool:
        places = [(FOLDER / "findings" / name, Path(corpus, name)) for name in names]
        counts = pool.map(lambda name, place: fuzz(name, share, *place), names, places)
        for name, (findings, _), count in zip(names, places, counts, strict=True):
            n_findings = len(list(findings.glob("*.txt")))
            total, found = total + count.executions, found + n_findings
            speed = count.executions / max(count.seconds, 1)
            print(f"| {name} | {count.executions:,} | {speed:,.0f} | {count.coverage:,} | {n_findings} |", flush=True)
    print(f"| all | {total:,} | | | {found} |")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
