import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV

from residuum import Residual2Vec, datasets
from residuum.errors import InvalidGraphError, InvalidParameterError, ResiduumWarning
from residuum.evaluation import EdgeFold

GRAPH = datasets.planted_groups(90, 3, mixing=0.1, average_degree=8, random_state=0)
# Sorted by source, the order in which graphs are usually written.
EDGES = np.argwhere(np.triu(GRAPH.adjacency.toarray()))


def test_i8_a_grid_search_on_a_sorted_edge_list_has_a_score_for_every_candidate():
    search = GridSearchCV(Residual2Vec(8, random_state=0), {"window": [1, 5]}, cv=EdgeFold(3), error_score="raise")
    for edges in (EDGES, pd.DataFrame(EDGES, columns=["source", "target"]), [tuple(edge) for edge in EDGES.tolist()]):
        result = search.fit(edges).cv_results_
        scores = np.array([result[f"split{fold}_test_score"] for fold in range(3)])
        assert (scores > 0.6).all()


def test_i8_the_error_of_edges_that_cannot_be_scored_names_edge_fold():
    model = Residual2Vec(2, random_state=0).fit(np.array([[0, 1], [1, 2], [2, 0], [2, 3]]))
    with pytest.raises(InvalidParameterError, match=r"use cv=residuum\.evaluation\.EdgeFold\(\)"):
        model.score(np.array([[7, 8], [8, 9], [9, 7]]))


@pytest.mark.filterwarnings("ignore:only .* of the edges of X:residuum.errors.ResiduumWarning")
def test_i8_an_integer_cv_on_a_sorted_edge_list_warns_and_names_edge_fold():
    search = GridSearchCV(Residual2Vec(8, random_state=0), {"window": [1]}, cv=3)
    with (
        pytest.warns(UserWarning, match=r"Scoring failed(?s:.)*use cv=residuum\.evaluation\.EdgeFold"),
        pytest.warns(UserWarning, match="One or more of the test scores are non-finite"),
    ):
        search.fit(EDGES)
    with pytest.raises(InvalidParameterError, match="EdgeFold"):
        search.set_params(error_score="raise").fit(EDGES)


def test_i8_an_integer_cv_on_an_adjacency_matrix_is_an_error():
    search = GridSearchCV(Residual2Vec(8, random_state=0), {"window": [1]}, cv=3)
    with pytest.raises(ValueError, match=r"All the 3 fits failed(?s:.)*must be square; got shape"):
        search.fit(GRAPH.adjacency)


def test_i8_a_score_on_less_than_half_of_the_edges_warns():
    model = Residual2Vec(2, random_state=0).fit(np.array([[0, 1], [1, 2], [2, 0], [2, 3]]))
    with pytest.warns(ResiduumWarning, match=r"only 33% of the edges of X join two .* the score ignores the others"):
        model.score(np.array([[1, 3], [3, 9], [9, 7]]))


def test_folds_hold_out_each_edge_outside_the_forest_once():
    folds = list(EdgeFold(4).split(EDGES))
    held_out = np.concatenate([test for _, test in folds])
    n_nodes = len(np.unique(EDGES))
    assert len(np.unique(held_out)) == len(held_out) == len(EDGES) - (n_nodes - GRAPH.n_connected_components)
    for train, test in folds:
        np.testing.assert_array_equal(np.sort(np.r_[train, test]), np.arange(len(EDGES)))
        np.testing.assert_array_equal(np.unique(EDGES[train]), np.unique(EDGES))
    sizes = [len(test) for _, test in folds]
    assert max(sizes) - min(sizes) <= 1


def test_repeated_edges_and_self_loops_do_not_leak():
    edges = np.concatenate([EDGES, EDGES[:, ::-1], [[3, 3]]])
    for train, test in EdgeFold(3).split(edges):
        assert not {tuple(sorted(edge)) for edge in edges[train]} & {tuple(sorted(edge)) for edge in edges[test]}
        assert len(edges) - 1 in train


def test_the_same_seed_gives_the_same_folds():
    first, second, other = (list(EdgeFold(3, random_state=seed).split(EDGES)) for seed in (0, 0, 1))
    assert all(np.array_equal(a[1], b[1]) for a, b in zip(first, second, strict=True))
    assert not np.array_equal(first[0][1], other[0][1])


def test_tables_without_rows_of_edges_and_trees_are_refused():
    with pytest.raises(InvalidGraphError, match="EdgeFold needs a table with one edge per row; got csr_array"):
        next(EdgeFold(3).split(GRAPH.adjacency))
    with pytest.raises(InvalidGraphError, match="3 folds need at least 3 edges outside a spanning forest"):
        next(EdgeFold(3).split(np.array([[0, 1], [1, 2], [2, 3]])))
    with pytest.raises(InvalidParameterError, match="n_splits"):
        EdgeFold(1).get_n_splits()
