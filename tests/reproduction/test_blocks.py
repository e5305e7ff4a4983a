import numpy as np
import pytest

from residuum import datasets
from residuum.nulls import Configuration
from residuum.reproduction import blocks
from residuum.reproduction.target import Row, Settings
from residuum.residual.blocking import find_blocks
from residuum.walks import WindowProbabilities

GRAPH = datasets.planted_groups(120, 3, mixing=0.2, average_degree=6, degree_exponent=2.5, random_state=0)
WINDOW, N_BLOCKS, SEED = 10, 12, 4


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
    one, other = np.log(block), np.log(exact)
    by_centre = [np.corrcoef(mine, theirs)[0, 1] for mine, theirs in zip(one, other, strict=True)]
    return {"correlation": np.mean(by_centre), "correlation, pooled": np.corrcoef(one.ravel(), other.ravel())[0, 1]}


@pytest.mark.parametrize(("form", "exact_steps"), [("one exact step", 1), ("automatic", WINDOW)])
def test_the_correlation_is_that_of_the_dense_matrices(form, exact_steps):
    walk = GRAPH.adjacency.toarray() / GRAPH.out_strength[:, None]
    exact = sum(np.linalg.matrix_power(walk, t) for t in range(1, WINDOW + 1)) / WINDOW
    labels = find_blocks(
        WindowProbabilities(GRAPH, WINDOW), Configuration().fit(GRAPH, WINDOW), N_BLOCKS, np.random.default_rng(SEED)
    )
    expected = correlations(block_form(walk, labels, exact_steps), exact)
    found = blocks.block_correlations(GRAPH, N_BLOCKS, SEED)[form]
    assert found == pytest.approx(expected | {"exact steps": exact_steps}, abs=1e-4)
    # The two ways to average, and the two forms, are far enough apart to be told.
    assert abs(found["correlation"] - found["correlation, pooled"]) > 1e-3


def test_the_note_says_what_is_done_where_there_are_fewer_nodes_than_centres(tmp_path):
    rows = [Row("planted", "automatic", 0, {"correlation": 0.9, "correlation, pooled": 0.9, "exact steps": 10.0})]
    note = blocks.TARGET.table(rows, Settings(tmp_path, quick=True))
    assert "500 random centres (all nodes of a graph that has fewer)" in note
