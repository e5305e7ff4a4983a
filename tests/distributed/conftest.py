"""A cluster in this process, and small graphs as parquet files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from distributed_cases import write_edges
from residuum import Graph, datasets

pytest.importorskip("distributed", reason="the [distributed] extra is not installed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Ignore the event loop that Dask leaves open."""
    for item in items:
        if "tests/distributed" in str(item.path):
            item.add_marker(pytest.mark.filterwarnings("ignore:Exception ignored in. <function BaseEventLoop"))


@pytest.fixture(scope="session")
def client() -> Iterator[Any]:
    """Return a client of two workers in this process, which start faster than processes."""
    from distributed import Client, LocalCluster

    cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0")
    with cluster, Client(cluster) as client:
        yield client


@pytest.fixture
def cluster(client):
    from residuum.distributed.cluster import Cluster

    return Cluster(client)


@pytest.fixture(scope="session")
def graph() -> Graph:
    """Return an undirected, weighted graph with ids that are no positions."""
    planted = datasets.planted_groups(400, 4, random_state=0)
    return Graph(planted.adjacency * 0.3, 7 * np.arange(planted.n_nodes) - 100)


@pytest.fixture(scope="session")
def directed_graph() -> Graph:
    """Return a directed graph with dangling nodes."""
    adjacency = datasets.planted_groups(400, 4, random_state=1).adjacency.tolil()
    rng = np.random.default_rng(0)
    for node in rng.choice(400, 100, replace=False).tolist():
        adjacency[node, rng.choice(400, 200, replace=False)] = 0
    adjacency[:8] = 0
    return Graph(adjacency.tocsr(), directed=True)


@pytest.fixture
def edges(graph, tmp_path) -> Path:
    return write_edges(graph, tmp_path / "edges")


@pytest.fixture
def build(cluster, tmp_path):
    """Return a function that partitions a graph."""
    from residuum.distributed.inputs import shared_graph

    def partition(graph: Graph, n_partitions: int = 3, name: str = "run") -> Any:
        folder = write_edges(graph, tmp_path / f"edges-{name}")
        home = tmp_path / name
        home.mkdir()
        columns = {"source": None, "target": None, "weight": None}
        return shared_graph(cluster, home, folder, graph.directed, n_partitions, columns)

    return partition
