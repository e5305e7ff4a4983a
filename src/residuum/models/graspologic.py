"""A function with the signature of ``graspologic.embed.node2vec_embed``, without gensim."""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._validation import check_integer
from residuum.graph import as_graph
from residuum.models.node2vec import Node2Vec

__all__ = ["node2vec_embed"]


def node2vec_embed(
    graph: Any,
    num_walks: int = 10,
    walk_length: int = 40,
    return_hyperparameter: float = 1.0,
    inout_hyperparameter: float = 1.0,
    dimensions: int = 128,
    window_size: int = 2,
    workers: int = 8,
    iterations: int = 3,
    interpolate_walk_lengths_by_node_degree: bool = True,
    random_seed: int | None = None,
) -> tuple[NDArray[np.float32], list[Any]]:
    """Embed a graph by node2vec, with the call of ``graspologic.embed.node2vec_embed``.

    It replaces that function where graspologic and gensim cannot be installed. The vectors are those of
    :class:`Node2Vec`, not the same numbers. For vectors without the effect of degree, use :class:`Residual2Vec`.

    Parameters
    ----------
    graph : networkx graph
        Graph or digraph, weighted or not, or anything else that :func:`residuum.as_graph` accepts.
    num_walks : int, default 10
        Walks per node and epoch.
    walk_length : int, default 40
        Number of nodes of a walk, at least 2.
    return_hyperparameter : float, default 1.0
        Return parameter p.
    inout_hyperparameter : float, default 1.0
        In-out parameter q.
    dimensions : int, default 128
        Number of columns of the result. Columns beyond the number of nodes minus 1 are zero.
    window_size : int, default 2
        Maximum number of steps between center and context.
    workers : int, default 8
        Number of threads; at most one per core is used.
    iterations : int, default 3
        Training epochs.
    interpolate_walk_lengths_by_node_degree : bool, default True
        Accepted for compatibility; all walks have the same length.
    random_seed : int, optional
        Seed. As in graspologic, only one worker gives identical results.

    Returns
    -------
    vectors : array of shape (N, dimensions)
        One vector per node.
    nodes : list of node ids
        Nodes in the order of the rows.

    Examples
    --------
    >>> import networkx as nx
    >>> from residuum import node2vec_embed
    >>> vectors, nodes = node2vec_embed(nx.karate_club_graph(), dimensions=8, workers=1, random_seed=1)
    >>> vectors.shape, nodes[:3]
    ((34, 8), [0, 1, 2])
    """
    del interpolate_walk_lengths_by_node_degree
    dimensions = check_integer("dimensions", dimensions, minimum=1)
    network = as_graph(graph)
    model = Node2Vec(
        min(dimensions, network.n_nodes - 1),
        p=return_hyperparameter,
        q=inout_hyperparameter,
        n_walks=num_walks,
        walk_length=check_integer("walk_length", walk_length, minimum=2) - 1,
        window=window_size,
        epochs=iterations,
        n_jobs=min(check_integer("workers", workers, minimum=1), os.cpu_count() or 1),
        random_state=random_seed,
    )
    vectors = model.fit(network).embedding_
    missing = dimensions - vectors.shape[1]
    return np.pad(vectors, ((0, 0), (0, missing))), network.node_ids.tolist()
