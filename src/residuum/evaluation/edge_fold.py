"""Cross-validation over the rows of an edge table, for scikit-learn's model selection."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._random import as_generator
from residuum._validation import check_integer
from residuum.errors import InvalidGraphError
from residuum.evaluation.splits import in_spanning_forest
from residuum.graph.edge_table import is_table, read_pairs
from residuum.graph.pairs import ends_and_weights, is_array_of_edges, is_list_of_edges

__all__ = ["EdgeFold"]


class EdgeFold:
    """Folds of the edges of a table, shuffled, with every node in every training set.

    Pass it as ``cv`` to scikit-learn. An integer ``cv`` cuts the table into blocks of rows: in a sorted edge list the
    nodes of a block have no edges outside it, so none of them can be scored, and ``GridSearchCV`` returns NaN.

    The edges of a random spanning forest are in every training set. The other edges are divided into folds; rows with
    the same two nodes are in the same fold. Self-loops are never held out.

    Parameters
    ----------
    n_splits : int, default 3
        Number of folds.
    random_state : int, Generator or None, default 0
        Seed of the forest and of the folds.

    Examples
    --------
    >>> from sklearn.model_selection import GridSearchCV
    >>> from residuum import Residual2Vec
    >>> edges = [(i, j) for i in range(40) for j in range(i) if (i - j) % 40 < 5]
    >>> search = GridSearchCV(Residual2Vec(4, random_state=0), {"window": [1, 5]}, cv=EdgeFold(2)).fit(edges)
    >>> np.isfinite(search.cv_results_["mean_test_score"]).all()
    np.True_
    """

    def __init__(self, n_splits: int = 3, *, random_state: int | np.random.Generator | None = 0) -> None:
        self.n_splits = n_splits
        self.random_state = random_state

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds.

        Parameters
        ----------
        X, y, groups : ignored
            Present for compatibility with scikit-learn.

        Returns
        -------
        int
            ``n_splits``.
        """
        del X, y, groups
        return check_integer("n_splits", self.n_splits, minimum=2)

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yield the rows of the training set and of the held-out edges of each fold.

        Parameters
        ----------
        X : edge table, list of edges, or array of edges of shape (m, 2)
            One edge per row.
        y, groups : ignored
            Present for compatibility with scikit-learn.

        Yields
        ------
        train, test : arrays of row numbers
            Rows of the two sets.

        Raises
        ------
        InvalidGraphError
            If X is not a table of edges, or too few edges are outside the spanning forest.
        """
        del y, groups
        n_splits = self.get_n_splits()
        ends, n_nodes = _ends(X)
        low, high = ends.min(axis=0), ends.max(axis=0)
        rng = as_generator(self.random_state)
        free = np.flatnonzero(~in_spanning_forest(low, high, n_nodes, rng) & (low != high))
        pairs, pair_of_row = np.unique(low[free] * n_nodes + high[free], return_inverse=True)
        if len(pairs) < n_splits:
            raise InvalidGraphError(
                f"{n_splits} folds need at least {n_splits} edges outside a spanning forest, which stays in every "
                f"training set; the graph has {len(pairs)}. Use fewer folds, or a graph with more edges."
            )
        fold = rng.permutation(len(pairs))[pair_of_row] % n_splits
        for number in range(n_splits):
            test = free[fold == number]
            yield np.setdiff1d(np.arange(len(low)), test), test


def _ends(edges: Any) -> tuple[NDArray[np.int64], int]:
    """Return the two ends of each row as numbers, in shape (2, m), and the number of nodes."""
    if is_table(edges):
        sources, targets, _ = read_pairs(edges)
    elif is_list_of_edges(edges) or is_array_of_edges(edges):
        sources, targets, _ = ends_and_weights(edges)
    else:
        raise InvalidGraphError(
            f"EdgeFold needs a table with one edge per row; got {type(edges).__name__}. Pass a data frame, a list of "
            "tuples, or an array of shape (m, 2)."
        )
    numbers: dict[Any, int] = {}
    codes = [[numbers.setdefault(node, len(numbers)) for node in nodes] for nodes in (sources, targets)]
    return np.array(codes, dtype=np.int64), len(numbers)
