import numpy as np
import pytest

from residuum import Residual2Vec, datasets
from residuum.errors import InvalidParameterError
from residuum.reproduction.methods import METHODS, fit, kind_of, methods_of
from residuum.reproduction.target import Settings
from residuum.solvers import SkipGram

GRAPH = datasets.planted_groups(120, 3, mixing=0.1, random_state=0)
ROWS, COLUMNS = np.array([0, 1, 2]), np.array([50, 51, 3])


@pytest.fixture
def settings(tmp_path):
    return Settings(tmp_path, quick=True)


def test_the_score_of_the_paper_adds_offsets_only_for_residual2vec(settings):
    ours, theirs = (fit(name, GRAPH, settings, 0) for name in ("residual2vec", "NetMF"))
    z = np.log(GRAPH.out_strength / GRAPH.out_strength.sum())
    u, w = ours.vectors.astype(float), theirs.vectors.astype(float)
    np.testing.assert_allclose(
        ours.scores["paper"](ROWS, COLUMNS), (u[ROWS] * u[COLUMNS]).sum(axis=1) + z[ROWS] + z[COLUMNS], rtol=1e-5
    )
    np.testing.assert_allclose(
        theirs.scores["paper"](ROWS, COLUMNS), (w[ROWS] * w[COLUMNS]).sum(axis=1), rtol=1e-5, atol=1e-6
    )
    difference = np.asarray(theirs.scores["full"](ROWS, COLUMNS)) - theirs.scores["residual"](ROWS, COLUMNS)
    np.testing.assert_allclose(difference, z[ROWS] + z[COLUMNS], rtol=1e-6)


def test_the_full_score_of_a_method_without_offsets_adds_log_degrees(settings):
    fitted = fit("Laplacian eigenmap", GRAPH, settings, 0)
    z = np.log(GRAPH.out_strength / GRAPH.out_strength.sum())
    difference = np.asarray(fitted.scores["full"](ROWS, COLUMNS)) - fitted.scores["residual"](ROWS, COLUMNS)
    np.testing.assert_allclose(difference, z[ROWS] + z[COLUMNS], rtol=1e-6)
    np.testing.assert_allclose(fitted.scores["paper"](ROWS, COLUMNS), fitted.scores["residual"](ROWS, COLUMNS))


def test_the_degree_scores_pairs_by_log_degrees(settings):
    fitted = fit("degree", GRAPH, settings, 0)
    z = np.log(GRAPH.out_strength)
    for name in ("paper", "full"):
        np.testing.assert_allclose(fitted.scores[name](ROWS, COLUMNS), z[ROWS] + z[COLUMNS])
    assert not fitted.vectors.any()


def test_methods_are_selected_by_name(tmp_path):
    assert methods_of(Settings(tmp_path, methods=("NetMF", "residual2vec"))) == ["residual2vec", "NetMF"]
    assert methods_of(Settings(tmp_path), ["NetMF"]) == ["NetMF"]
    with pytest.raises(InvalidParameterError, match=r"methods must be among 'residual2vec'.*got 'word2vec'"):
        methods_of(Settings(tmp_path, methods=("word2vec",)))
    paper = {"GloVe", "DeepWalk", "FairWalk", "Laplacian eigenmap", "NetMF", "GCN", "GAT", "GraphSAGE", "residual2vec"}
    assert paper | {f"node2vec, q = {q}" for q in ("0.5", "1", "2")} <= set(METHODS)


def test_residual2vec_by_skipgram_has_the_walks_of_other_methods(tmp_path, monkeypatch):
    # On one core training is deterministic.
    monkeypatch.setattr("residuum._threads._available", lambda: 1)
    [name] = methods_of(Settings(tmp_path, short_walks=True, methods=("residual2vec, skip-gram",)))
    assert name == "residual2vec, skip-gram, short walks"
    fitted = fit(name, GRAPH, Settings(tmp_path, short_walks=True), 0, 4)
    solver = SkipGram(n_walks=5, walk_length=40, epochs=1)
    expected = Residual2Vec(4, window=10, solver=solver, n_jobs=1, random_state=0).fit(GRAPH)
    i, j = np.triu_indices(GRAPH.n_nodes, 1)
    node_ids = GRAPH.node_ids
    association = expected.score_pairs(node_ids[i], node_ids[j])
    # Only the scale is tuned.
    assert np.corrcoef(fitted.scores["residual"](i, j), association)[0, 1] > 0.99999
    difference = np.asarray(fitted.scores["full"](i, j)) - fitted.scores["residual"](i, j)
    np.testing.assert_allclose(difference, expected.offset_[i] + expected.offset_[j], rtol=1e-5)


def test_short_walks_change_the_name_and_the_vectors(tmp_path):
    short = Settings(tmp_path, short_walks=True, methods=("DeepWalk", "NetMF"))
    walked, other = methods_of(short)
    assert (walked, other) == ("DeepWalk, short walks", "NetMF")
    assert kind_of(walked) == "DeepWalk"
    few, many = fit(walked, GRAPH, short, 0, 4).vectors, fit("DeepWalk", GRAPH, short, 0, 4).vectors
    assert few.shape == many.shape == (120, 4)
    assert not np.allclose(few, many)
