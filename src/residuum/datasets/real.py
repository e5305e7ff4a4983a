"""Real graphs with labels: from the folder that ``RESIDUUM_DATA`` names, else from their publishers."""

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
    """Return the folder of the real graphs, if ``RESIDUUM_DATA`` names one."""
    value = os.environ.get(DATA_VARIABLE)
    if not value:
        return None
    folder = Path(value)
    if not folder.is_dir():
        raise DatasetError(f"{DATA_VARIABLE} names {folder}, which is not a folder.")
    return folder


def names() -> list[str]:
    """Return the names that :func:`load` knows, those in the data folder and those that can be downloaded."""
    folder = data_folder()
    found = [] if folder is None else [file.name.split(".")[0] for file in folder.glob("*.csv.gz")]
    return sorted({*found, *PUBLISHERS})


def load(name: str, *, directed: bool = False) -> Graph:
    """Return a real graph by its name, with its node attributes; nodes are 0, …, N−1.

    Parameters
    ----------
    name : str
        For example ``"polblogs"``; :func:`names` lists them.
    directed : bool
        The arcs instead of the edges, for graphs that have them.
    """
    folder = data_folder()
    if folder is not None and (folder / f"{name}.csv.gz").exists():
        return _from_folder(folder, name, directed)
    if name in PUBLISHERS:
        if directed:
            raise DatasetError(
                f"the graph {name!r} is downloaded without directions; leave directed out, or let {DATA_VARIABLE} name "
                f"a folder with {name}.csv.gz and {name}.directed.csv.gz."
            )
        return fetch_edges(name)
    known = ", ".join(names())
    where = f"in {folder}" if folder is not None else f"(the variable {DATA_VARIABLE} names no folder of graphs)"
    raise DatasetError(f"there is no graph {name!r} {where}; known are {known}.")


def _from_folder(folder: Path, name: str, directed: bool) -> Graph:
    file = folder / f"{name}{'.directed' if directed else ''}.csv.gz"
    if not file.exists():
        raise DatasetError(f"the graph {name!r} has no directions; leave directed out.")
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
    """Put node k at row k, so that labels and edges agree."""
    entries = sparse.coo_array(graph.adjacency)
    rows, columns = graph.node_ids[entries.row], graph.node_ids[entries.col]
    adjacency = sparse.csr_array((entries.data, (rows, columns)), shape=(n_nodes, n_nodes))
    return Graph(adjacency, directed=graph.directed, node_attributes=attributes)
