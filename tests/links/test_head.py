import warnings

import numpy as np
import pytest

from residuum import Graph, Residual2Vec, datasets
from residuum.errors import InvalidParameterError, ResiduumWarning, UnknownNodeError
from residuum.evaluation import link_task
from residuum.links import PairFeatures, PairHead
from residuum.links.classifiers import Mixture
from residuum.links.standard import Standard

GRAPH = datasets.planted_groups(400, 4, mixing=0.2, average_degree=12, random_state=0)


def bipartite_like(n=600, seed=0):
    """Return a graph whose edges join nodes of different kinds, so that degrees around the ends tell edges."""
    rng = np.random.default_rng(seed)
    hubs, leaves = np.arange(n // 10), np.arange(n // 10, n)
    ends = np.stack([rng.choice(hubs, 8 * n), rng.choice(leaves, 8 * n)], axis=1)
    more = rng.choice(leaves, (n, 2))
    A = np.zeros((n, n))
    for first, second in np.concatenate([ends, more]):
        A[first, second] = A[second, first] = first != second
    return Graph(A)


def test_pairs_are_scored_and_the_same_seed_gives_the_same_bits():
    head = PairHead(Residual2Vec(8, random_state=0), random_state=1).fit(GRAPH)
    again = PairHead(Residual2Vec(8, random_state=0), random_state=1, n_jobs=1).fit(GRAPH)
    ids = GRAPH.node_ids
    scores = head.score_pairs(ids[:100], ids[100:200])
    np.testing.assert_array_equal(scores, again.score_pairs(ids[:100], ids[100:200]))
    np.testing.assert_array_equal(scores, head.score_pairs(ids[100:200], ids[:100]))
    assert head.score_pairs(ids[0], ids[1]).shape == ()
    assert head.score_pairs([], []).shape == (0,)
    np.testing.assert_array_equal(head.model_.embedding_, Residual2Vec(8, random_state=0).fit(GRAPH).embedding_)


def test_held_out_edges_score_higher_than_other_pairs():
    task = link_task(GRAPH, 0.25, np.random.default_rng(0))
    head = PairHead(Residual2Vec(8, random_state=0), random_state=0).fit(task.train)
    auc = task.auc(lambda i, j: head.score_pairs(GRAPH.node_ids[i], GRAPH.node_ids[j]), "degree-matched")
    assert auc > 0.65
    assert abs(auc - head.auc_) < 0.1


def test_it_is_ahead_of_the_association_where_degrees_around_the_ends_tell():
    task = link_task(bipartite_like(), 0.25, np.random.default_rng(0))
    head = PairHead(Residual2Vec(8, random_state=0), negatives="uniform", random_state=0).fit(task.train)
    scores = {"head": head.score_pairs, "model": head.model_.score_pairs}
    auc = {name: task.auc(score, "uniform") for name, score in scores.items()}
    assert auc["head"] > auc["model"] + 0.02
    assert head.auc_ > head.model_auc_


def test_trees_have_a_part_at_most_where_few_edges_are_held_out():
    graph = datasets.planted_groups(120, 2, mixing=0.02, average_degree=8, degree_exponent=None, random_state=0)
    head = PairHead(Residual2Vec(2, random_state=0), random_state=0).fit(graph)
    assert head.share_ < 1
    assert head.auc_ >= head.model_auc_ - 0.02


def test_the_score_is_the_average_of_trees_and_of_a_regression():
    head = PairHead(Residual2Vec(8, random_state=0), random_state=1).fit(GRAPH)
    i, j = GRAPH.node_ids[:50], GRAPH.node_ids[50:100]
    scores = {}
    for head.share_ in (0.0, 0.25, 1.0):
        scores[head.share_] = head.score_pairs(i, j)
    np.testing.assert_allclose(scores[0.25], 0.75 * scores[0.0] + 0.25 * scores[1.0])
    assert not np.allclose(scores[0.0], scores[1.0])


@pytest.mark.parametrize("degree", [1, 2])
def test_the_regression_has_the_degree_that_cross_validation_chose(monkeypatch, degree):
    mixture = Mixture(degree, share=0.25, auc=0.7)
    monkeypatch.setattr("residuum.links.head.cross_validated", lambda examples, seed: mixture)
    head = PairHead(Residual2Vec(8, random_state=0), random_state=1).fit(GRAPH)
    assert (head.degree_, head.share_, head.auc_) == (degree, 0.25, 0.7)
    n_features = head.trees_[0].n_features_in_
    assert head.regression_[-1].n_features_in_ == (n_features if degree == 1 else n_features * (n_features + 3) // 2)


@pytest.mark.filterwarnings("ignore:the graph has", "ignore:the factors")
@pytest.mark.parametrize("negatives", ["degree-matched", "uniform"])
def test_features_that_do_not_vary_in_the_whole_graph_do_not_dominate(negatives):
    wheel = np.roll(np.eye(300), 1, axis=1) + np.roll(np.eye(300), -1, axis=1)
    wheel[0, 1:] = wheel[1:, 0] = 1.0
    head = PairHead(Residual2Vec(8, random_state=0), negatives=negatives, random_state=0).fit(Graph(wheel))
    i, j = np.triu_indices(300, 1)
    assert np.abs(head.score_pairs(head.node_ids_[i], head.node_ids_[j])).max() < 1000


def test_a_dense_graph_without_pairs_to_learn_from_is_refused():
    dense = np.ones((40, 40)) - np.eye(40)
    dense[0, 1] = dense[1, 0] = dense[2, 3] = dense[3, 2] = 0.0
    with pytest.raises(InvalidParameterError, match="this graph of 40 nodes and 778 edges has hardly any that are"):
        PairHead(Residual2Vec(4, random_state=0), random_state=0).fit(Graph(dense))


@pytest.mark.parametrize("directed", [False, True])
def test_weights_of_any_size_have_scores(directed):
    rng = np.random.default_rng(0)
    weights = np.triu(np.where(rng.random((150, 150)) < 0.1, 10.0 ** rng.uniform(-100, 100, (150, 150)), 0.0), k=1)
    graph = Graph(weights if directed else weights + weights.T, directed=directed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResiduumWarning)
        head = PairHead(Residual2Vec(4, random_state=0), random_state=0).fit(graph)
    assert np.isfinite(head.score_pairs(graph.node_ids[0], graph.node_ids[1:])).all()


def test_features_are_scaled_by_pairs_without_an_edge_of_the_whole_graph(monkeypatch):
    head = PairHead(Residual2Vec(8, random_state=0), negatives="uniform", random_state=1).fit(GRAPH)
    rng = np.random.default_rng(0)
    i, j = rng.integers(GRAPH.n_nodes, size=(2, 4000))
    apart = (GRAPH.adjacency[i, j] == 0) & (i != j)
    expected = Standard.of(PairFeatures(head.model_)(i[apart], j[apart]))
    seen = []
    monkeypatch.setattr("residuum.links.head.log_odds", lambda _, features: seen.append(features) or features[:, 0])
    head.score_pairs(GRAPH.node_ids[i[:500]], GRAPH.node_ids[j[:500]])
    wanted = expected(PairFeatures(head.model_)(i[:500], j[:500]))
    # In the scale of the training graphs, the largest difference is 0.5.
    np.testing.assert_allclose(seen[0].mean(axis=0), wanted.mean(axis=0), atol=0.1)


def test_scores_do_not_depend_on_the_size_of_the_chunks(monkeypatch):
    head = PairHead(Residual2Vec(8, random_state=0), random_state=1).fit(GRAPH)
    i, j = GRAPH.node_ids[:100], GRAPH.node_ids[100:200]
    scores = head.score_pairs(i, j)
    monkeypatch.setattr("residuum.links.head._PAIRS_AT_ONCE", 7)
    np.testing.assert_allclose(head.score_pairs(i, j), scores, rtol=1e-12)


@pytest.mark.parametrize(("share", "unused"), [(0.0, "trees_"), (1.0, "regression_")])
def test_a_classifier_without_a_share_is_not_called(share, unused):
    head = PairHead(Residual2Vec(8, random_state=0), random_state=1).fit(GRAPH)
    head.share_ = share
    setattr(head, unused, [None])
    assert np.isfinite(head.score_pairs(GRAPH.node_ids[0], GRAPH.node_ids[1:9])).all()


@pytest.mark.parametrize("directed", [False, True])
def test_nothing_is_found_in_a_random_graph(directed):
    # Degrees without the held-out edges would tell their ends from pairs with the degrees of the whole graph.
    A = (np.random.default_rng(0).random((800, 800)) < 4 / 800).astype(float)
    np.fill_diagonal(A, 0)
    graph = Graph(A, directed=True) if directed else Graph(np.maximum(A, A.T))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResiduumWarning)
        head = PairHead(Residual2Vec(8, random_state=0), fraction=0.2, random_state=0).fit(graph)
    assert head.auc_ < 0.56


def test_the_default_embedding_has_the_seed_of_the_head():
    head = PairHead(random_state=3).fit(GRAPH)
    assert head.model_.get_params()["random_state"] == 3
    assert head.get_params()["model"] is None


def test_a_directed_graph_has_directed_scores():
    rng = np.random.default_rng(0)
    later = np.triu(rng.random((120, 120)) < 0.1, 1)
    head = PairHead(Residual2Vec(4, random_state=0), negatives="uniform", random_state=0)
    with pytest.warns(ResiduumWarning, match="dangling") as caught:
        head.fit(Graph(later, directed=True))
    assert len(caught) == 1
    i, j = np.arange(60), np.arange(60, 120)
    forward, backward = head.score_pairs(i, j), head.score_pairs(j, i)
    assert forward.mean() > backward.mean() + 1


def test_progress_has_a_step_for_every_split_and_two_more():
    events = []
    head = PairHead(Residual2Vec(4, random_state=0), random_state=0, progress=events.append).fit(GRAPH)
    assert [event.done for event in events][-1] == head.n_rounds_ + 2


@pytest.mark.parametrize(("fraction", "rounds"), [(0.15, 5), (0.6, 2)])
def test_edges_are_held_out_until_there_are_enough_at_most_five_times(fraction, rounds):
    graph = datasets.planted_groups(1200, 4, mixing=0.2, average_degree=32, random_state=0)
    head = PairHead(Residual2Vec(2, random_state=0), fraction=fraction, random_state=0).fit(graph)
    assert head.n_rounds_ == rounds


def test_errors_name_the_way_out():
    with pytest.raises(InvalidParameterError, match=r"at least 50 held-out edges .* Raise fraction"):
        PairHead(random_state=0).fit(datasets.karate_club())
    with pytest.raises(InvalidParameterError, match="negatives"):
        PairHead(negatives="hard").fit(GRAPH)
    with pytest.raises(InvalidParameterError, match="fraction"):
        PairHead(fraction=1.5).fit(GRAPH)
    with pytest.raises(InvalidParameterError, match="model must be an embedding"):
        PairHead("deepwalk").fit(GRAPH)
    with pytest.raises(Exception, match="not fitted yet"):
        PairHead().score_pairs(0, 1)
    head = PairHead(Residual2Vec(4, random_state=0), random_state=0).fit(GRAPH)
    with pytest.raises(UnknownNodeError):
        head.score_pairs("nobody", 0)
