"""Behavior that all estimators share, on every kind of input."""

import pickle
import warnings

import networkx as nx
import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from graph_cases import graph_cases
from residuum import DeepWalk, Embedding, NetMF, Node2Vec, Residual2Vec, Residual2VecCV
from residuum.baselines import GAT, GCN, CrossWalk, FairWalk, GloVe, GraphSAGE, LaplacianEigenmap, ModularitySpectral
from residuum.errors import InvalidGraphError, InvalidParameterError, ResiduumWarning
from residuum.selection import TUNABLES
from residuum.solvers import Block, Likelihood, SkipGram

CASES = graph_cases()


class EveryNode(dict):
    """A mapping with a label for any node id."""

    def __contains__(self, identity):
        return True

    def __missing__(self, identity):
        return len(str(identity)) % 2


WALKS = {"n_walks": 2, "walk_length": 10, "epochs": 2, "n_jobs": 1, "random_state": 0}
NETWORK = {"n_hidden": 8, "epochs": 5, "n_jobs": 1, "random_state": 0}
ESTIMATORS = {
    "exact": lambda: Residual2Vec(5, solver="exact", random_state=0),
    "landmark": lambda: Residual2Vec(5, solver="landmark", random_state=0),
    "block": lambda: Residual2Vec(5, solver=Block(n_clusters=6), random_state=0),
    "likelihood": lambda: Residual2Vec(5, solver=Likelihood(n_sweeps=3), random_state=0),
    "erdos-renyi": lambda: Residual2Vec(5, null_model="erdos-renyi", random_state=0),
    "skipgram": lambda: Residual2Vec(5, solver=SkipGram(n_walks=2, walk_length=10), n_jobs=1, random_state=0),
    "tuned": lambda: Residual2VecCV(5, search={name: [t.start] for name, t in TUNABLES.items()}, random_state=0),
    "DeepWalk": lambda: DeepWalk(5, **WALKS),
    "Node2Vec": lambda: Node2Vec(5, p=0.5, q=2.0, **WALKS),
    "CrossWalk": lambda: CrossWalk(5, groups=EveryNode(), **WALKS),
    "FairWalk": lambda: FairWalk(5, groups=EveryNode(), **WALKS),
    "GloVe": lambda: GloVe(5, **WALKS),
    "NetMF": lambda: NetMF(5, random_state=0),
    "LaplacianEigenmap": lambda: LaplacianEigenmap(5, random_state=0),
    "ModularitySpectral": lambda: ModularitySpectral(5, random_state=0),
    "GCN": lambda: GCN(5, **NETWORK),
    "GAT": lambda: GAT(5, **NETWORK),
    "GraphSAGE": lambda: GraphSAGE(5, **NETWORK),
}
NETWORKS = (GCN, GAT, GraphSAGE)


@pytest.fixture(params=ESTIMATORS.values(), ids=ESTIMATORS)
def estimator(request):
    made = request.param()
    if isinstance(made, NETWORKS):
        request.getfixturevalue("gnn")
    return made


@pytest.mark.filterwarnings("ignore::residuum.errors.ResiduumWarning")
@pytest.mark.parametrize("case", CASES)
def test_vectors_are_finite_float32_with_one_row_per_node(estimator, case):
    graph = CASES[case]
    vectors = estimator.fit_transform(graph)
    assert vectors.shape == (graph.n_nodes, 5)
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()
    isolated = (graph.out_strength == 0) & (graph.in_strength == 0)
    assert not vectors[isolated].any()


@pytest.mark.parametrize(
    "form",
    [
        sparse.csr_array,
        sparse.csr_matrix,
        sparse.coo_array,
        sparse.csc_matrix,
        np.asarray,
        lambda A: A.astype(np.float32),
        lambda A: sparse.csr_array(A.astype(np.float32)),
        lambda A: nx.from_numpy_array(A),
    ],
    ids=["csr_array", "csr_matrix", "coo_array", "csc_matrix", "dense", "float32", "sparse float32", "networkx"],
)
def test_every_input_format_gives_the_same_vectors(estimator, form):
    dense = CASES["weighted"].adjacency.toarray().astype(np.float64)
    expected = estimator.fit(dense).embedding_
    np.testing.assert_allclose(estimator.fit(form(dense)).embedding_, expected, atol=1e-4)


def test_the_input_is_not_changed(estimator):
    # Unsorted indices and an explicit zero, which a conversion might clean up in place.
    symmetric = sparse.csr_matrix(CASES["weighted"].adjacency)
    symmetric.data[0] = symmetric.data[symmetric.indptr[symmetric.indices[0]]] = 0.0
    symmetric = symmetric.maximum(symmetric.T).tocsc().T.tocsr()
    symmetric.indices[:2], symmetric.data[:2] = symmetric.indices[:2][::-1].copy(), symmetric.data[:2][::-1].copy()
    before = (symmetric.data.copy(), symmetric.indices.copy(), symmetric.indptr.copy())
    estimator.fit(symmetric)
    for expected, array in zip(before, (symmetric.data, symmetric.indices, symmetric.indptr), strict=True):
        np.testing.assert_array_equal(array, expected)


def test_node_ids_are_kept_in_order(estimator):
    names = ["zoe", "adam", "mia", "eve", "bob", "ian", "kim", "lea", "max", "noa", "ole", "pia"]
    network = nx.circulant_graph(12, [1, 2, 3, 4])
    estimator.fit(nx.relabel_nodes(network, dict(enumerate(names))))
    assert estimator.node_ids_.tolist() == names


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.array([[0.0, -1.0], [-1.0, 0.0]]), r"the edge from 0 to 1 has weight -1\.0"),
        (np.array([[0.0, np.nan], [np.nan, 0.0]]), r"has weight nan"),
        (np.array([[0.0, np.inf], [np.inf, 0.0]]), r"has weight inf"),
        (np.ones((2, 3)), r"must be square; got shape \(2, 3\)"),
        (np.zeros((3, 3)), r"empty: 3 nodes, but no edge"),
        (sparse.csr_array((0, 0)), r"empty: it has no nodes"),
        ([1, 2, 3], r"cannot convert list to a graph"),
    ],
    ids=["negative", "nan", "infinite", "not square", "no edges", "no nodes", "a list"],
)
def test_invalid_graphs_are_refused_before_any_work(estimator, bad, message):
    events = []
    estimator.set_params(progress=events.append)
    with pytest.raises(InvalidGraphError, match=message):
        estimator.fit(bad)
    assert events == []
    assert not hasattr(estimator, "embedding_")


def test_a_fit_gives_at_most_one_warning(estimator):
    A = np.zeros((22, 22))
    A[:10, :10] = A[10:20, 10:20] = 1 - np.eye(10)
    with pytest.warns(ResiduumWarning) as caught:
        estimator.fit(A)
    assert len(caught) == 1
    assert "2 isolated nodes" in str(caught[0].message)
    assert "2 connected components" in str(caught[0].message)


@pytest.mark.filterwarnings("ignore::residuum.errors.ResiduumWarning")
@pytest.mark.parametrize("case", ["weighted", "directed", "isolated nodes"])
def test_all_estimators_have_the_common_attributes(estimator, case):
    graph = CASES[case]
    assert estimator.fit(graph) is estimator
    assert estimator.context_embedding_.shape == (graph.n_nodes, 5)
    assert estimator.context_embedding_.dtype == np.float32
    isolated = (graph.out_strength == 0) & (graph.in_strength == 0)
    assert estimator.offset_.shape == estimator.source_offset_.shape == (graph.n_nodes,)
    assert (estimator.offset_[isolated] == -np.inf).all()
    assert np.isfinite(estimator.offset_[~isolated & (graph.in_strength > 0)]).all()
    assert estimator.n_features_in_ == graph.n_nodes
    np.testing.assert_array_equal(estimator.node_ids_, graph.node_ids)


def test_pair_scores_add_up_and_are_symmetric_if_the_graph_is_undirected(estimator):
    estimator.fit(CASES["weighted"])
    i, j = np.arange(19), np.arange(1, 20)
    scores = {mode: estimator.score_pairs(i, j, mode=mode) for mode in ("residual", "null", "full")}
    np.testing.assert_allclose(scores["full"], scores["residual"] + scores["null"], rtol=1e-6, atol=1e-9)
    for mode, score in scores.items():
        np.testing.assert_allclose(estimator.score_pairs(j, i, mode=mode), score, rtol=1e-5, atol=1e-7)


def test_the_same_seed_gives_identical_vectors_and_a_generator_is_accepted(estimator):
    graph = CASES["weighted"]
    first = estimator.fit(graph).embedding_
    np.testing.assert_array_equal(estimator.fit(graph).embedding_, first)
    by_generator = estimator.set_params(random_state=np.random.default_rng(0)).fit(graph).embedding_
    np.testing.assert_allclose(by_generator, first, atol=1e-5)


def test_refitting_on_another_graph_equals_a_new_fit(estimator):
    unfitted = clone(estimator)
    estimator.fit(CASES["weighted"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResiduumWarning)
        refitted, new = (model.fit(CASES["disconnected"]).embedding_ for model in (estimator, unfitted))
    np.testing.assert_array_equal(refitted, new)


def test_the_scale_of_the_weights_does_not_matter(estimator):
    graph = CASES["weighted"].adjacency.toarray().astype(np.float64)
    scaled, plain = (estimator.fit(factor * graph).embedding_ for factor in (0.25, 1.0))
    # Laplacian eigenmaps are normalized by yᵀ D y = 1, as in scikit-learn.
    expected = 2.0 * plain if isinstance(estimator, LaplacianEigenmap) else plain
    np.testing.assert_allclose(scaled, expected, atol=1e-4)


def test_parameters_survive_clone_and_pickling(estimator):
    fitted = estimator.fit(CASES["weighted"])
    unpickled = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(unpickled.embedding_, fitted.embedding_)
    assert {k: v for k, v in clone(fitted).get_params().items() if k != "groups"} == {
        k: v for k, v in fitted.get_params().items() if k != "groups"
    }


def test_the_embedding_file_has_vectors_and_method(estimator, tmp_path):
    fitted = estimator.fit(CASES["weighted"])
    fitted.to_embedding().save(tmp_path / "vectors.npz")
    loaded = Embedding.load(tmp_path / "vectors.npz")
    np.testing.assert_array_equal(loaded.vectors, fitted.embedding_)
    assert loaded.metadata["method"] == type(fitted).__name__


def test_as_many_dimensions_as_nodes_are_refused(estimator):
    with pytest.raises(InvalidParameterError, match="n_components must be below the number of nodes, 20; got 20"):
        estimator.set_params(n_components=20).fit(CASES["weighted"])


def test_out_of_sample_nodes_are_embedded_or_refused(estimator):
    graph = CASES["weighted"]
    estimator.fit(graph)
    if isinstance(estimator, (GloVe, LaplacianEigenmap, ModularitySpectral, *NETWORKS)):
        with pytest.raises(InvalidParameterError, match=f"{type(estimator).__name__} cannot embed out-of-sample nodes"):
            estimator.transform(graph.adjacency[:3])
    else:
        vectors = estimator.transform(graph.adjacency[:3])
        assert vectors.shape == (3, 5)
        assert np.isfinite(vectors).all()
