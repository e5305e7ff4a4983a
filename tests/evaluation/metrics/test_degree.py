import numpy as np
import pytest

from metric_cases import values
from residuum import Graph
from residuum.evaluation import (
    grade_degree,
    hub_share,
    similarity_dependence,
)


def test_degree_findings_of_a_weighted_directed_graph_use_the_sum_of_both_strengths():
    rng = np.random.default_rng(0)
    weights = rng.integers(1, 9, size=(60, 60)) * (rng.random((60, 60)) < 0.2 * rng.random((60, 1)))
    graph = Graph(weights, directed=True)
    both = weights.sum(axis=0) + weights.sum(axis=1)
    vectors = np.stack([np.log1p(both), np.ones(60), rng.random(60)], axis=1)
    measured = values(grade_degree(vectors, graph, random_state=7))
    expected = {
        "R² of similarity on degree": similarity_dependence(vectors, np.log1p(both), random_state=7),
        "hubs among neighbors": hub_share(vectors, both, n_neighbors=10, top=0.1),
    }
    assert measured == pytest.approx(expected)
    out_only = hub_share(vectors, graph.out_strength, n_neighbors=10, top=0.1)
    assert measured["hubs among neighbors"] != pytest.approx(out_only)
