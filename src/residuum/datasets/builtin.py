"""Small built-in graphs."""

import gzip
import json
from importlib.resources import files
from typing import Any

import numpy as np
from scipy import sparse

from residuum.graph import Graph

__all__ = ["karate_club", "les_miserables"]


def karate_club() -> Graph:
    """Return Zachary's karate club: 34 members and 78 ties.

    Returns
    -------
    Graph
        Unweighted, with the club that each member joined after the split as node attribute ``"club"``.

    References
    ----------
    W. W. Zachary, "An information flow model for conflict and fission in small groups", 1977.

    Examples
    --------
    >>> graph = karate_club()
    >>> graph
    Graph(34 nodes, 78 edges, undirected, unweighted)
    >>> graph.node_attributes["club"][0].item()
    'Mr. Hi'
    """
    return _stored("karate_club")


def les_miserables() -> Graph:
    """Return the co-appearance graph of the 77 characters of Les Misérables.

    Returns
    -------
    Graph
        Edges are weighted by the number of chapters in which two characters appear together.

    References
    ----------
    D. E. Knuth, "The Stanford GraphBase", 1993.

    Examples
    --------
    >>> graph = les_miserables()
    >>> valjean, javert = graph.positions(["Valjean", "Javert"])
    >>> graph.adjacency[valjean, javert].item()
    17.0
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
