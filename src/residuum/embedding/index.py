"""Approximate indices of nearest neighbors, built by usearch or pynndescent."""

import importlib.util
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._validation import check_choice, check_integer, import_extra
from residuum.errors import InvalidParameterError, MissingExtraError

__all__ = ["NeighborIndex", "build_index"]

_LIBRARIES = ("usearch", "pynndescent")


class NeighborIndex:
    """Index of nearest neighbors by cosine; zero vectors, which have no direction, are left out.

    Parameters
    ----------
    ids : array of shape (N,)
        Node ids.
    vectors : array of shape (N, K)
        One vector per node.
    library : {"usearch", "pynndescent"}
        Library that builds the index.
    """

    def __init__(self, ids: NDArray[Any], vectors: NDArray[np.float32], library: str) -> None:
        has_direction = vectors.any(axis=1)
        self._ids, self.library = ids[has_direction], library
        self._n_components = vectors.shape[1]
        vectors = np.ascontiguousarray(vectors[has_direction])
        if library == "usearch":
            # The default type has 8 bits of precision.
            usearch = import_extra("usearch.index", "index")
            self._index = usearch.Index(ndim=vectors.shape[1], metric="cos", dtype="f32")
            self._index.add(np.arange(len(vectors)), vectors)
        else:
            self._index = import_extra("pynndescent", "index").NNDescent(vectors, metric="cosine", random_state=0)
            self._index.prepare()

    def query(self, vectors: NDArray[np.floating], n: int = 10) -> list[list[tuple[Any, float]]]:
        """Return the nearest nodes of vectors.

        Parameters
        ----------
        vectors : array of shape (m, K)
            Vectors, such as those of out-of-sample nodes. A node of the embedding is its own nearest node.
        n : int, default 10
            Number of nodes for each vector.

        Returns
        -------
        list of m lists of (node id, float)
            Nodes and cosines, most similar first; an empty list for a zero vector.
        """
        n = min(check_integer("n", n, minimum=1), len(self._ids))
        queries = np.ascontiguousarray(vectors, dtype=np.float32)
        if queries.ndim != 2 or queries.shape[1] != self._n_components:
            raise InvalidParameterError(f"vectors must have shape (m, {self._n_components}); got {queries.shape}.")
        if self.library == "usearch":
            matches = self._index.search(queries, n)
            rows, distances = np.atleast_2d(matches.keys), np.atleast_2d(matches.distances)
        else:
            rows, distances = self._index.query(queries, n)
        return [
            [(self._ids.item(int(row)), 1.0 - float(distance)) for row, distance in zip(*pair, strict=True)]
            if query.any()
            else []
            for query, *pair in zip(queries, rows, distances, strict=True)
        ]


def build_index(ids: NDArray[Any], vectors: NDArray[np.float32], library: str | None = None) -> NeighborIndex:
    """Build an index with the first library that is installed.

    Parameters
    ----------
    ids : array of shape (N,)
        Node ids.
    vectors : array of shape (N, K)
        One vector per node.
    library : {"usearch", "pynndescent"}, optional
        Library to use.

    Returns
    -------
    NeighborIndex
        The index.

    Raises
    ------
    MissingExtraError
        If neither library, or not the one asked for, is installed.
    """
    if library is not None:
        return NeighborIndex(ids, vectors, check_choice("library", library, _LIBRARIES))
    for name in _LIBRARIES:
        if importlib.util.find_spec(name) is not None:
            return NeighborIndex(ids, vectors, name)
    raise MissingExtraError(
        "an index needs usearch or pynndescent, which are not installed: pip install 'residuum[index]'."
    )
