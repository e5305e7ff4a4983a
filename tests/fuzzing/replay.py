"""Runs targets on what was found before and on some changed files, in a process that a regression may crash.

``python tests/fuzzing/replay.py N TARGET…`` prints a line before each case, and ends with the outcomes as JSON.
"""

import json
import random
import sys
import tempfile
from collections import Counter
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzzing.packing import pack  # beside this folder
from fuzzing.targets import TARGETS, changed, corpus, outcome, starts


def main(n_changed: int, names: list[str]) -> None:
    """Print the outcomes of all targets."""
    outcomes: dict[str, Counter[str]] = {name: Counter() for name in names}
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            target = TARGETS[name]
            first = [pack(content) for content in islice(starts(target), 6)]
            cases = [("found", file.read_bytes()) for file in corpus(target)] + [("valid", data) for data in first[:1]]
            for number in range(n_changed):
                rng = random.Random(number)
                cases.append(("changed", changed(target, rng.choice(first), rng)))
            for number, (kind, data) in enumerate(cases):
                sys.stdout.write(f"{name}, case {number} ({kind})\n")
                sys.stdout.flush()
                outcomes[name][f"{kind}: {outcome(target, data, Path(folder))}"] += 1
    sys.stdout.write(json.dumps(outcomes))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
