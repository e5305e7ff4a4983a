import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from residuum import datasets
from residuum.evaluation import auc_roc, link_task

GRAPH = datasets.planted_groups(400, 3, degree_exponent=2.3, random_state=0)


def test_auc_equals_scikit_learns_with_ties():
    rng = np.random.default_rng(0)
    positive, negative = rng.integers(0, 10, 300), rng.integers(0, 8, 500)
    expected = roc_auc_score(np.r_[np.ones(300), np.zeros(500)], np.r_[positive, negative])
    assert auc_roc(positive, negative) == pytest.approx(expected)


def test_a_perfect_and_a_random_score_get_what_they_must():
    task = link_task(GRAPH, 0.5, np.random.default_rng(0))
    truth = GRAPH.adjacency.toarray()
    for negatives in ("uniform", "degree-matched"):
        assert task.auc(lambda i, j: truth[i, j], negatives) == 1.0
        noise = np.random.default_rng(1)
        assert task.auc(lambda i, j, noise=noise: noise.random(len(i)), negatives) == pytest.approx(0.5, abs=0.03)


def test_degree_alone_does_well_against_uniform_and_poorly_against_matched_negatives():
    task = link_task(GRAPH, 0.5, np.random.default_rng(0))
    degree = task.train.out_strength

    def score(i, j):
        return np.log(degree[i]) + np.log(degree[j])

    assert task.auc(score, "uniform") > 0.7
    assert task.auc(score, "degree-matched") < 0.6


def test_train_graph_does_not_know_the_hidden_edges():
    task = link_task(GRAPH, 0.5, np.random.default_rng(0))
    assert not task.train.adjacency.toarray()[*task.positive.T].any()
