"""Graphs downloaded from their publishers, verified by a sha256 of the edges."""

import hashlib
import os
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from residuum._files import atomic_path
from residuum.errors import DatasetError, InvalidGraphError
from residuum.graph import Graph, read_graph

__all__ = ["PUBLISHERS", "Publisher", "edge_checksum", "fetch_edges"]


@dataclass(frozen=True)
class Publisher:
    """Source of a published graph.

    Attributes
    ----------
    url : str
        Address of the edge list.
    checksum : str
        Expected :func:`edge_checksum`.
    """

    url: str
    checksum: str


# Only publishers whose files have the same edges as the data folder.
PUBLISHERS = {
    "ca-hepth": Publisher(
        "https://snap.stanford.edu/data/ca-HepTh.txt.gz",
        "2bc8bd74e91b63aee63e7295568f49cf4be3dfdec400928a065f0ddc4a456689",
    ),
    "wiki-vote": Publisher(
        "https://snap.stanford.edu/data/wiki-Vote.txt.gz",
        "3ea7193d181623d7fd0f4ee16a45c4cbbf27d57718089cfc11200bb18a195cb4",
    ),
    "web-notredame": Publisher(
        "https://snap.stanford.edu/data/web-NotreDame.txt.gz",
        "c218b3c82b48d51de02fbd4a8428619389ec247f8d2656f390fe0cd54cce85f0",
    ),
}


def fetch_edges(name: str) -> Graph:
    """Return a published graph, downloaded if it is not in the cache.

    As in the data folder, the graph is simple, undirected and reduced to its largest connected component; nodes are
    numbered in the order of their original ids.

    Parameters
    ----------
    name : str
        Key of ``PUBLISHERS``.

    Returns
    -------
    Graph
        Unweighted, with nodes 0, …, N−1.

    Raises
    ------
    DatasetError
        If the download fails, or does not match the checksum.
    """
    publisher = PUBLISHERS[name]
    file = _cache_folder() / publisher.url.rsplit("/", 1)[-1]
    if not file.exists():
        _download(name, publisher.url, file)
    graph = _readable(file)
    if graph is None or edge_checksum(graph) != publisher.checksum:
        file.unlink()
        raise DatasetError(
            f"the file from {publisher.url} is damaged or not the expected graph {name!r} (checksum mismatch); "
            "it was deleted. Try again."
        )
    return graph


def _readable(file: Path) -> Graph | None:
    """Return the graph in a downloaded file, or None if it is not a graph (a login page, a truncated file)."""
    try:
        return _normalized(read_graph(file))
    except InvalidGraphError:
        return None


def edge_checksum(graph: Graph) -> str:
    """Return the sha256 of the sorted edges ``i < j`` as 64-bit little-endian integers; weights are ignored.

    Parameters
    ----------
    graph : Graph
        Undirected graph.

    Returns
    -------
    str
        Hexadecimal digest.
    """
    upper = sparse.coo_array(sparse.triu(graph.adjacency, k=1, format="csr"))
    pairs = np.stack([upper.row, upper.col], axis=1).astype("<i8")
    return hashlib.sha256(pairs[np.lexsort(pairs.T[::-1])].tobytes()).hexdigest()


def _cache_folder() -> Path:
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = base / "residuum"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _download(name: str, url: str, file: Path) -> None:
    try:
        with atomic_path(file) as temporary:
            urllib.request.urlretrieve(url, temporary)
    except (urllib.error.URLError, OSError) as error:
        raise DatasetError(
            f"the graph {name!r} could not be downloaded from {url} ({error}). "
            "Set RESIDUUM_DATA to a folder that contains it."
        ) from error


def _normalized(graph: Graph) -> Graph:
    order = np.argsort(graph.node_ids)
    adjacency = graph.adjacency[order][:, order]
    adjacency = sparse.csr_array(adjacency - sparse.diags_array(adjacency.diagonal()))
    adjacency.eliminate_zeros()
    adjacency.data[:] = 1.0
    component = connected_components(adjacency, directed=False)[1]
    largest = np.flatnonzero(component == np.argmax(np.bincount(component)))
    return Graph(adjacency[largest][:, largest])
