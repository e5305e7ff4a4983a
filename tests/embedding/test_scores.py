import numpy as np
import pytest

from residuum.embedding import PairScores, scores
from residuum.errors import InvalidParameterError

RNG = np.random.default_rng(4)
U, V = RNG.normal(size=(2, 12, 5)).astype(np.float32)
Z, P = RNG.normal(size=(2, 12))
ROWS, COLUMNS = RNG.integers(12, size=(2, 30))


def pairwise(score):
    """Return the scores of all pairs, one pair at a time."""
    return np.array([score(i, j) for i, j in zip(ROWS, COLUMNS, strict=True)])


def dot(left, right):
    return sum(float(a) * float(b) for a, b in zip(left, right, strict=True))


@pytest.mark.parametrize("chunk", [1, 7, 1 << 16])
def test_the_residual_of_an_undirected_graph_is_the_mean_of_both_directions(chunk, monkeypatch):
    monkeypatch.setattr(scores, "_CHUNK", chunk)
    expected = pairwise(lambda i, j: (dot(U[i], V[j]) + dot(U[j], V[i])) / 2)
    np.testing.assert_allclose(PairScores(U, V).residual(ROWS, COLUMNS), expected, rtol=1e-12)


def test_the_residual_of_a_directed_graph_is_that_from_i_to_j():
    expected = pairwise(lambda i, j: dot(U[i], V[j]))
    np.testing.assert_allclose(PairScores(U, V, directed=True).residual(ROWS, COLUMNS), expected, rtol=1e-12)


def test_without_context_vectors_the_residual_is_the_dot_product():
    expected = pairwise(lambda i, j: dot(U[i], U[j]))
    np.testing.assert_allclose(PairScores(U).residual(ROWS, COLUMNS), expected, rtol=1e-12)
    np.testing.assert_allclose(PairScores(U, V).dot(ROWS, COLUMNS), expected, rtol=1e-12)


def test_the_null_score_is_the_mean_of_both_directions_or_that_from_i_to_j():
    both = PairScores(U, V, Z, P).null(ROWS, COLUMNS)
    np.testing.assert_allclose(both, pairwise(lambda i, j: (P[i] + Z[j] + P[j] + Z[i]) / 2))
    directed = PairScores(U, V, Z, P, directed=True).null(ROWS, COLUMNS)
    np.testing.assert_allclose(directed, pairwise(lambda i, j: P[i] + Z[j]))


def test_source_offsets_are_the_offsets_or_0_in_a_directed_graph_by_default():
    np.testing.assert_allclose(PairScores(U, V, Z).null(ROWS, COLUMNS), Z[ROWS] + Z[COLUMNS])
    np.testing.assert_allclose(PairScores(U, V, Z, directed=True).null(ROWS, COLUMNS), Z[COLUMNS])
    np.testing.assert_array_equal(PairScores(U, V).null(ROWS, COLUMNS), np.zeros(len(ROWS)))


@pytest.mark.parametrize("directed", [False, True])
def test_the_pair_probability_replaces_the_offset_of_the_context(directed):
    log_null = RNG.normal(size=(12, 12))
    pair_scores = PairScores(U, V, Z, P, directed=directed, log_null=lambda i, j: log_null[i, j])
    forward, backward = P[ROWS] + log_null[ROWS, COLUMNS], P[COLUMNS] + log_null[COLUMNS, ROWS]
    np.testing.assert_allclose(pair_scores.null(ROWS, COLUMNS), forward if directed else (forward + backward) / 2)


@pytest.mark.parametrize("directed", [False, True])
def test_the_full_score_is_the_sum_of_residual_and_null_score(directed):
    pair_scores = PairScores(U, V, Z, P, directed=directed)
    np.testing.assert_allclose(
        pair_scores.full(ROWS, COLUMNS), pair_scores.residual(ROWS, COLUMNS) + pair_scores.null(ROWS, COLUMNS)
    )


def test_isolated_nodes_have_a_null_score_of_minus_infinity():
    offsets = np.where(np.arange(12) == 3, -np.inf, Z)
    expected = np.where((ROWS == 3) | (COLUMNS == 3), -np.inf, Z[ROWS] + Z[COLUMNS])
    np.testing.assert_allclose(PairScores(U, V, offsets).null(ROWS, COLUMNS), expected)


@pytest.mark.parametrize("scale", [1e-15, 1.0, 1e15])
def test_the_cosine_does_not_depend_on_the_length_of_the_vectors(scale):
    vectors = U * np.float32(scale)
    expected = pairwise(lambda i, j: dot(U[i], U[j]) / np.sqrt(dot(U[i], U[i]) * dot(U[j], U[j])))
    np.testing.assert_allclose(PairScores(vectors).cosine(ROWS, COLUMNS), expected, rtol=1e-5, atol=1e-6)
    for i, j, cosine in zip(ROWS, COLUMNS, expected, strict=True):
        assert PairScores(vectors).cosine_row(i)[j] == pytest.approx(cosine, abs=1e-6)


def test_the_cosine_with_a_zero_vector_is_0():
    vectors = U.copy()
    vectors[2] = 0.0
    pair_scores = PairScores(vectors)
    np.testing.assert_array_equal(pair_scores.cosine(np.array([2, 2, 5]), np.array([2, 7, 2])), np.zeros(3))
    np.testing.assert_array_equal(pair_scores.cosine_row(2), np.zeros(12))


@pytest.mark.parametrize("directed", [False, True])
def test_terms_by_dimension_sum_to_the_residual(directed):
    pair_scores = PairScores(U, V, directed=directed)
    terms = pair_scores.by_dimension(ROWS, COLUMNS)
    assert terms.shape == (30, 5)
    np.testing.assert_allclose(terms.sum(axis=1), pair_scores.residual(ROWS, COLUMNS), rtol=1e-5, atol=1e-6)
    first = pairwise(lambda i, j: U[i, 0] * V[j, 0] if directed else (U[i, 0] * V[j, 0] + U[j, 0] * V[i, 0]) / 2)
    np.testing.assert_allclose(terms[:, 0], first, rtol=1e-6)


@pytest.mark.parametrize("context_vectors", [None, V], ids=["without context", "with context"])
@pytest.mark.parametrize("directed", [False, True])
def test_the_row_of_a_node_has_its_residuals_with_all_nodes(directed, context_vectors):
    pair_scores = PairScores(U, context_vectors, directed=directed)
    everyone = np.arange(12)
    for i in everyone:
        expected = pair_scores.residual(np.full(12, i), everyone)
        np.testing.assert_allclose(pair_scores.residual_row(i), expected, rtol=1e-5, atol=1e-6)


def test_sums_are_accumulated_in_float64():
    vectors = np.array([[1e7, 1.0, 1e7], [1e7, 1.0, -1e7]], dtype=np.float32)
    assert PairScores(vectors).dot(np.array([0]), np.array([1]))[0] == 1.0


def test_no_pairs_have_no_scores():
    nobody = np.array([], dtype=np.int64)
    pair_scores = PairScores(U, V, Z, P)
    for name in ("residual", "null", "full", "dot", "cosine"):
        assert getattr(pair_scores, name)(nobody, nobody).shape == (0,)
    assert pair_scores.by_dimension(nobody, nobody).shape == (0, 5)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (
            {"context_vectors": V[:, :4]},
            r"context_vectors must have shape \(12, 5\) to match vectors; got shape \(12, 4",
        ),
        ({"offsets": Z[:3]}, r"offsets must have shape \(12,\) to match vectors; got shape \(3,\)"),
        (
            {"source_offsets": Z[:, None]},
            r"source_offsets must have shape \(12,\) to match vectors; got shape \(12, 1\)",
        ),
    ],
)
def test_arrays_of_the_wrong_shape_are_refused(arrays, message):
    with pytest.raises(InvalidParameterError, match=message):
        PairScores(U, **arrays)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("mode", ["residual", "null", "full"])
def test_rows_are_the_scores_of_all_pairs(directed: bool, mode: str) -> None:
    rng = np.random.default_rng(0)
    u, v = rng.normal(size=(2, 6, 3))
    scores = PairScores(u, v, rng.normal(size=6), rng.normal(size=6), directed=directed)
    centers = np.array([4, 1])
    i, j = np.repeat(centers, 6), np.tile(np.arange(6), 2)
    np.testing.assert_allclose(scores.rows(centers, mode), getattr(scores, mode)(i, j).reshape(2, 6))
