"""Vectors from walks and skip-gram: the part that the estimators which walk have in common."""

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from residuum._random import as_generator
from residuum._threads import thread_limit
from residuum.errors import ResiduumWarning
from residuum.graph import Graph, Teleport
from residuum.models.newcomer_edges import edges_of_newcomers
from residuum.models.node_embedding import NodeEmbedding, checked_components
from residuum.nulls import BlockNull, FittedNull
from residuum.skipgram import SkipGramOptions, train_skipgram, vectors_of_newcomers
from residuum.walks import RandomWalks, WindowProbabilities

__all__ = ["SkipGramEmbedding"]

_NEWCOMERS_AT_ONCE = 256


class SkipGramEmbedding(NodeEmbedding):
    """An estimator that has ``n_components``, ``n_jobs``, ``random_state`` and ``progress`` and trains on walks."""

    def _fit_by_walks(
        self,
        graph: Graph,
        window: NDArray[np.float64],
        teleport: Teleport | None,
        null: FittedNull,
        options: SkipGramOptions,
        groups: NDArray[np.integer] | None = None,
        scale: float = 1.0,
    ) -> None:
        """Walk, train, and set the attributes; inner products are multiplied by the scale."""
        n_components = checked_components(self.n_components, graph)
        rng = as_generator(self.random_state)
        walks = RandomWalks(
            graph,
            n_walks=options.n_walks,
            walk_length=options.walk_length,
            p=options.p,
            q=options.q,
            teleport=teleport,
            groups=groups,
            random_state=rng,
        )
        with thread_limit(self.n_jobs):
            trained = train_skipgram(walks, null, window, n_components, options, rng=rng, progress=self.progress)
        self._half = np.float32(scale**0.5)
        self._keep(graph, self._half * trained.vectors, self._half * trained.context_vectors, null)
        self.singular_values_ = _singular_values(trained.vectors, trained.context_vectors)
        self.solver_ = "sgd"
        self.approximation_error_: float | None = None
        self.solver_details_ = {
            "n_pairs": trained.n_pairs,
            "losses": trained.losses,
            "shift": float(np.log(options.n_negatives)),
        }
        self.erased_: list[str] = []
        self._n_negatives = options.n_negatives
        self._window = WindowProbabilities(graph, window, teleport)

    def transform(
        self, X: Any, groups: ArrayLike | None = None, attributes: Mapping[str, ArrayLike] | None = None
    ) -> Any:
        """Return vectors of new nodes, from their edges to nodes of the graph.

        The walkers of a new node make their first step along its edges and go on in the graph. The residual row is
        projected on the context vectors; where vectors were trained by skip-gram, the new vector is the one at which
        the loss of its contexts is lowest. A node of the graph, asked for by its own edges, gets about its own vector.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, N), or edge table
            Weights of the edges from new nodes to the nodes of ``node_ids_``; or a table with the new node in the
            first column, the known one in the second, and perhaps a weight. Vectors come in order of first
            appearance.
        groups : array of shape (m,), optional
            The groups of the new nodes, if the null model has groups.
        attributes : mapping of name to array of shape (m,), optional
            The new nodes' own values of what was erased, by the names in ``erased_``; degree and the null model's
            groups are found by themselves.
        """
        check_is_fitted(self)
        edges = edges_of_newcomers(self.graph_, X)
        _warn_of_lonely(edges)
        return super().transform(edges, groups, attributes)

    def _embed_newcomers(
        self, edges: "sparse.csr_array[Any]", groups: ArrayLike | None, attributes: Any
    ) -> NDArray[np.float32]:
        del attributes
        assert self.null_ is not None
        row_groups = self._row_groups(groups, edges)
        parts = []
        with thread_limit(self.n_jobs):
            for begin in range(0, edges.shape[0], _NEWCOMERS_AT_ONCE):
                part = slice(begin, begin + _NEWCOMERS_AT_ONCE)
                parts.append(
                    self._half
                    * vectors_of_newcomers(
                        edges[part],
                        row_groups[part],
                        self._window,
                        self.null_,
                        self.context_embedding_ / self._half,
                        self._n_negatives,
                    )
                )
        return np.concatenate(parts)

    def _row_groups(self, groups: ArrayLike | None, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
        if isinstance(self.null_, BlockNull):
            return self.null_.row_groups_of(groups, edges)
        return np.zeros(edges.shape[0], dtype=np.int32)


def _warn_of_lonely(edges: "sparse.csr_array[Any]") -> None:
    lonely = int(np.count_nonzero(np.diff(edges.indptr) == 0))
    if lonely:
        warnings.warn(
            f"{lonely} of {edges.shape[0]} new nodes have no edge to a known node; their vectors are zero.",
            ResiduumWarning,
            stacklevel=4,
        )


def _singular_values(vectors: NDArray[np.float32], context_vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the singular values of ``U Vᵀ``: the square roots of the eigenvalues of ``(UᵀU)(VᵀV)``."""
    grams = [m.T.astype(np.float64) @ m.astype(np.float64) for m in (vectors, context_vectors)]
    squares = np.linalg.eigvals(grams[0] @ grams[1]).real
    return np.asarray(np.sqrt(np.sort(np.maximum(squares, 0.0))[::-1]))
