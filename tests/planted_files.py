"""A planted graph as files, for tests of commands."""

from pathlib import Path

import numpy as np

from residuum import Embedding, datasets


def write_planted(folder: Path) -> None:
    """Write edges.csv, people.csv (side, year), before.parquet (encodes the side) and after.csv (random)."""
    graph = datasets.planted_groups(120, 2, random_state=0)
    group = graph.node_attributes["group"]
    rows, columns = graph.adjacency.nonzero()
    edges = "".join(f"n{i},n{j}\n" for i, j in zip(rows, columns, strict=True) if i < j)
    (folder / "edges.csv").write_text(f"source,target\n{edges}")
    people = "".join(f"n{node},s{side},{1990 + 7 * side + node % 3}\n" for node, side in enumerate(group))
    (folder / "people.csv").write_text(f"node,side,year\n{people}")
    rng = np.random.default_rng(0)
    ids = [f"n{node}" for node in range(120)]
    Embedding(ids, rng.normal(size=(120, 5)) + 3 * np.eye(5)[group]).save(folder / "before.parquet")
    Embedding(ids, rng.normal(size=(120, 5))).save(folder / "after.csv")
