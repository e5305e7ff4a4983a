"""A null model of your own in thirty lines: pages of a wiki, of which many link within their language.

With a share s of the edges inside languages, chance leads to a page in proportion to its degree: with s to one of
the same language, otherwise anywhere. Checked by ``residuum.testing.check_null_model``; installed under the
entry-point group ``residuum.null_models`` it would be known to ``residuum embed --null by-language``.
"""

import numpy as np

from residuum import Residual2Vec, datasets
from residuum.testing import check_null_model


class ByLanguage:
    """``P_0(j | i) = d_j (s 1[l_i = l_j] / D_l + (1 − s) / D)``."""

    blocks, symmetric = None, True

    def __init__(self, languages):
        self.languages = np.asarray(languages)

    def fit(self, graph, window, teleport=None):
        """Count the share of the edges inside languages beyond chance; P_0 needs no more."""
        fitted = ByLanguage(self.languages)
        fitted.degree = graph.in_strength
        fitted.total = fitted.degree.sum()
        fitted.own = np.array([fitted.degree[self.languages == language].sum() for language in self.languages])
        rows, columns = graph.adjacency.nonzero()
        inside = np.average(self.languages[rows] == self.languages[columns], weights=graph.adjacency[rows, columns])
        chance = (fitted.degree * fitted.own).sum() / fitted.total**2
        fitted.share = max(0.0, (inside - chance) / (1 - chance))
        fitted.offset = fitted.source_offset = np.log(fitted.degree / fitted.total)
        return fitted

    def log_probability(self, rows, columns):
        """Return ln P_0, broadcasting."""
        same = self.languages[rows] == self.languages[columns]
        stay = self.share * same / self.own[columns]
        return np.log(self.degree[columns] * (stay + (1 - self.share) / self.total))

    def sample(self, centers, rng):
        """Draw by inverse transform, a row at a time."""
        chance = np.exp(self.log_probability(np.unique(centers)[:, None], np.arange(len(self.degree))[None, :]))
        row = np.searchsorted(np.unique(centers), centers)
        draws = rng.random(len(centers))
        return np.array([np.searchsorted(np.cumsum(chance[r]), u) for r, u in zip(row, draws, strict=True)])


if __name__ == "__main__":
    graph = datasets.planted_groups(300, 3, random_state=0)  # three languages
    null_model = ByLanguage(graph.node_attributes["group"])
    check_null_model(null_model, graph)
    model = Residual2Vec(n_components=16, null_model=null_model, random_state=0).fit(graph)
    print(f"contract kept; {model.embedding_.shape[0]} vectors, solver {model.solver_}")
