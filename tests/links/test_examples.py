import numpy as np
import pytest

from residuum import Graph, Residual2Vec, datasets
from residuum.evaluation import link_task
from residuum.links.examples import PairExamples, examples, merged
from residuum.links.features import PairFeatures
from residuum.links.standard import Standard

GRAPH = datasets.planted_groups(300, 3, average_degree=10, random_state=0)


def drawn(negatives, graph=GRAPH, seed=0):
    rng = np.random.default_rng(seed)
    task = link_task(graph, 0.2, rng)
    features = PairFeatures(Residual2Vec(4, random_state=0).fit(task.train))
    return task, features, examples(features, graph, task, negatives, rng)


@pytest.mark.parametrize("negatives", ["degree-matched", "uniform"])
def test_examples_are_the_held_out_edges_and_pairs_that_are_no_edge_of_the_whole_graph(negatives):
    task, features, found = drawn(negatives)
    weights = np.asarray(GRAPH.adjacency[found.pairs[:, 0], found.pairs[:, 1]]).ravel()
    np.testing.assert_array_equal(weights > 0, found.is_edge)
    assert np.count_nonzero(found.is_edge) == len(task.positive) == np.count_nonzero(~found.is_edge)
    np.testing.assert_array_equal(
        np.unique(found.pairs[found.is_edge], axis=0), np.unique(np.sort(task.positive, axis=1), axis=0)
    )
    values = features(*found.pairs.T)
    standard = Standard.of(values[~found.is_edge])
    np.testing.assert_allclose(found.features, standard(values))
    np.testing.assert_allclose(found.deviation, standard.deviation)


def test_degree_matched_pairs_have_only_ends_of_held_out_edges():
    task, _, found = drawn("degree-matched")
    assert np.isin(found.pairs, task.positive).all()
    assert not np.isin(drawn("uniform")[2].pairs, task.positive).all()


@pytest.mark.filterwarnings("ignore:the graph has")
def test_pairs_of_a_directed_graph_keep_their_direction():
    later = np.triu(np.random.default_rng(0).random((80, 80)) < 0.2, 1)[::-1, ::-1]
    _, _, found = drawn("uniform", Graph(later.astype(float), directed=True))
    assert (found.pairs[found.is_edge, 0] > found.pairs[found.is_edge, 1]).all()


def test_a_pair_of_several_splits_is_in_one_fold_and_folds_are_even():
    found = merged([drawn("uniform", seed=seed)[2] for seed in range(4)])
    assert len(np.unique(found.pairs, axis=0)) < len(found.pairs)
    fold = found.folds(3)
    for kind in (found.is_edge, ~found.is_edge):
        of_pair = {}
        for pair, number in zip(found.pairs[kind].tolist(), fold[kind].tolist(), strict=True):
            assert of_pair.setdefault(tuple(pair), number) == number
        counts = np.bincount(list(of_pair.values()))
        assert len(counts) == 3
        assert counts.max() - counts.min() <= 1


def test_folds_follow_the_order_of_the_examples_not_of_the_ids():
    pairs = np.array([[8, 9], [0, 1], [4, 5], [0, 1], [2, 3]])
    found = PairExamples(pairs, np.array([True] * 5), np.zeros((5, 1)), np.ones(1))
    np.testing.assert_array_equal(found.folds(2), [0, 1, 0, 1, 1])


def test_merged_examples_are_those_of_the_splits_one_after_another():
    parts = [drawn("uniform", seed=seed)[2] for seed in range(2)]
    found = merged(parts)
    np.testing.assert_array_equal(found.pairs, np.concatenate([part.pairs for part in parts]))
    np.testing.assert_array_equal(found.is_edge, np.concatenate([part.is_edge for part in parts]))
    np.testing.assert_array_equal(found.features, np.concatenate([part.features for part in parts]))
    np.testing.assert_allclose(found.deviation, (parts[0].deviation + parts[1].deviation) / 2)


def test_a_graph_without_pairs_to_compare_has_no_examples():
    dense = np.ones((30, 30)) - np.eye(30)
    dense[0, 1] = dense[1, 0] = 0.0
    assert drawn("degree-matched", Graph(dense))[2] is None
