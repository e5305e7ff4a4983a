"""Citation graphs with years: generated journal graphs (the paper's data is not public) and real paper graphs."""

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
    """Citation graph and attributes of its nodes.

    Attributes
    ----------
    graph : Graph
        Graph with the node attribute ``year``.
    year : float array of shape (N,)
        Year of each node.
    impact : float array of shape (N,)
        Log of the attractiveness of a journal in a year, or ``ln(1 + c)`` for a paper with c citations per year.
    field : array of shape (N,), or None
        Field of a journal, or venue of a paper. None if unknown.
    unit : array of shape (N,), or None
        Journal of a node; nodes of a journal are never on both sides of a prediction. None for papers.
    """

    graph: Graph
    year: NDArray[np.float64]
    impact: NDArray[np.float64]
    field: NDArray[Any] | None
    unit: NDArray[Any] | None


def citation_graphs(settings: Settings) -> list[str]:
    """Return the names of the citation graphs to run, each undirected and directed.

    Parameters
    ----------
    settings : Settings
        ``graphs`` selects from :data:`CITATIONS`; ``quick`` alone means a small journal graph.

    Returns
    -------
    list of str
        Names that :func:`load_citations` accepts.
    """
    default = (f"journals {_QUICK_SCALE:g}",) if settings.quick else _DEFAULT
    both = tuple(f"{name}{kind}" for name in default for kind in ("", _DIRECTED))
    return chosen("graphs", CITATIONS, settings.graphs or both)


@lru_cache(maxsize=1)
def load_citations(name: str, folder: Path) -> Citations:
    """Return a citation graph by its name.

    Parameters
    ----------
    name : str
        One of :data:`CITATIONS`.
    folder : Path
        Folder for generated graphs, which are generated once.

    Returns
    -------
    Citations
        Graph and node attributes; the last graph is cached.
    """
    directed = name.endswith(_DIRECTED)
    kind, _, scale = name.removesuffix(_DIRECTED).partition(" ")
    if kind == "journals":
        return _journals(float(scale), directed, folder)
    return _papers(kind, directed)


def _journals(scale: float, directed: bool, folder: Path) -> Citations:
    path = folder / f"journals-{scale:g}{'-directed' if directed else ''}.r2g"
    journals = datasets.journal_citations(scale, path, directed=directed)
    year, impact = journals.year.astype(np.float64), np.log(journals.impact)
    return Citations(journals.graph, year, impact, journals.field, journals.journal)


def _papers(name: str, directed: bool) -> Citations:
    arcs = datasets.load(name, directed=True)
    graph = arcs if directed else datasets.load(name)
    year = np.asarray(graph.node_attributes["year"], dtype=np.float64)
    received = np.diff(arcs.adjacency.tocsc().indptr)
    per_year = received / (year.max() - year + 1)
    ids = graph.node_attributes.get("acl_id")
    # The first letter of an ACL Anthology id is the venue.
    venue = None if ids is None else np.array([str(acl_id)[0] for acl_id in ids])
    return Citations(graph, year, np.log1p(per_year), venue, None)
