"""Figure 1: random walkers prefer hubs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum import datasets
from residuum.graph import Graph
from residuum.reproduction.figures import new_figure, style_of
from residuum.reproduction.tables import mean_table
from residuum.reproduction.target import Case, Row, Settings, Target, chosen
from residuum.walks import RandomWalks

__all__ = ["TARGET", "visits"]

_GRAPH = "core-periphery"
_NODES, _WALKERS, _EXPECTED = "each node once", "random walkers", "degree / sum of degrees"
_MEASURES = ("share of core nodes", "mean degree")
_BINS = 12


def visits(graph: Graph, seed: int) -> NDArray[np.float64]:
    """Return the share of visits of each node by random walkers: 10 walks of 80 steps per node.

    Parameters
    ----------
    graph : Graph
        Graph to walk on.
    seed : int
        Random seed of the walks.

    Returns
    -------
    array of shape (N,)
        Shares, which sum to 1. Start nodes do not count, since walkers do not choose them.
    """
    walks = RandomWalks(graph, random_state=seed)
    counts = sum(np.bincount(chunk[:, 1:].ravel(), minlength=graph.n_nodes) for chunk in walks.chunks())
    return np.asarray(counts / np.sum(counts))


def _shares(graph: Graph, method: str, seed: int) -> NDArray[np.float64]:
    if method == _WALKERS:
        return visits(graph, seed)
    weights = np.ones(graph.n_nodes) if method == _NODES else graph.out_strength
    return np.asarray(weights / weights.sum())


def _cases(settings: Settings) -> list[Case]:
    chosen("graphs", [_GRAPH], settings.graphs)
    return [Case(_GRAPH, name) for name in chosen("methods", [_NODES, _WALKERS, _EXPECTED], settings.methods)]


def _measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    del settings
    graph = datasets.core_periphery(random_state=run)
    share = _shares(graph, case.method, run)
    core = graph.node_attributes["role"] == "core"
    return dict(zip(_MEASURES, (float(share[core].sum()), float(share @ graph.out_strength)), strict=True))


def _table(rows: list[Row], settings: Settings) -> str:
    del settings
    note = "A core of 10 nodes and a periphery of 90; 10 walks of 80 steps per node; a new graph in each run."
    return "\n\n".join([note, *(mean_table(rows, measure) for measure in _MEASURES)])


def _draw(rows: list[Row], settings: Settings) -> Any:
    """Draw the graph of the first run, and the degree distributions of all nodes and of visited nodes."""
    del rows, settings
    graph = datasets.core_periphery(random_state=0)
    core = graph.node_attributes["role"] == "core"
    figure, axes = new_figure(1, 2, width=4.6, height=4.0)
    _draw_graph(axes[0, 0], graph, core)
    axis, degree = axes[0, 1], graph.out_strength
    edges = np.linspace(0, degree.max() + 1, _BINS + 1)
    for name, style in style_of([_NODES, _WALKERS]).items():
        heights, _ = np.histogram(degree, bins=edges, weights=_shares(graph, name, 0))
        axis.plot((edges[1:] + edges[:-1]) / 2, heights, **style, markersize=4.5, label=name)
    axis.set_xlabel("degree")
    axis.set_ylabel("share")
    axis.set_title("B. Degrees of all nodes and of visited nodes")
    axis.legend(frameon=False)
    axis.grid(alpha=0.3)
    return figure


def _draw_graph(axis: Any, graph: Graph, core: NDArray[np.bool_]) -> None:
    place = np.empty((graph.n_nodes, 2))
    for here, radius in ((core, 0.35), (~core, 1.0)):
        angle = 2 * np.pi * np.arange(here.sum()) / here.sum()
        place[here] = radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    edges = sparse.coo_array(sparse.triu(graph.adjacency))
    lines = np.stack([place[edges.row], place[edges.col]], axis=1)
    gap = np.full((len(lines), 1, 2), np.nan)
    axis.plot(*np.concatenate([lines, gap], axis=1).reshape(-1, 2).T, color="0.7", linewidth=0.3, zorder=1)
    for (name, style), here in zip(style_of(["core", "periphery"]).items(), (core, ~core), strict=True):
        axis.scatter(
            *place[here].T,
            s=8 + 2.5 * graph.out_strength[here],
            color=style["color"],
            marker=style["marker"],
            zorder=2,
            label=name,
        )
    axis.set_title("A. Core and periphery")
    axis.set_aspect("equal")
    axis.set_axis_off()
    axis.legend(loc="lower center", bbox_to_anchor=(0.5, -0.12), ncols=2, frameon=False)


TARGET = Target("figure-1", "Figure 1: random walkers prefer hubs", _MEASURES, _cases, _measure, _table, _draw)
