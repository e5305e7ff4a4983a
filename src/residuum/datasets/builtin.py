"""Two small graphs that everybody knows."""

import gzip
import json
from importlib.resources import files
from typing import Any

import numpy as np
from scipy import sparse

from residuum.graph import Graph

__all__ = ["karate_club", "les_miserables"]


def karate_club() -> Graph:
    """Return Zachary's karate club: 34 members, 78 ties, and the ``"club"`` that each joined after the split.

    Source: W. W. Zachary, "An information flow model for conflict and fission in small groups", 1977.
    """
    return _stored("karate_club")


def les_miserables() -> Graph:
    """Return the characters of Les Misérables: 77 nodes, weighted by the chapters in which two appear together.

    Source: D. E. Knuth, "The Stanford GraphBase", 1993.
    """
    return _stored("les_miserables")


def _stored(name: str) -> Graph:
    with files("residuum.datasets").joinpath(f"data/{name}.json.gz").open("rb") as stream:
        content: dict[str, Any] = json.loads(gzip.decompress(stream.read()))
    ids = np.array(content["nodes"])
    rows, columns, weights = (np.array(column) for column in zip(*content["edges"], strict=True))
    upper = sparse.coo_array((weights.astype(np.float64), (rows, columns)), shape=(len(ids), len(ids)))
    attributes = {key: np.array(values) for key, values in content["attributes"].items()}
    return Graph(upper + upper.T, ids, node_attributes=attributes)
