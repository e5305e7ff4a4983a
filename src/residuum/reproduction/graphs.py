"""The six graphs of the paper, and a small generated graph for smoke tests."""

from functools import lru_cache

import numpy as np

from residuum import datasets
from residuum.evaluation import LinkTask, link_task
from residuum.graph import Graph
from residuum.reproduction.target import Settings, chosen

__all__ = ["PAPER_GRAPHS", "graphs_of", "load_graph", "split"]

PAPER_GRAPHS = ("airport", "ppi", "wiki-vote", "ca-hepth", "dblp-cite", "ca-astroph")


def graphs_of(settings: Settings, names: tuple[str, ...] = PAPER_GRAPHS) -> list[str]:
    """Return the names of the graphs to run.

    Parameters
    ----------
    settings : Settings
        ``graphs`` selects from ``"planted"`` and all datasets; ``quick`` alone means ``"planted"``.
    names : tuple of str, default PAPER_GRAPHS
        Graphs of a full benchmark.

    Returns
    -------
    list of str
        Names that :func:`load_graph` accepts.
    """
    if settings.graphs is not None:
        return chosen("graphs", ["planted", *datasets.names()], settings.graphs)
    return ["planted"] if settings.quick else list(names)


@lru_cache(maxsize=1)
def load_graph(name: str) -> Graph:
    """Return a graph by its name.

    Parameters
    ----------
    name : str
        Name of a dataset, or ``"planted"`` for 300 nodes in 4 planted groups.

    Returns
    -------
    Graph
        Graph of that name; the last one is cached.
    """
    if name == "planted":
        return datasets.planted_groups(300, 4, mixing=0.1, average_degree=12, degree_exponent=2.5, random_state=0)
    return datasets.load(name)


@lru_cache(maxsize=1)
def split(name: str, fraction: float, run: int) -> LinkTask:
    """Hold out edges of a graph for link prediction.

    Parameters
    ----------
    name : str
        Name that :func:`load_graph` accepts.
    fraction : float
        Share of the edges to hold out.
    run : int
        Seed, so that all methods of a run have the same split.

    Returns
    -------
    LinkTask
        Training graph, held-out edges, and negatives: uniform, degree-matched, and two steps apart.
    """
    return link_task(load_graph(name), fraction, np.random.default_rng(run), distances=[2])
