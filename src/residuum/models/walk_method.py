"""What the methods that walk have in common: each says what it assumes of chance and how its walkers step."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._validation import window_weights
from residuum.graph import Graph, as_graph, resolve_teleport
from residuum.models.node_embedding import checked_components
from residuum.models.notices import warn_of_structure
from residuum.models.skipgram_embedding import SkipGramEmbedding
from residuum.nulls import NullModel
from residuum.skipgram import SkipGramOptions

__all__ = ["WalkMethod"]


class WalkMethod(SkipGramEmbedding):
    """Skip-gram on walks, with the negatives of the null model that the method assumes."""

    def fit(self, X: Any, y: Any = None) -> "WalkMethod":
        """Embed a graph.

        Parameters
        ----------
        X : graph
            Whatever :func:`residuum.as_graph` takes.
        y : ignored
        """
        del y
        graph = as_graph(X)
        checked_components(self.n_components, graph)
        window = window_weights(self.window)
        options = self._options()
        groups = self._groups(graph)
        teleport = resolve_teleport(graph, self.teleport)
        null = self._null_model().fit(graph, window, teleport)
        warn_of_structure(graph, teleport, asked=self.teleport is not None)
        self._fit_by_walks(graph, window, teleport, null, options, groups)
        return self

    def _options(self) -> SkipGramOptions:
        names = ("n_walks", "walk_length", "p", "q", "n_negatives", "epochs", "learning_rate")
        return SkipGramOptions(**{name: getattr(self, name) for name in names if hasattr(self, name)})

    def _null_model(self) -> NullModel:
        raise NotImplementedError  # abstract

    def _groups(self, graph: Graph) -> NDArray[np.int32] | None:
        """Return the groups between which walkers choose first, if they do."""
        del graph
        return None
