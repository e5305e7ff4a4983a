"""A classifier of pairs, trained on edges that were held out of the graph."""

import itertools
import math
import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from residuum._progress import ProgressCallback, Stage
from residuum._random import as_generator
from residuum._threads import thread_limit
from residuum._validation import check_choice, check_real
from residuum.embedding import paired_positions
from residuum.errors import InvalidParameterError, ResiduumWarning
from residuum.evaluation import LinkTask, auc_roc, link_task
from residuum.graph import Graph, as_graph
from residuum.links.classifiers import cross_validated, grown_trees, log_odds, logistic_regression
from residuum.links.examples import PairExamples, examples, merged
from residuum.links.features import PairFeatures
from residuum.links.standard import Standard
from residuum.models import Residual2Vec
from residuum.models.base import NodeEmbedding
from residuum.models.estimator import Estimator

__all__ = ["PairHead"]

NEGATIVES = ("degree-matched", "uniform")
# Fewer held-out edges do not train a classifier.
_FEWEST_HELD_OUT = 50
# Edges are held out anew until there are so many examples, because few of them do not train classifiers well.
_ENOUGH_HELD_OUT, _MOST_ROUNDS = 20_000, 5
# Trees are averaged over several seeds.
_SEEDS = 3
# Pairs are scored in chunks: products of features take over a kilobyte per pair.
_PAIRS_AT_ONCE = 50_000


class PairHead(Estimator):
    """Link prediction by classifiers of pairs that see the association of an embedding, degrees and short paths.

    A share of the edges, outside a spanning tree, is held out, and the rest is embedded. Boosted trees and a logistic
    regression learn to tell the held-out edges from as many pairs without an edge by :class:`PairFeatures`. Graphs with
    few edges are split up to five times, and both learn from all splits. Cross-validation decides whether the
    regression has products of features as well, and how the two are averaged. The whole graph is then embedded, and its
    pairs are scored. Features are standardized by the pairs without an edge, separately in each training graph and in
    the whole graph, because all degrees and numbers of paths are lower without the held-out edges. A pair head helps
    most where walks distinguish few nodes, as in peer-to-peer networks.

    The classifiers see degrees and paths, which the vectors do not contain: use the vectors, not this score, where an
    attribute or the degree must not count.

    Parameters
    ----------
    model : NodeEmbedding, optional
        Embedding, which is copied and fitted once for each split and once to the whole graph;
        ``Residual2Vec(random_state=random_state)`` by default.
    negatives : {"degree-matched", "uniform"}, default "degree-matched"
        Pairs without an edge to learn from: ends of different held-out edges, so that degrees alone are no use, or
        random nodes.
    fraction : float, default 0.15
        Share of the edges to hold out.
    n_jobs : int, optional
        Number of threads; all cores by default.
    random_state : int, Generator or None
        Seed of the held-out edges and of the trees.
    progress : callable, optional
        Called with a :class:`residuum.ProgressEvent` after each step.

    Attributes
    ----------
    model_ : NodeEmbedding
        Embedding of the whole graph.
    auc_, model_auc_ : float
        AUC of the score on held-out edges, by cross-validation, and of the association of the embedding alone. ``auc_``
        is the best of ten averages and thus a little too high: 0.54 on 100 pairs that nothing tells apart, 0.51 on
        4,000, 0.50 on 20,000.
    trees_ : list of HistGradientBoostingClassifier
        The fitted trees. They and the regression take standardized features, which :meth:`score_pairs` computes.
    regression_ : Pipeline
        The logistic regression.
    share_ : float
        Share of the trees in the score.
    degree_ : {1, 2}
        Degree of the polynomial in the logistic regression.
    n_rounds_ : int
        How often edges were held out: until there were 20,000, at most five times.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> from residuum.links import PairHead
    >>> graph = datasets.planted_groups(300, 4, random_state=0)
    >>> head = PairHead(Residual2Vec(8, random_state=0), random_state=0).fit(graph)
    >>> head.score_pairs([0, 1], [4, 2]).shape
    (2,)
    """

    def __init__(
        self,
        model: NodeEmbedding | None = None,
        *,
        negatives: str = "degree-matched",
        fraction: float = 0.15,
        n_jobs: int | None = None,
        random_state: Any = None,
        progress: ProgressCallback | None = None,
    ) -> None:
        self.model = model
        self.negatives = negatives
        self.fraction = fraction
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress

    def fit(self, X: Any, y: Any = None) -> Self:
        """Hold out edges, train the classifiers, and embed the whole graph.

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

        Raises
        ------
        InvalidParameterError
            If fewer than 50 edges can be held out, or ``model`` is not an embedding.
        """
        import sklearn.ensemble  # noqa: F401 # before the threads are limited: a library that is loaded later is not

        del y
        if self.model is not None and not isinstance(self.model, NodeEmbedding):
            raise InvalidParameterError(
                f"model must be an embedding, such as Residual2Vec(64), or None; got {self.model!r}."
            )
        check_choice("negatives", self.negatives, NEGATIVES)
        fraction = check_real("fraction", self.fraction, minimum=0.0, maximum=0.9)
        graph, rng = as_graph(X), as_generator(self.random_state)
        task = link_task(graph, fraction, rng)
        if len(task.positive) < _FEWEST_HELD_OUT:
            raise InvalidParameterError(
                f"a pair head needs at least {_FEWEST_HELD_OUT} held-out edges outside a spanning tree; with "
                f"fraction={fraction:g} this graph has {len(task.positive)}. Raise fraction, or use the score of the "
                "embedding."
            )
        n_rounds = min(math.ceil(_ENOUGH_HELD_OUT / len(task.positive)), _MOST_ROUNDS)
        stage = Stage("pair head", n_rounds + 2, self.progress)
        with thread_limit(self.n_jobs):
            rounds = []
            more = (link_task(graph, fraction, rng) for _ in range(1, n_rounds))
            for split in itertools.chain([task], more):
                if (found := self._examples(graph, split, rng)) is not None:
                    rounds.append(found)
                stage.advance()
            if not rounds:
                raise InvalidParameterError(
                    f"a pair head needs pairs without an edge, and this graph of {graph.n_nodes} nodes and "
                    f"{graph.n_edges} edges has hardly any that are {self.negatives}. Use the score of the embedding."
                )
            pool = merged(rounds)
            seeds = rng.integers(2**31, size=_SEEDS).tolist()
            mixture = cross_validated(pool, seeds[0])
            features, is_edge = pool.features, pool.is_edge
            trees = grown_trees(features, is_edge, seeds)
            regression = logistic_regression(features, is_edge, mixture.degree)
            stage.advance()
            model = self._embedding().fit(graph)
            self._features = PairFeatures(model)
            # The same pairs without an edge, in the whole graph.
            standard = Standard.of(self._features(*pool.pairs[~is_edge].T))
            self._standard = standard.limited_by(pool.deviation, features)
        self.auc_, self.model_auc_ = mixture.auc, auc_roc(features[is_edge, 0], features[~is_edge, 0])
        self.trees_, self.regression_, self.model_ = trees, regression, model
        self.share_, self.degree_, self.n_rounds_ = mixture.share, mixture.degree, n_rounds
        self.graph_, self.node_ids_, self.embedding_ = graph, graph.node_ids, model.embedding_
        stage.finish()
        return self

    def _examples(self, graph: Graph, task: LinkTask, rng: np.random.Generator) -> PairExamples | None:
        """Return the examples of one split, with features from an embedding of the training graph."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResiduumWarning)  # the fit to the whole graph says it
            features = PairFeatures(self._embedding().fit(task.train))
        return examples(features, graph, task, self.negatives, rng)

    def _embedding(self) -> NodeEmbedding:
        """Return an embedding that is not fitted."""
        if self.model is None:
            return Residual2Vec(n_jobs=self.n_jobs, random_state=self.random_state)
        return type(self.model)(**self.model.get_params(deep=False))

    def score_pairs(self, i: Any, j: Any) -> NDArray[np.float64]:
        """Score pairs of nodes.

        Parameters
        ----------
        i, j : node id, or sequence of n node ids
            Nodes of the pairs; a single node is paired with each of the others. In a directed graph, sources and
            targets.

        Returns
        -------
        array of shape (n,), or of shape () for two single nodes
            Log odds of an edge among edges and pairs without an edge, as many of each.

        Raises
        ------
        UnknownNodeError
            If an id is not in the graph.
        """
        self._check_fitted()
        rows, columns, single = paired_positions(i, j, self.graph_.positions)
        scores = np.zeros(len(rows))
        with thread_limit(self.n_jobs):
            for begin in range(0, len(rows), _PAIRS_AT_ONCE):
                pairs = slice(begin, begin + _PAIRS_AT_ONCE)
                features = self._standard(self._features(rows[pairs], columns[pairs]))
                for share, classifiers in ((self.share_, self.trees_), (1.0 - self.share_, [self.regression_])):
                    if share:
                        scores[pairs] += share * log_odds(classifiers, features)
        return np.asarray(scores.reshape(()) if single else scores)
