"""What every estimator offers once it is fitted: scores of pairs, a score for model selection, an embedding to save."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from residuum._validation import check_choice, check_integer
from residuum.embedding import Embedding
from residuum.errors import InvalidParameterError
from residuum.evaluation import auc_roc, uniform_non_edges, with_edges
from residuum.graph import Graph, as_graph
from residuum.models.base import GraphTransformer
from residuum.models.description import describe
from residuum.nulls import FittedNull, NullModel, null_model_from_name

__all__ = ["NodeEmbedding", "checked_components", "resolve_null_model"]


class NodeEmbedding(GraphTransformer):
    """Base of the estimators: an estimator fills the attributes below in ``fit``, all else follows from them.

    Attributes
    ----------
    embedding_, context_embedding_ : float32 arrays of shape (N, K)
        u and v.
    offset_, source_offset_ : arrays of shape (N,)
        z_j and, for centres, what stands in its place: the pair (i, j) has the baseline ``source_offset_i + offset_j``.
    null_ : fitted null model or None
        Where there is one, it gives the baseline of a pair.
    graph_ : Graph
    node_ids_ : array of shape (N,)
    n_features_in_ : int
        Number of nodes.
    """

    null_: FittedNull | None

    def _keep(
        self,
        graph: Graph,
        vectors: NDArray[np.float32],
        context_vectors: NDArray[np.float32],
        null: FittedNull | None = None,
    ) -> None:
        """Set what all estimators have; without a null model the offsets are 0, and −inf for isolated nodes."""
        isolated = (graph.out_strength == 0) & (graph.in_strength == 0)
        nothing = np.where(isolated, -np.inf, 0.0)
        self.embedding_, self.context_embedding_ = vectors, context_vectors
        self.null_ = null
        self.offset_ = nothing if null is None else null.offset
        self.source_offset_ = nothing if null is None else null.source_offset
        self.graph_ = graph
        self.node_ids_ = graph.node_ids
        self.n_features_in_ = graph.n_nodes

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Embed a graph and return ``embedding_``; with pandas output, a data frame with node ids as its index."""
        vectors = super().fit_transform(as_graph(X), y)
        if hasattr(vectors, "index"):
            vectors.index = self.node_ids_
        return vectors

    def _embed_newcomers(self, edges: Any, groups: Any, attributes: Any) -> NDArray[np.float32]:
        raise InvalidParameterError(
            f"{type(self).__name__} has no vectors for nodes that it was not fitted to; fit it to the graph with them, "
            "or take Residual2Vec, NetMF, DeepWalk or Node2Vec, which have."
        )

    def score_pairs(self, i: Any, j: Any, mode: str = "residual", vectors: str = "both") -> NDArray[np.float64]:
        """Score pairs of nodes, given by their ids.

        Parameters
        ----------
        i, j : arrays of node ids, of the same length
        mode : "residual", "null" or "full"
            What the null model does not explain; what it does (``z_i + z_j`` for the configuration model, the log of
            the expected joint probability in general; 0 for methods without a null model); or the sum of both, which
            predicts links as they are.
        vectors : "both" or "embedding"
            ``(u_i · v_j + u_j · v_i) / 2``, signed, or ``u_i · u_j``, the paper's score. In a directed graph
            ``u_i · v_j``, the association from i to j.
        """
        check_is_fitted(self)
        check_choice("mode", mode, ["residual", "null", "full"])
        check_choice("vectors", vectors, ["both", "embedding"])
        rows, columns = self.graph_.positions(i), self.graph_.positions(j)
        if len(rows) != len(columns):
            raise InvalidParameterError(f"i and j must have the same length; got {len(rows)} and {len(columns)}.")
        score = np.zeros(len(rows))
        if mode != "null":
            score += self._residual_score(rows, columns, vectors)
        if mode != "residual":
            score += self._null_score(rows, columns)
        return score

    def _residual_score(self, rows: NDArray[np.int64], columns: NDArray[np.int64], vectors: str) -> NDArray[np.float64]:
        u, v = self.embedding_, self.context_embedding_
        if vectors == "embedding":
            return _dot(u[rows], u[columns])
        forward = _dot(u[rows], v[columns])
        if self.graph_.directed:
            return forward
        return (forward + _dot(u[columns], v[rows])) / 2

    def _null_score(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the log of the null's joint probability of the pair, the mean of both directions if undirected."""
        forward = self._baseline(rows, columns)
        if self.graph_.directed:
            return forward
        return (forward + self._baseline(columns, rows)) / 2

    def _baseline(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.float64]:
        towards = self.offset_[columns] if self.null_ is None else self.null_.log_probability(rows, columns)
        return np.asarray(towards + self.source_offset_[rows])

    def score(self, X: Any, y: Any = None) -> float:
        """Return the AUC of the full score for the edges of X against as many pairs that are no edges.

        Neither of X nor of the training graph, that is. Edges with a node that was not in the training graph are left
        out. With an edge table as input this makes ``GridSearchCV(Residual2Vec(), ...)`` hide edges and ask for them.
        """
        del y
        check_is_fitted(self)
        asked = as_graph(X)
        known = np.isin(asked.node_ids, self.node_ids_)
        entries = asked.adjacency.tocoo()
        use = known[entries.row] & known[entries.col] & (entries.row != entries.col)
        if not use.any():
            raise InvalidParameterError("no edge of X joins two nodes of the training graph; nothing to score.")
        ends = asked.node_ids[entries.row[use]], asked.node_ids[entries.col[use]]
        pairs = np.stack([self.graph_.positions(end) for end in ends], axis=1)
        other = uniform_non_edges(with_edges(self.graph_, pairs), len(pairs), np.random.default_rng(0))
        non_edges = self.node_ids_[other[:, 0]], self.node_ids_[other[:, 1]]
        return auc_roc(self.score_pairs(*ends, mode="full"), self.score_pairs(*non_edges, mode="full"))

    def to_embedding(self) -> Embedding:
        """Return ids, vectors, context vectors, offsets and how they were made, to be saved."""
        check_is_fitted(self)
        return Embedding(self.node_ids_, self.embedding_, self.context_embedding_, self.offset_, describe(self))

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])


def checked_components(n_components: Any, graph: Graph) -> int:
    """Return the number of components if the graph has more nodes than that."""
    checked = check_integer("n_components", n_components, minimum=1)
    if checked >= graph.n_nodes:
        raise InvalidParameterError(f"n_components must be below the number of nodes, {graph.n_nodes}; got {checked}.")
    return checked


def resolve_null_model(null_model: str | NullModel) -> NullModel:
    """Return the null model that a name or an object stands for."""
    if isinstance(null_model, str):
        return null_model_from_name(null_model)
    if not hasattr(null_model, "fit"):
        raise InvalidParameterError(
            f"null_model must be a name or an object with fit(graph, window, teleport); got {null_model!r}."
        )
    return null_model


def _dot(left: NDArray[np.float32], right: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the inner products of matching rows."""
    return np.asarray(np.einsum("pk,pk->p", left, right, dtype=np.float64))
