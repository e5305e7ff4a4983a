"""Custom null model in thirty lines: pages of a wiki that link mostly within their language.

A walker stays in its language with probability s, the share of edges within languages beyond chance, and reaches a page
in proportion to its degree. ``residuum.testing.check_null_model`` checks the model. A package that registers it under
the entry-point group ``residuum.null_models`` makes it available to ``residuum embed --null by-language``.
"""

import numpy as np

from residuum import Residual2Vec, datasets
from residuum.nulls import FittedNull
from residuum.testing import check_null_model


class ByLanguage:
    """``P_0(j | i) = d_j (s 1[l_i = l_j] / D_l + (1 − s) / D)``."""

    def __init__(self, languages):
        self.languages = np.asarray(languages)

    def fit(self, graph, window):
        """Estimate the share of edges within languages beyond chance."""
        return FittedByLanguage(graph, self.languages)


class FittedByLanguage(FittedNull):
    """Null model fitted to a graph: offsets, symmetry, log probabilities and samples."""

    symmetric = True

    def __init__(self, graph, languages):
        self.languages, self.degree = languages, graph.in_strength
        self.total = self.degree.sum()
        self.own = np.array([self.degree[languages == language].sum() for language in languages])
        rows, columns = graph.adjacency.nonzero()
        inside = np.average(languages[rows] == languages[columns], weights=graph.adjacency[rows, columns])
        chance = (self.degree * self.own).sum() / self.total**2
        self.share = max(0.0, (inside - chance) / (1 - chance))
        self.offset = self.source_offset = np.log(self.degree / self.total)

    def log_probability(self, rows, columns):
        """Return ln P_0 of pairs; the arrays broadcast."""
        same = self.languages[rows] == self.languages[columns]
        stay = self.share * same / self.own[columns]
        return np.log(self.degree[columns] * (stay + (1 - self.share) / self.total))

    def sample(self, centers, rng):
        """Sample one context per center by inverse transform."""
        probability = np.exp(self.log_rows(np.unique(centers)))
        row = np.searchsorted(np.unique(centers), centers)
        draws = rng.random(len(centers))
        return np.array([np.searchsorted(np.cumsum(probability[r]), u) for r, u in zip(row, draws, strict=True)])


if __name__ == "__main__":
    graph = datasets.planted_groups(300, 3, random_state=0)  # three languages
    null_model = ByLanguage(graph.node_attributes["group"])
    check_null_model(null_model, graph)
    model = Residual2Vec(n_components=16, null_model=null_model, random_state=0).fit(graph)
    print(f"all checks passed; {model.embedding_.shape[0]} vectors, solver {model.solver_}")
