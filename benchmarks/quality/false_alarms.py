"""How often the verdict on attackers is wrong: levels for random vectors, and for vectors with a known leak.

Labels are two groups of equal size. The leak shifts one of five dimensions by one standard deviation, so that the best
possible accuracy is 0.69. Run with ``python benchmarks/quality/false_alarms.py``; an hour on a busy machine.
"""

from collections import Counter
from pathlib import Path

import numpy as np

from residuum.evaluation import AttributeAudit, Dependence, attack, attribute_checks

# Nodes: trials with random vectors, and with a leak.
TRIALS = {120: (60, 8), 500: (40, 5), 2000: (20, 5)}
LEVELS = ("green", "amber", "red")
RESULTS = Path(__file__).parent / "results" / "false_alarms.md"


def level(vectors, labels, seed):
    report = attack(vectors, labels, kind="label", random_state=seed)
    unused = Dependence(0.0, 0.0, 0.0, 0.0, 0.0)
    return attribute_checks(AttributeAudit("label", "label", len(labels), unused, report))[0].level


def main():
    lines = ["| nodes | vectors | trials | green | amber | red |", "| --- | --- | --- | --- | --- | --- |"]
    for n_nodes, (n_random, n_leaking) in TRIALS.items():
        random, leaking = Counter(), Counter()
        for seed in range(n_random):
            vectors = np.random.default_rng(50_000 + seed).normal(size=(n_nodes, 5))
            labels = np.arange(n_nodes) % 2
            random[level(vectors, labels, seed)] += 1
            if seed < n_leaking:
                leaking[level(vectors + np.outer(labels, np.eye(5)[0]), labels, seed)] += 1
        for name, counts in (("random", random), ("leak, accuracy 0.69", leaking)):
            cells = " | ".join(str(counts[name]) for name in LEVELS)
            lines.append(f"| {n_nodes} | {name} | {counts.total()} | {cells} |")
            print(lines[-1])
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
