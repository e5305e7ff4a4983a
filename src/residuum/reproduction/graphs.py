"""The six graphs of the paper, and a drawn one to try things on."""

from functools import lru_cache

import numpy as np

from residuum import datasets
from residuum.evaluation import LinkTask, link_task
from residuum.graph import Graph
from residuum.reproduction.target import Settings, chosen

__all__ = ["PAPER_GRAPHS", "graphs_of", "load_graph", "split"]

PAPER_GRAPHS = ("airport", "ppi", "wiki-vote", "ca-hepth", "dblp-cite", "ca-astroph")


def graphs_of(settings: Settings, names: tuple[str, ...] = PAPER_GRAPHS) -> list[str]:
    """Return the names of the graphs to be run: the paper's or others, or a drawn one if it is to be quick."""
    if settings.graphs is not None:
        return chosen("graphs", ["planted", *datasets.names()], settings.graphs)
    return ["planted"] if settings.quick else list(names)


@lru_cache(maxsize=1)
def load_graph(name: str) -> Graph:
    """Return a graph of :mod:`residuum.datasets` by its name, or ``"planted"``."""
    if name == "planted":
        return datasets.planted_groups(300, 4, mixing=0.1, average_degree=12, degree_exponent=2.5, random_state=0)
    return datasets.load(name)


@lru_cache(maxsize=1)
def split(name: str, fraction: float, run: int) -> LinkTask:
    """Hide edges of a graph; the same run hides the same, whatever the method. Also draws negatives two steps apart."""
    return link_task(load_graph(name), fraction, np.random.default_rng(run), distances=[2])
