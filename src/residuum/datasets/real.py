"""Real graphs with labels, from the folder set in ``RESIDUUM_DATA`` or from their publishers."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.csv
from numpy.typing import NDArray
from scipy import sparse

from residuum.datasets.publishers import PUBLISHERS, fetch_edges
from residuum.errors import DatasetError
from residuum.graph import Graph, read_graph

__all__ = ["DATA_VARIABLE", "data_folder", "load", "names"]

DATA_VARIABLE = "RESIDUUM_DATA"


def data_folder() -> Path | None:
    """Return the folder of the real graphs, set in the environment variable ``RESIDUUM_DATA``.

    Graphs may be in subfolders.

    Returns
    -------
    Path or None
        None if the variable is not set.

    Raises
    ------
    DatasetError
        If the variable is not a folder.

    Examples
    --------
    >>> data_folder()  # doctest: +SKIP
    PosixPath('/data/graphs')
    """
    value = os.environ.get(DATA_VARIABLE)
    if not value:
        return None
    folder = Path(value)
    if not folder.is_dir():
        raise DatasetError(f"{DATA_VARIABLE} must be a folder; {folder} is not.")
    return folder


def names() -> list[str]:
    """Return the names of the graphs in the data folder and of those that can be downloaded.

    Returns
    -------
    list of str
        Sorted names, as for :func:`load`.

    Examples
    --------
    >>> "wiki-vote" in names()
    True
    """
    folder = data_folder()
    in_folder = [] if folder is None else [file.name.split(".")[0] for file in folder.rglob("*.csv.gz")]
    return sorted({*in_folder, *PUBLISHERS})


def load(name: str, *, directed: bool = False) -> Graph:
    """Return a real graph by name, from the data folder or else from its publisher.

    Parameters
    ----------
    name : str
        For example ``"polblogs"``; see :func:`names`.
    directed : bool
        Whether to load the directed version, which only some graphs in the data folder have.

    Returns
    -------
    Graph
        Nodes are 0, …, N−1, with node attributes if the data folder has them.

    Raises
    ------
    DatasetError
        If there is no such graph, or it cannot be downloaded.

    Examples
    --------
    >>> load("wiki-vote")  # doctest: +SKIP
    Graph(7066 nodes, 100736 edges, undirected, unweighted)
    """
    folder = data_folder()
    file = None if folder is None else next(folder.rglob(f"{name}.csv.gz"), None)
    if file is not None:
        return _from_folder(file.parent, name, directed)
    if name in PUBLISHERS:
        if directed:
            raise DatasetError(
                f"the graph {name!r} can only be downloaded without directions; use directed=False, or set "
                f"{DATA_VARIABLE} to a folder with {name}.csv.gz and {name}.directed.csv.gz."
            )
        return fetch_edges(name)
    where = f"in {folder} or for download" if folder is not None else f"for download, and {DATA_VARIABLE} is not set"
    raise DatasetError(f"there is no graph {name!r} {where}; available graphs are {', '.join(names())}.")


def _from_folder(folder: Path, name: str, directed: bool) -> Graph:
    file = folder / f"{name}{'.directed' if directed else ''}.csv.gz"
    if not file.exists():
        raise DatasetError(f"the graph {name!r} has no directed version; use directed=False.")
    graph = read_graph(file, directed=directed)
    nodes = folder / f"{name}.nodes.csv.gz"
    attributes = _attributes(nodes) if nodes.exists() else {}
    count = max(len(next(iter(attributes.values()), ())), int(graph.node_ids.max()) + 1)
    return _in_id_order(graph, count, attributes)


def _attributes(file: Path) -> dict[str, NDArray[Any]]:
    table = pyarrow.csv.read_csv(file)
    order = np.argsort(table.column("node").to_numpy())
    return {column: table.column(column).to_numpy()[order] for column in table.column_names if column != "node"}


def _in_id_order(graph: Graph, n_nodes: int, attributes: dict[str, NDArray[Any]]) -> Graph:
    """Return the graph with node k in row k, the order of the attributes."""
    entries = sparse.coo_array(graph.adjacency)
    rows, columns = graph.node_ids[entries.row], graph.node_ids[entries.col]
    adjacency = sparse.csr_array((entries.data, (rows, columns)), shape=(n_nodes, n_nodes))
    return Graph(adjacency, directed=graph.directed, node_attributes=attributes)
