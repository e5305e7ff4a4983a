import numpy as np
import pytest
from scipy import sparse

from residuum import Graph, datasets
from residuum._store import Store
from residuum.errors import InvalidParameterError, NullModelError
from residuum.nulls import Configuration, DegreeCorrectedSBM
from residuum.residual import Projector, ResidualMatrix, build_erasure
from residuum.residual.exact import ExactResidual
from residuum.residual.projector import ErasedOperator
from residuum.walks import WindowProbabilities

GRAPH = datasets.planted_groups(150, 3, random_state=0)
GROUP = GRAPH.node_attributes["group"]
NULL = Configuration().fit(GRAPH, 4)


def erasure(erase, graph=GRAPH, null=NULL):
    return build_erasure(graph, erase, null)


def test_nothing_to_erase_is_none():
    assert erasure(None) is None


def test_labels_become_indicators():
    np.testing.assert_array_equal(erasure("group").columns(), np.eye(3)[GROUP])
    assert erasure("group").names == ["group"]


def test_numbers_become_bins_and_a_line():
    x = np.random.default_rng(0).random(150)
    columns = erasure(x).columns()
    assert columns.shape == (150, 33)
    np.testing.assert_array_equal(columns[:, :32].sum(axis=1), 1)
    np.testing.assert_allclose(np.corrcoef(columns[:, 32], x)[0, 1], 1)


def test_degree_is_known_by_name_and_of_newcomers_too():
    made = erasure("degree")
    assert made.names == ["degree"]
    edges = sparse.csr_array(GRAPH.adjacency[:5])
    np.testing.assert_allclose(made.newcomers(None, edges, None), made.columns()[:5], atol=1e-9)


def test_the_groups_of_the_null_model_can_be_erased():
    null = DegreeCorrectedSBM(GROUP).fit(GRAPH, 3)
    np.testing.assert_array_equal(erasure("null", null=null).columns(), np.eye(3)[GROUP])
    with pytest.raises(NullModelError, match="this one has none; take erase='degree'"):
        erasure("null")


@pytest.mark.parametrize(
    ("erase", "names"),
    [
        (["group", "degree"], ["group", "degree"]),
        ({"kind": GROUP, "size": "degree"}, ["kind", "degree"]),
        ([GROUP, np.arange(150.0)], ["attribute 1", "attribute 2"]),
        (GROUP.tolist(), ["attribute 1"]),
        (dict(enumerate(GROUP.tolist())), ["attribute 1"]),
    ],
    ids=["names", "dict of attributes", "arrays", "list of labels", "mapping by node"],
)
def test_several_attributes_at_once(erase, names):
    assert erasure(erase).names == names


def test_newcomers_need_their_own_value():
    made = erasure({"kind": GROUP})
    edges = sparse.csr_array(GRAPH.adjacency[:2])
    np.testing.assert_array_equal(made.newcomers({"kind": [2, 0]}, edges, None), np.eye(3)[[2, 0]])
    with pytest.raises(InvalidParameterError, match=r"attributes=\{'kind': …\}"):
        made.newcomers(None, edges, None)
    with pytest.raises(InvalidParameterError, match="9 is not a value of the erased attribute"):
        made.newcomers({"kind": [9, 0]}, edges, None)
    with pytest.raises(InvalidParameterError, match="one value for each of the 2 new nodes; got 3"):
        made.newcomers({"kind": [0, 0, 0]}, edges, None)


@pytest.mark.parametrize("directed", [False, True], ids=["symmetric", "general"])
@pytest.mark.parametrize("weighting", [0.0, 0.7])
def test_the_operator_is_the_projected_matrix(weighting, directed):
    graph = (
        Graph(np.triu(GRAPH.adjacency.toarray()) + np.roll(np.eye(150), 1, axis=1), directed=True)
        if directed
        else GRAPH
    )
    null = Configuration().fit(graph, 4)
    matrix = ResidualMatrix(WindowProbabilities(graph, 4), null, -2.0, weighting)
    R = matrix.columns(np.arange(150)).astype(float)
    Z = np.linalg.qr(np.eye(3)[GROUP])[0]
    keep = np.eye(150) - Z @ Z.T
    S, T = np.diag(matrix.row_scale.astype(float)), np.diag(matrix.column_scale.astype(float))
    F = S @ keep @ np.linalg.inv(S) @ R @ np.linalg.inv(T) @ keep @ T
    projector = Projector(build_erasure(graph, GROUP, null), matrix)
    np.testing.assert_allclose(projector.clean(R.astype(np.float32)), F, atol=1e-3)
    operator = ErasedOperator(ExactResidual(matrix, 1 << 30), projector, Store())
    X = np.random.default_rng(0).standard_normal((150, 2))
    both = operator.gram(X.astype(np.float32))
    np.testing.assert_allclose(both[:, :2], F.T @ X, atol=1e-2)
    np.testing.assert_allclose(both[:, 2:], F @ F.T @ X, rtol=1e-3, atol=0.5)
    np.testing.assert_allclose(operator.erased_rows(), projector.left.lowered.T @ R, atol=1e-3)
