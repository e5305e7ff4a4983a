"""Citation graphs with years: drawn ones of journals, as those of the paper are not public, and real ones of papers."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum import datasets
from residuum.graph import Graph
from residuum.reproduction.target import Settings, chosen

__all__ = ["CITATIONS", "Citations", "citation_graphs", "load_citations"]

_DIRECTED = ", directed"
_SCALES = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
_SCALE, _QUICK_SCALE = 0.02, 0.01
_UNDIRECTED = (*(f"journals {scale:g}" for scale in _SCALES), "acl-cite", "cit-hepth")
CITATIONS = tuple(f"{name}{kind}" for name in _UNDIRECTED for kind in ("", _DIRECTED))
_DEFAULT = (f"journals {_SCALE:g}", "acl-cite", "cit-hepth")


@dataclass(frozen=True)
class Citations:
    """A graph, and what is known of its nodes; arrays of shape (N,).

    Attributes
    ----------
    graph : Graph
        With ``year`` among its node attributes.
    year, impact : float arrays
        Impact is the log of how attractive a journal is in a year, or of one more than the citations that a paper
        received per year.
    field : array of labels, or None
        The field of a journal, or the venue of a paper.
    unit : array, or None
        The journal: nodes of the same one are never on both sides of a prediction.
    """

    graph: Graph
    year: NDArray[np.float64]
    impact: NDArray[np.float64]
    field: NDArray[Any] | None
    unit: NDArray[Any] | None


def citation_graphs(settings: Settings) -> list[str]:
    """Return the names of the graphs to be run, directed and not; a small drawn one if it is to be quick."""
    default = (f"journals {_QUICK_SCALE:g}",) if settings.quick else _DEFAULT
    both = tuple(f"{name}{kind}" for name in default for kind in ("", _DIRECTED))
    return chosen("graphs", CITATIONS, settings.graphs or both)


@lru_cache(maxsize=1)
def load_citations(name: str, folder: Path) -> Citations:
    """Return one of :data:`CITATIONS`.

    Parameters
    ----------
    name : str
    folder : Path
        Where drawn graphs are kept, so that they are drawn once.
    """
    directed = name.endswith(_DIRECTED)
    kind, _, scale = name.removesuffix(_DIRECTED).partition(" ")
    if kind == "journals":
        return _journals(float(scale), directed, folder)
    return _papers(kind, directed)


def _journals(scale: float, directed: bool, folder: Path) -> Citations:
    path = folder / f"journals-{scale:g}{'-directed' if directed else ''}.r2g"
    drawn = datasets.journal_citations(scale, path, directed=directed)
    return Citations(drawn.graph, drawn.year.astype(np.float64), np.log(drawn.impact), drawn.field, drawn.journal)


def _papers(name: str, directed: bool) -> Citations:
    arcs = datasets.load(name, directed=True)
    graph = arcs if directed else datasets.load(name)
    year = np.asarray(graph.node_attributes["year"], dtype=np.float64)
    received = np.diff(arcs.adjacency.tocsc().indptr)
    per_year = received / (year.max() - year + 1)
    ids = graph.node_attributes.get("acl_id")
    # The first letter of an id of the ACL Anthology is the venue.
    venue = None if ids is None else np.array([str(one)[0] for one in ids])
    return Citations(graph, year, np.log1p(per_year), venue, None)
