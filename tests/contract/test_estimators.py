"""Every estimator on every kind of input."""

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from graph_cases import graph_cases
from residuum import Residual2Vec
from residuum.errors import InvalidGraphError, ResiduumWarning

CASES = graph_cases()
ESTIMATORS = {
    "exact": lambda: Residual2Vec(5, solver="exact", random_state=0),
    "landmark": lambda: Residual2Vec(5, solver="landmark", random_state=0),
    "block": lambda: Residual2Vec(5, solver="block", n_blocks=6, random_state=0),
    "erdos-renyi": lambda: Residual2Vec(5, null_model="erdos-renyi", random_state=0),
}


@pytest.fixture(params=ESTIMATORS.values(), ids=ESTIMATORS)
def estimator(request):
    return request.param()


@pytest.mark.filterwarnings("ignore::residuum.errors.ResiduumWarning")
@pytest.mark.parametrize("case", CASES)
def test_vectors_are_finite_float32_one_row_a_node(estimator, case):
    graph = CASES[case]
    vectors = estimator.fit_transform(graph)
    assert vectors.shape == (graph.n_nodes, 5)
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()
    lonely = (graph.out_strength == 0) & (graph.in_strength == 0)
    assert not vectors[lonely].any()


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
def test_every_form_of_the_same_graph_gives_the_same_vectors(estimator, form):
    dense = CASES["weighted"].adjacency.toarray().astype(np.float64)
    expected = estimator.fit(dense).embedding_
    np.testing.assert_allclose(estimator.fit(form(dense)).embedding_, expected, atol=1e-4)


def test_input_is_not_changed(estimator):
    # Unsorted, with an explicit zero: what a careless adapter would tidy up in place.
    symmetric = sparse.csr_matrix(CASES["weighted"].adjacency)
    symmetric.data[0] = symmetric.data[symmetric.indptr[symmetric.indices[0]]] = 0.0
    symmetric = symmetric.maximum(symmetric.T).tocsc().T.tocsr()
    symmetric.indices[:2], symmetric.data[:2] = symmetric.indices[:2][::-1].copy(), symmetric.data[:2][::-1].copy()
    before = (symmetric.data.copy(), symmetric.indices.copy(), symmetric.indptr.copy())
    estimator.fit(symmetric)
    for kept, now in zip(before, (symmetric.data, symmetric.indices, symmetric.indptr), strict=True):
        np.testing.assert_array_equal(kept, now)


def test_node_ids_are_kept_in_order(estimator):
    names = ["zoe", "adam", "mia", "eve", "bob", "ian", "kim"]
    network = nx.cycle_graph(7)
    estimator.fit(nx.relabel_nodes(network, dict(enumerate(names))))
    assert estimator.node_ids_.tolist() == names


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.array([[0.0, -1.0], [-1.0, 0.0]]), r"row 0 to column 1 has weight -1\.0"),
        (np.array([[0.0, np.nan], [np.nan, 0.0]]), r"has weight nan"),
        (np.array([[0.0, np.inf], [np.inf, 0.0]]), r"has weight inf"),
        (np.ones((2, 3)), r"must be square; got shape \(2, 3\)"),
        (np.zeros((3, 3)), r"empty: 3 nodes, but no edge"),
        (sparse.csr_array((0, 0)), r"empty: it has no nodes"),
        ([1, 2, 3], r"cannot read a graph from list"),
    ],
    ids=["negative", "nan", "infinite", "not square", "no edges", "no nodes", "a list"],
)
def test_bad_graphs_are_named_before_any_work(estimator, bad, message):
    events = []
    estimator.set_params(progress=events.append)
    with pytest.raises(InvalidGraphError, match=message):
        estimator.fit(bad)
    assert events == []
    assert not hasattr(estimator, "embedding_")


def test_one_warning_at_most_a_fit(estimator):
    A = np.zeros((12, 12))
    A[:5, :5] = A[5:10, 5:10] = 1 - np.eye(5)
    with pytest.warns(ResiduumWarning) as caught:
        estimator.fit(A)
    assert len(caught) == 1
    assert "2 isolated nodes" in str(caught[0].message)
    assert "2 components" in str(caught[0].message)
