"""Base class of all estimators: vectors, pair scores, neighbors and export."""

import os
import warnings
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._validation import check_choice, check_integer
from residuum.embedding import Embedding, PairScores, paired_positions
from residuum.errors import InvalidParameterError, ResiduumWarning
from residuum.evaluation import auc_roc, uniform_non_edges, with_edges
from residuum.graph import Graph, as_graph
from residuum.models.estimator import Estimator
from residuum.models.parts import NotSaved
from residuum.models.record import describe, input_record
from residuum.nulls import FittedNull

__all__ = ["NodeEmbedding", "checked_components"]


class NodeEmbedding(Estimator):
    """Base class of estimators; ``fit`` sets the attributes below, and the other methods use only these.

    Attributes
    ----------
    embedding_, context_embedding_ : float32 arrays of shape (N, K)
        u and v.
    offset_, source_offset_ : arrays of shape (N,)
        Log probability of each node under the null model, as context and as center.
    null_ : FittedNull or None
        The fitted null model, if the method has one.
    graph_ : Graph
        The training graph.
    node_ids_ : array of shape (N,)
        Node ids, in the order of the rows.
    n_features_in_ : int
        Number of nodes.
    inputs_ : list of dict
        Role, name and SHA-256 hash of the file that was read; empty if the graph was not a file.
    """

    null_: FittedNull | None

    def fit(self, X: Any, y: Any = None) -> Self:
        """Embed a graph.

        Parameters
        ----------
        X : graph
            Anything that :func:`residuum.as_graph` accepts.
        y : ignored
            Present for compatibility with scikit-learn.

        Returns
        -------
        self
            The fitted estimator.
        """
        del y
        for name, value in self.get_params(deep=False).items():
            if isinstance(value, NotSaved):
                raise InvalidParameterError(
                    f"{name} of this loaded model was not saved ({value!r}); set it with set_params({name}=…) first."
                )
        self._fit(as_graph(X))
        self.inputs_ = [input_record("graph", X)] if isinstance(X, (str, os.PathLike)) else []
        return self

    def _fit(self, graph: Graph) -> None:
        """Embed a graph; set the attributes last, so that a failed fit leaves the estimator unfitted."""
        raise NotImplementedError  # abstract

    def _set_vectors(
        self,
        graph: Graph,
        vectors: NDArray[np.float32],
        context_vectors: NDArray[np.float32],
        null: FittedNull | None = None,
    ) -> None:
        """Set the common attributes; without a null model, offsets are 0, and −inf for isolated nodes."""
        isolated = (graph.out_strength == 0) & (graph.in_strength == 0)
        no_offset = np.where(isolated, -np.inf, 0.0)
        self.null_ = null
        self.offset_ = no_offset if null is None else null.offset
        self.source_offset_ = no_offset if null is None else null.source_offset
        self.graph_ = graph
        self.node_ids_ = graph.node_ids
        self.n_features_in_ = graph.n_nodes
        self.embedding_, self.context_embedding_ = vectors, context_vectors

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Embed a graph and return ``embedding_``.

        Parameters
        ----------
        X : graph
            As in :meth:`fit`.
        y : ignored
            Present for compatibility with scikit-learn.

        Returns
        -------
        array of shape (N, K)
            The vectors; with pandas output, a data frame indexed by node id.
        """
        vectors = self.fit(X, y).embedding_
        return self._as_output(vectors, self.node_ids_)

    def transform(
        self, X: Any, groups: ArrayLike | None = None, attributes: Mapping[str, ArrayLike] | None = None
    ) -> Any:
        """Embed out-of-sample nodes, which only models with a null model can.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, N), or edge table
            Edges from new nodes to nodes of the graph.
        groups : array of shape (m,), optional
            Groups of the new nodes.
        attributes : mapping of name to array of shape (m,), optional
            Values of the erased attributes of the new nodes.

        Returns
        -------
        array of shape (m, K)
            Vectors of the new nodes.

        Raises
        ------
        InvalidParameterError
            If the method cannot embed out-of-sample nodes.
        """
        del X, groups, attributes
        raise InvalidParameterError(
            f"{type(self).__name__} cannot embed out-of-sample nodes; refit it on a graph that includes them, or use "
            "Residual2Vec, NetMF, DeepWalk or Node2Vec."
        )

    @property
    def _scores(self) -> PairScores:
        return PairScores(
            self.embedding_,
            self.context_embedding_,
            self.offset_,
            self.source_offset_,
            directed=self.graph_.directed,
            log_null=None if self.null_ is None else self.null_.log_probability,
        )

    def score_pairs(self, i: Any, j: Any, mode: str = "residual", vectors: str = "both") -> NDArray[np.float64]:
        """Score pairs of nodes.

        Parameters
        ----------
        i, j : node id, or sequence of n node ids
            Centers and contexts; a single node is paired with each of the others.
        mode : {"residual", "null", "full"}, default "residual"
            The association beyond the null model; the expectation of the null model (``z_i + z_j`` for the
            configuration model, in general the log of the expected joint probability, 0 for methods without a null
            model); or their sum, which predicts observed links.
        vectors : {"both", "embedding"}, default "both"
            Association ``(u_i · v_j + u_j · v_i) / 2``, which is signed, or ``u_i · u_j``, the paper's score. In a
            directed graph "both" is ``u_i · v_j``, the association from i to j.

        Returns
        -------
        array of shape (n,), or of shape () for two single nodes
            Score of each pair.

        Raises
        ------
        UnknownNodeError
            If an id is not in the graph.
        """
        self._check_fitted()
        check_choice("mode", mode, ["residual", "null", "full"])
        check_choice("vectors", vectors, ["both", "embedding"])
        rows, columns, single = paired_positions(i, j, self.graph_.positions)
        scores = self._scores
        association = scores.residual if vectors == "both" else scores.dot
        parts = {"residual": [association], "null": [scores.null], "full": [association, scores.null]}[mode]
        total = np.sum([part(rows, columns) for part in parts], axis=0)
        return np.asarray(total.reshape(()) if single else total)

    def score(self, X: Any, y: Any = None) -> float:
        """Return the AUC of the full score on the edges of X against as many random non-edges.

        Edges with a node outside the training graph are ignored, with a warning if they are most of them. To choose
        parameters on held-out edges by ``GridSearchCV(Residual2Vec(), …, cv=EdgeFold(3))``, pass an edge table and
        :class:`residuum.evaluation.EdgeFold`, which keeps every node in the training set. An integer ``cv`` holds out
        blocks of rows: if the table is sorted, no edge of a block can be scored, and scikit-learn turns the error of
        this method into a warning and a score of NaN.

        Parameters
        ----------
        X : graph
            As in :meth:`fit`.
        y : ignored
            Present for compatibility with scikit-learn.

        Returns
        -------
        float
            Between 0 and 1; 0.5 is chance.

        Raises
        ------
        InvalidParameterError
            If no edge of X joins two nodes of the training graph.
        """
        del y
        self._check_fitted()
        held_out = as_graph(X)
        in_training = np.isin(held_out.node_ids, self.node_ids_)
        entries = held_out.adjacency.tocoo()
        use = in_training[entries.row] & in_training[entries.col] & (entries.row != entries.col)
        if not use.any():
            raise InvalidParameterError(
                f"none of the {held_out.n_edges} edges of X joins two different nodes of the training graph; pass "
                "held-out edges of that graph. In GridSearchCV use cv=residuum.evaluation.EdgeFold()."
            )
        if 2 * use.sum() < len(use):
            warnings.warn(
                f"only {use.mean():.0%} of the edges of X join two different nodes of the training graph; the score "
                "ignores the others. In GridSearchCV use cv=residuum.evaluation.EdgeFold().",
                ResiduumWarning,
                stacklevel=2,
            )
        ends = held_out.node_ids[entries.row[use]], held_out.node_ids[entries.col[use]]
        pairs = np.stack([self.graph_.positions(end) for end in ends], axis=1)
        non_edges = uniform_non_edges(with_edges(self.graph_, pairs), len(pairs), np.random.default_rng(0))
        full = self._scores.full
        return auc_roc(full(*pairs.T), full(*non_edges.T))

    def neighbors(self, identity: Any, n: int = 10, by: str = "cosine") -> list[tuple[Any, float]]:
        """Return the nodes most similar to a node; see :meth:`residuum.Embedding.neighbors`.

        Parameters
        ----------
        identity : node id
            Node whose neighbors are searched.
        n : int, default 10
            Number of neighbors; at most N − 1 are returned.
        by : {"cosine", "association"}, default "cosine"
            Cosine of the two vectors, or their association.

        Returns
        -------
        list of (node id, float)
            Neighbors and their similarity, most similar first.
        """
        return self.to_embedding().neighbors(identity, n, by)

    def to_embedding(self) -> Embedding:
        """Return the vectors with node ids, offsets and metadata, ready to be saved.

        Returns
        -------
        Embedding
            Its metadata record the parameters and the outcome of the fit.
        """
        self._check_fitted()
        return Embedding(
            self.node_ids_,
            self.embedding_,
            self.context_embedding_,
            self.offset_,
            describe(self),
            source_offsets=self.source_offset_,
            directed=self.graph_.directed,
        )


def checked_components(n_components: Any, graph: Graph) -> int:
    """Return ``n_components`` if it is an integer of at least 1 and below the number of nodes.

    Parameters
    ----------
    n_components : int
        Number of dimensions.
    graph : Graph
        Graph to embed.

    Returns
    -------
    int
        The number of dimensions.

    Raises
    ------
    InvalidParameterError
        If it is not.
    """
    checked = check_integer("n_components", n_components, minimum=1)
    if checked >= graph.n_nodes:
        raise InvalidParameterError(f"n_components must be below the number of nodes, {graph.n_nodes}; got {checked}.")
    return checked
