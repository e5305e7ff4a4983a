"""The table of all relations, for people; run as a script to write ``README.md``."""

import importlib
from collections import defaultdict
from pathlib import Path

FOLDER = Path(__file__).parent
MODULES = ("inputs", "nodes", "nulls", "windows", "vectors", "erasures")
TITLES = ("The input", "Nodes", "Null models", "Windows and walks", "Vectors and scores", "Erasure")


def load() -> None:
    """Import all modules with relations, which registers them."""
    for module in MODULES:
        importlib.import_module(f"metamorphic.{module}")


def markdown() -> str:
    """Return the page with all relations and where they do not hold."""
    from metamorphic.relation import KINDS, NULLS, REFUSED, RELATIONS, SOLVERS

    load()
    cases = sum(len(list(relation.cases(solver))) for relation in RELATIONS.values() for solver in SOLVERS)
    lines = [
        "# Metamorphic relations",
        "",
        f"{len(RELATIONS)} relations between two results, each with every solver ({', '.join(SOLVERS)}), every null "
        f"model ({', '.join(NULLS)}) and on an {' and a '.join(KINDS)} graph of 24 nodes: {cases:,} comparisons. "
        "The tolerance is the largest difference allowed of any two associations `u_i · v_j` (or probabilities, or "
        "offsets); 0 means the same bits.",
        "",
        *(f"Not run: {solver} with {null} ({why})." for (solver, null), why in REFUSED.items()),
        "",
        "Written by `python tests/metamorphic/table.py`; `tests/metamorphic/test_relations.py` runs them all.",
    ]
    for module, title in zip(MODULES, TITLES, strict=True):
        lines += [
            "",
            f"## {title}",
            "",
            "| change | effect | tolerance | does not hold for |",
            "| --- | --- | --- | --- |",
        ]
        for relation in RELATIONS.values():
            if relation.check.__module__ == f"metamorphic.{module}":
                cells = (relation.name, relation.effect, f"{relation.tolerance:g}", exceptions(relation.fails))
                lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(lines) + "\n"


def exceptions(fails: dict[str, str]) -> str:
    """Return the exceptions, those with the same reason together."""
    names: dict[str, list[str]] = defaultdict(list)
    for name, why in fails.items():
        names[why].append(name)
    return "; ".join(f"{', '.join(together)}: {why}" for why, together in names.items())


if __name__ == "__main__":
    import sys

    sys.path.insert(0, str(FOLDER.parent))
    (FOLDER / "README.md").write_text(markdown(), encoding="utf-8")
