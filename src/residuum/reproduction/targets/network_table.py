"""Table 1: graphs and their structure, compared with the paper."""

from typing import Any

import numpy as np
from scipy import sparse

from residuum.evaluation import diagnose_degree
from residuum.graph import Graph
from residuum.reproduction.figures import new_figure, style_of
from residuum.reproduction.graphs import graphs_of, load_graph
from residuum.reproduction.tables import markdown, names_of
from residuum.reproduction.target import Case, Row, Settings, Target

__all__ = ["PAPER", "TARGET", "clustering_coefficient"]

_MEASURES = ("N", "M", "assortativity", "max. degree", "clustering coef.")
# Table 1 of the paper.
PAPER = {
    graph: dict(zip(_MEASURES, figures, strict=True))
    for graph, figures in {
        "airport": (3188, 18834, -0.02, 911, 0.493),
        "ppi": (3852, 37840, -0.10, 593, 0.148),
        "wiki-vote": (7066, 100736, -0.08, 1065, 0.142),
        "ca-hepth": (8638, 24827, 0.24, 65, 0.482),
        "dblp-cite": (12494, 49594, -0.05, 713, 0.118),
        "ca-astroph": (17903, 197031, 0.20, 504, 0.633),
    }.items()
}


def clustering_coefficient(graph: Graph) -> float:
    """Return the average clustering coefficient, the mean over nodes of ``2 t_i / (d_i (d_i − 1))``.

    t_i is the number of triangles of node i. Nodes with fewer than two neighbors count as 0.

    Parameters
    ----------
    graph : Graph
        Undirected graph; weights and self-loops are ignored.

    Returns
    -------
    float
        Between 0 and 1.

    Examples
    --------
    >>> clustering_coefficient(Graph([[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]]))
    0.5833333333333334
    """
    plain = sparse.csr_array(graph.adjacency.astype(np.bool_).astype(np.float64))
    plain.setdiag(0)
    plain.eliminate_zeros()
    degree = np.diff(plain.indptr).astype(np.float64)
    closed = np.asarray(plain.multiply(plain @ plain).sum(axis=1)).ravel()
    pairs = degree * (degree - 1)
    return float(np.mean(np.divide(closed, pairs, out=np.zeros_like(closed), where=pairs > 0)))


def _without_weights(graph: Graph) -> Graph:
    return Graph(graph.adjacency.astype(np.bool_).astype(np.float32), graph.node_ids)


def _cases(settings: Settings) -> list[Case]:
    return [Case(name, "residuum") for name in graphs_of(settings)]


def _measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    del run, settings
    graph = _without_weights(load_graph(case.graph))
    assortativity = next(f.value for f in diagnose_degree(graph) if f.name == "assortativity by degree")
    values = (graph.n_nodes, graph.n_edges, assortativity, graph.out_strength.max(), clustering_coefficient(graph))
    return dict(zip(_MEASURES, map(float, values), strict=True))


def _table(rows: list[Row], settings: Settings) -> str:
    del settings
    body = []
    for row in rows:
        paper = PAPER.get(row.graph)
        cells = []
        for name in _MEASURES:
            style = "{:,.0f}" if name in ("N", "M", "max. degree") else "{:.3f}"
            published = "" if paper is None else f" ({style.format(paper[name])})"
            cells.append(style.format(row.values[name]) + published)
        body.append([row.graph, *cells])
    note = (
        "In parentheses: Table 1 of the paper. Weights, directions and self-loops are ignored here; the paper's M "
        "includes self-loops, and its maximum degree of the airport graph counts routes."
    )
    return f"{markdown(['graph', *_MEASURES], body)}\n\n{note}"


def _draw(rows: list[Row], settings: Settings) -> Any:
    """Draw the cumulative degree distributions."""
    del settings
    figure, axes = new_figure(1, 1, width=6.0, height=4.2)
    axis, names = axes[0, 0], names_of(rows, lambda row: row.graph)
    for name, style in style_of(names).items():
        degree, counts = np.unique(np.diff(load_graph(name).adjacency.indptr), return_counts=True)
        above = counts[::-1].cumsum()[::-1] / counts.sum()
        axis.loglog(degree, above, **style, markersize=3, linewidth=1.0, label=name)
    axis.set_xlabel("degree d")
    axis.set_ylabel("share of nodes with degree ≥ d")
    axis.legend(frameon=False)
    axis.grid(alpha=0.3)
    return figure


TARGET = Target(
    "table-1", "Table 1: graphs and structural properties", _MEASURES, _cases, _measure, _table, _draw, repeats=False
)
