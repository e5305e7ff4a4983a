"""A small audit with hostile names, and what pages are made of."""

from functools import cache

import numpy as np

from residuum import Embedding, Graph, datasets
from residuum.evaluation import audit
from residuum.report import FrontierRow, label_coloring, map_data, number_coloring, summarize

HOSTILE = '"><img src=x onerror=alert(1)></script><b>&amp;'
FRONTIER = [
    FrontierRow("none", 0.4, 0.02, 0.9, 0.01),
    FrontierRow(HOSTILE, 0.2, 0.03, 0.85, 0.01),
    FrontierRow("distribution 1", 0.01, 0.03, 0.7, 0.02),
]


@cache
def hostile_audit():
    """Return an audit of two embeddings in which every name that a user can choose is hostile."""
    planted = datasets.planted_groups(120, 2, random_state=0)
    ids = np.array([f"node {k} {HOSTILE}" for k in range(120)], dtype=object)
    graph = Graph(planted.adjacency, ids)
    group = planted.node_attributes["group"]
    labels = np.array([f"side {g} {HOSTILE}" for g in group], dtype=object)
    labels[:5] = None
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(120, 6))
    embeddings = {
        "before": Embedding(ids, noise + 3 * np.eye(6)[group]),
        f"after {HOSTILE}": Embedding(ids, rng.normal(size=(120, 6))),
    }
    numbers = {"year": 2000.0 + 5 * group + noise[:, 0]}
    by_id = (
        {f"party {HOSTILE}": dict(zip(ids, labels, strict=True))},
        {"year": dict(zip(ids, numbers["year"], strict=True))},
    )
    return audit(graph, embeddings, labels=by_id[0], numbers=by_id[1]), labels, numbers


@cache
def summary():
    return summarize(hostile_audit()[0])


@cache
def maps():
    result, labels, numbers = hostile_audit()
    colorings = [
        label_coloring(f"party {HOSTILE}", labels),
        number_coloring("year", numbers["year"]),
        number_coloring("degree", result.graph.in_strength, is_log=True),
    ]
    vectors = {name: embedding.vectors for name, embedding in result.embeddings.items()}
    return map_data(result.graph.node_ids, vectors, colorings)


PROVENANCE = {
    "residuum": "1.0",
    "command": ["audit", HOSTILE],
    "created": "2026-01-01 00:00 UTC",
    "inputs": [
        {"role": "graph", "file": f"{HOSTILE}.csv", "sha256": "ab" * 32},
        {"role": "attribute", "file": "people.csv", "column": HOSTILE, "sha256": None},
    ],
    "methods": {"before": {}, f"after {HOSTILE}": {"method": HOSTILE, "parameters": {HOSTILE: [1, 2]}}},
}
