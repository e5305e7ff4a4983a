"""Conversion of graphs to other libraries, and their representation in notebooks."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._html import html_table
from residuum._validation import import_extra

__all__ = ["GraphExports"]


class GraphExports:
    """Conversions of a graph; :class:`Graph` inherits them."""

    adjacency: "sparse.csr_array[Any]"
    node_ids: NDArray[Any]
    directed: bool
    node_attributes: dict[str, NDArray[Any]]

    def _edges(self) -> "sparse.coo_array[Any]":
        """Return each edge once."""
        return sparse.coo_array(self.adjacency if self.directed else sparse.triu(self.adjacency))

    def _edge_columns(self) -> dict[str, Any]:
        edges = self._edges()
        ends = {"source": self.node_ids[edges.row], "target": self.node_ids[edges.col]}
        return {**ends, "weight": edges.data}

    def to_pandas(self) -> Any:
        """Return the edges as a pandas data frame.

        Returns
        -------
        pandas DataFrame
            Columns ``source``, ``target`` and ``weight``; each edge of an undirected graph occurs once.

        Raises
        ------
        MissingExtraError
            If pandas is not installed (the ``[graphs]`` extra).
        """
        return import_extra("pandas", "graphs").DataFrame(self._edge_columns())

    def to_polars(self) -> Any:
        """Return the edges as a polars data frame.

        Returns
        -------
        polars DataFrame
            Columns ``source``, ``target`` and ``weight``; each edge of an undirected graph occurs once.

        Raises
        ------
        MissingExtraError
            If polars is not installed (the ``[graphs]`` extra).
        """
        polars = import_extra("polars", "graphs")
        return polars.DataFrame({name: cells.tolist() for name, cells in self._edge_columns().items()})

    def to_networkx(self) -> Any:
        """Return the graph as a networkx graph, with node attributes and the edge attribute ``weight``.

        Returns
        -------
        networkx Graph or DiGraph
            Nodes in the order of ``node_ids``.

        Raises
        ------
        MissingExtraError
            If networkx is not installed (the ``[graphs]`` extra).
        """
        networkx = import_extra("networkx", "graphs")
        network = networkx.DiGraph() if self.directed else networkx.Graph()
        network.add_nodes_from(self.node_ids.tolist())
        edges = self._edge_columns()
        network.add_weighted_edges_from(zip(*(cells.tolist() for cells in edges.values()), strict=True))
        for name, values in self.node_attributes.items():
            by_node = dict(zip(self.node_ids.tolist(), values.tolist(), strict=True))
            networkx.set_node_attributes(network, by_node, name)
        return network

    def to_igraph(self) -> Any:
        """Return the graph as an igraph graph, with the vertex attribute ``name``, others, and weights of edges.

        Returns
        -------
        igraph Graph
            Vertices in the order of ``node_ids``.

        Raises
        ------
        MissingExtraError
            If igraph is not installed (the ``[graphs]`` extra).
        """
        igraph = import_extra("igraph", "graphs")
        edges = self._edges()
        pairs = np.stack([edges.row, edges.col], axis=1).tolist()
        attributes = {name: values.tolist() for name, values in self.node_attributes.items()}
        return igraph.Graph(
            len(self.node_ids),
            pairs,
            directed=self.directed,
            vertex_attrs={**attributes, "name": self.node_ids.tolist()},
            edge_attrs={"weight": edges.data.tolist()},
        )

    def to_torch(self) -> tuple[Any, Any]:
        """Return the edges as torch tensors, as torch-geometric takes them.

        Returns
        -------
        edge_index : int64 tensor of shape (2, E)
            Positions of sources and targets; both directions of each edge of an undirected graph.
        edge_weight : float32 tensor of shape (E,)
            Weights.

        Raises
        ------
        MissingExtraError
            If torch is not installed (the ``[gnn]`` extra).
        """
        torch = import_extra("torch", "gnn")
        entries = self.adjacency.tocoo()
        index = np.stack([entries.row, entries.col]).astype(np.int64)
        return torch.from_numpy(index), torch.from_numpy(entries.data.astype(np.float32))

    def _repr_html_(self) -> str:
        rows = {
            "graph": repr(self).removeprefix("Graph(").removesuffix(")"),
            "node ids": f"{', '.join(map(repr, self.node_ids[:3].tolist()))}{', …' if len(self.node_ids) > 3 else ''}",
            "node attributes": ", ".join(self.node_attributes) or "none",
        }
        return html_table("Graph", rows)
