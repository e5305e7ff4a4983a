import numpy as np
import pytest

from residuum import datasets
from residuum.nulls import Configuration
from residuum.reproduction.target import Row, Settings
from residuum.reproduction.targets import blocks
from residuum.solvers.clusters import find_clusters
from residuum.walks import WindowProbabilities

GRAPH = datasets.planted_groups(120, 3, mixing=0.2, average_degree=6, degree_exponent=2.5, random_state=0)
WINDOW, N_CLUSTERS, SEED = 10, 12, 4


def block_form(walk, labels, exact_steps):
    """Return ``w P + θ̂ (Σ_{2≤t≤k} w Pᵗ Z + Pᵏ Z Σ_{t>k} w Eᵗ⁻ᵏ)``, dense; w is one tenth."""
    member = np.eye(labels.max() + 1)[labels]
    spread = member * GRAPH.in_strength[:, None] / (member.T @ GRAPH.in_strength)
    mixing = spread.T @ walk @ member
    power = np.linalg.matrix_power
    landing = sum(
        power(walk, min(t, exact_steps)) @ member @ power(mixing, max(t - exact_steps, 0)) for t in range(2, WINDOW + 1)
    )
    return (walk + landing @ spread.T) / WINDOW


def correlations(block, exact):
    x, y = np.log(block), np.log(exact)
    by_center = [np.corrcoef(x[center], y[center])[0, 1] for center in range(len(x))]
    return {"correlation": np.mean(by_center), "correlation, pooled": np.corrcoef(x.ravel(), y.ravel())[0, 1]}


@pytest.mark.parametrize(("form", "exact_steps"), [("one exact step", 1), ("automatic", WINDOW)])
def test_correlations_equal_those_of_dense_matrices(form, exact_steps):
    walk = GRAPH.adjacency.toarray() / GRAPH.out_strength[:, None]
    exact = sum(np.linalg.matrix_power(walk, t) for t in range(1, WINDOW + 1)) / WINDOW
    labels = find_clusters(
        WindowProbabilities(GRAPH, WINDOW), Configuration().fit(GRAPH, WINDOW), N_CLUSTERS, np.random.default_rng(SEED)
    )
    expected = correlations(block_form(walk, labels, exact_steps), exact)
    measured = blocks.block_correlations(GRAPH, N_CLUSTERS, SEED)[form]
    assert measured == pytest.approx(expected | {"exact steps": exact_steps}, abs=1e-4)
    # The two correlations differ enough for the test to distinguish them.
    assert abs(measured["correlation"] - measured["correlation, pooled"]) > 1e-3


def test_the_note_explains_graphs_with_fewer_nodes_than_centers(tmp_path):
    rows = [Row("planted", "automatic", 0, {"correlation": 0.9, "correlation, pooled": 0.9, "exact steps": 10.0})]
    note = blocks.TARGET.table(rows, Settings(tmp_path, quick=True))
    assert "500 random centers (all nodes of smaller graphs)" in note
