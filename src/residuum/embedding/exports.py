"""Conversion of embeddings to other libraries, an index of neighbors, and their representation in notebooks."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from residuum._html import html_table
from residuum._validation import import_extra

if TYPE_CHECKING:
    from residuum.embedding.clustering import Clustering
    from residuum.embedding.index import NeighborIndex

__all__ = ["EmbeddingExports"]


class EmbeddingExports:
    """Conversions of an embedding; :class:`Embedding` inherits them."""

    ids: NDArray[Any]
    vectors: NDArray[np.float32]
    context_vectors: NDArray[np.float32] | None
    offsets: NDArray[np.float64] | None
    metadata: Mapping[str, Any]
    directed: bool

    def to_pandas(self) -> Any:
        """Return the vectors as a pandas data frame.

        Returns
        -------
        pandas DataFrame
            One row per node, indexed by node id, with columns 0, …, K − 1.

        Raises
        ------
        MissingExtraError
            If pandas is not installed (the ``[graphs]`` extra).
        """
        pandas = import_extra("pandas", "graphs")
        index = pandas.Index(self.ids.tolist(), name="id", tupleize_cols=False)
        return pandas.DataFrame(self.vectors, index)

    def to_polars(self) -> Any:
        """Return the vectors as a polars data frame.

        Returns
        -------
        polars DataFrame
            Columns ``id`` and ``vector``, an array of K numbers.

        Raises
        ------
        MissingExtraError
            If polars is not installed (the ``[graphs]`` extra).
        """
        polars = import_extra("polars", "graphs")
        return polars.DataFrame({"id": self.ids.tolist(), "vector": self.vectors})

    def to_torch(self) -> Any:
        """Return the vectors as a torch tensor.

        Returns
        -------
        float32 tensor of shape (N, K)
            One row per node, in the order of ``ids``; a copy.

        Raises
        ------
        MissingExtraError
            If torch is not installed (the ``[gnn]`` extra).
        """
        return import_extra("torch", "gnn").from_numpy(self.vectors.copy())

    def index(self, library: str | None = None) -> "NeighborIndex":
        """Return an approximate index of nearest neighbors by cosine, for many queries on large embeddings.

        Parameters
        ----------
        library : {"usearch", "pynndescent"}, optional
            Library that builds the index (the ``[index]`` extra installs usearch); by default the first of these that
            is installed.

        Returns
        -------
        NeighborIndex
            Index that answers in node ids.

        Raises
        ------
        MissingExtraError
            If the library is not installed.
        """
        from residuum.embedding.index import build_index

        return build_index(self.ids, self.vectors, library)

    def cluster(self, number: int | None = None, method: str = "kmeans", *, random_state: int = 0) -> "Clustering":
        """Cluster the nodes by the cosine of their vectors.

        Parameters
        ----------
        number : int, optional
            Number of clusters of k-means; by default the one with the highest silhouette.
        method : {"kmeans", "leiden"}, default "kmeans"
            k-means, or Leiden communities of the graph of nearest neighbors; see
            :func:`residuum.embedding.clustering.cluster_vectors`.
        random_state : int, default 0
            Seed.

        Returns
        -------
        Clustering
            Cluster of each node, in the order of ``ids``.
        """
        from residuum.embedding.clustering import cluster_vectors  # slow to import

        return cluster_vectors(self.vectors, number, method, random_state=random_state)

    def _repr_html_(self) -> str:
        n_nodes, n_components = self.vectors.shape
        rows = {
            "nodes": f"{n_nodes:,}",
            "dimensions": n_components,
            "ids": f"{', '.join(map(repr, self.ids[:3].tolist()))}{', …' if n_nodes > 3 else ''}",
            "direction": "directed" if self.directed else "undirected",
            "context vectors": "yes" if self.context_vectors is not None else "no",
            "offsets": "yes" if self.offsets is not None else "no",
        }
        described = {
            name: self.metadata[name] for name in ("method", "null_model", "erased") if self.metadata.get(name)
        }
        return html_table("Embedding", {**rows, **described})
