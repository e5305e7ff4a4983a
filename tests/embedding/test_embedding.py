import networkx as nx
import numpy as np
import pytest

from residuum import Residual2Vec
from residuum.embedding import Embedding
from residuum.errors import InvalidParameterError, UnknownNodeError


@pytest.fixture
def embedding() -> Embedding:
    rng = np.random.default_rng(3)
    vectors, context = rng.normal(size=(2, 40, 6))
    return Embedding([f"n{k}" for k in range(40)], vectors, context, rng.normal(size=40))


def brute_force(embedding: Embedding, row: int, by: str) -> np.ndarray:
    u = embedding.vectors.astype(np.float64)
    if by == "cosine":
        return u @ u[row] / (np.linalg.norm(u, axis=1) * np.linalg.norm(u[row]))
    v = embedding.context_vectors.astype(np.float64)  # type: ignore[union-attr]
    return (v @ u[row] + u @ v[row]) / 2


@pytest.mark.parametrize("by", ["cosine", "association"])
@pytest.mark.parametrize("n", [1, 7, 39])
def test_neighbors_equal_a_brute_force_search(embedding: Embedding, by: str, n: int) -> None:
    similarity = brute_force(embedding, 5, by)
    order = [row for row in np.argsort(-similarity) if row != 5][:n]
    neighbors = embedding.neighbors("n5", n, by)
    assert [identity for identity, _ in neighbors] == [f"n{row}" for row in order]
    np.testing.assert_allclose([value for _, value in neighbors], similarity[order], rtol=1e-5, atol=1e-6)


def test_at_most_all_other_nodes_are_returned_as_neighbors(embedding: Embedding) -> None:
    assert len(embedding.neighbors("n0", 1000)) == 39
    assert Embedding(["a"], [[1.0]]).neighbors("a") == []


def test_the_cosine_with_a_zero_vector_is_0() -> None:
    embedding = Embedding(["a", "b", "zero"], [[1, 0], [-1, 0], [0, 0]])
    assert embedding.neighbors("a", 2) == [("zero", 0.0), ("b", -1.0)]


def test_vectors_are_accessed_by_id(embedding: Embedding) -> None:
    np.testing.assert_array_equal(embedding["n7"], embedding.vectors[7])
    assert embedding.position("n7") == 7
    assert "n7" in embedding
    assert 7 not in embedding
    assert len(embedding) == 40
    assert embedding.n_components == 6
    assert repr(embedding) == "Embedding(40 nodes, 6 dimensions)"


@pytest.mark.parametrize("ids", [[3, 1], ["a", "b"], [(1, 2), (3, 4)], [("a",), ("a", "b")], ["a", 1]])
def test_ids_keep_their_types(ids: list[object]) -> None:
    assert Embedding(ids, np.eye(2)).ids.tolist() == ids


def test_an_unknown_id_is_named_with_an_example_of_the_ids(embedding: Embedding) -> None:
    with pytest.raises(
        UnknownNodeError,
        match=r"node 'x' is not in the embedding of 40 nodes \(with ids such as 'n0', 'n1', 'n2'\)\. Only ids",
    ):
        embedding["x"]


@pytest.mark.parametrize(("ids", "asked", "meant"), [([1, 2], "2", 2), (["Ann", "Bob"], "bob", "Bob")])
def test_an_id_that_differs_in_type_or_case_is_suggested(ids: list[object], asked: object, meant: object) -> None:
    with pytest.raises(UnknownNodeError, match=rf"Did you mean {meant!r}\?"):
        Embedding(ids, np.eye(2)).neighbors(asked)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["a", "b"], np.eye(3)), r"vectors must have one row for each of the 2 ids; got shape \(3, 3\)"),
        ((["a"], np.ones(1)), r"vectors must have one row for each of the 1 ids; got shape \(1,\)"),
        ((["a", "a"], np.eye(2)), "ids must be unique; 'a' occurs more than once"),
        ((["a", "b"], np.eye(2), np.eye(3)), r"context_vectors must have the shape of vectors, \(2, 2\); got \(3, 3\)"),
        ((["a", "b"], np.eye(2), None, [1.0]), r"offsets must have one value for each of the 2 ids; got shape \(1,\)"),
    ],
)
def test_arrays_that_do_not_match_are_refused(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        Embedding(*arguments)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 0}, "n must be at least 1; got 0"),
        ({"by": "luck"}, "by must be one of 'cosine', 'association'; got 'luck'"),
    ],
)
def test_invalid_arguments_are_named(embedding: Embedding, options: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        embedding.neighbors("n0", **options)


def test_association_needs_context_vectors() -> None:
    with pytest.raises(InvalidParameterError, match=r"needs context vectors.*use by='cosine'"):
        Embedding([1, 2], np.eye(2)).neighbors(1, by="association")


def test_s12_embeddings_are_equal_if_their_ids_and_arrays_are() -> None:
    def make(**changes: object) -> Embedding:
        parts: dict[str, object] = {"ids": ["a", "b"], "vectors": np.eye(2), "offsets": [0.0, -np.inf], "metadata": {}}
        return Embedding(**(parts | changes))  # type: ignore[arg-type]

    assert make() == make(metadata={"seed": 1})
    for changes in ({"ids": ["a", "c"]}, {"vectors": np.ones((2, 2))}, {"offsets": None}, {"directed": True}):
        assert make() != make(**changes)
    assert make() != "an embedding"


@pytest.mark.parametrize("as_array", [True, False])
def test_u12_neighbors_and_messages_have_python_ids(as_array):
    ids = [np.int64(3), np.int64(4), np.str_("a")]
    embedding = Embedding(np.array(ids, dtype=object) if as_array else ids, np.ones((3, 2)))
    assert "np." not in repr(embedding.neighbors("a"))
    with pytest.raises(
        UnknownNodeError, match="node 9 is not in the embedding of 3 nodes \\(with ids such as 3, 4, 'a'"
    ):
        embedding.neighbors(np.int64(9))


def test_u12_a_networkx_graph_with_numpy_ids_has_python_ids():
    graph = nx.Graph([(np.int64(0), np.int64(1)), (np.int64(1), np.int64(2)), (np.int64(2), np.int64(0))])
    neighbors = Residual2Vec(2, random_state=0).fit(graph).neighbors(0)
    assert {type(node) for node, _ in neighbors} == {int}


def test_plot_draws_every_node_in_the_order_of_the_ids():
    pytest.importorskip("matplotlib")
    vectors = np.random.default_rng(0).normal(size=(20, 4))
    embedding = Embedding([f"n{k}" for k in range(20)], vectors)
    axes = embedding.plot({f"n{k}": "low" if k < 5 else "high" for k in range(19)}, name="level", method="pca")
    counts = {layer.get_label(): len(layer.get_offsets()) for layer in axes.collections}
    assert counts == {"missing": 1, "high": 14, "low": 5}


def test_columns_of_a_map_are_written_on_request_and_ignored_when_read(tmp_path):
    embedding = Embedding(["a", "b", "c"], np.eye(3))
    embedding.save(tmp_path / "x.parquet", with_map=True)
    assert Embedding.load(tmp_path / "x.parquet") == embedding
    with pytest.raises(InvalidParameterError, match=r"with_map=True needs a \.parquet file"):
        embedding.save(tmp_path / "x.npz", with_map=True)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e30, 1e300])
@pytest.mark.parametrize("name", ["vectors", "context_vectors"])
def test_vectors_with_a_number_that_no_score_can_use_are_refused(name: str, value: float) -> None:
    arrays = {"vectors": np.eye(2), "context_vectors": np.eye(2)}
    arrays[name] = np.array([[1.0, 0.0], [value, 1.0]])
    with pytest.raises(InvalidParameterError, match=rf"^{name} must be numbers of size 1e\+15 or less"):
        Embedding(["a", "b"], **arrays)


def test_vectors_and_offsets_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match="vectors must be an array of numbers"):
        Embedding(["a"], [["x", "y"]])
    for offset in (np.nan, np.inf):
        with pytest.raises(InvalidParameterError, match="offsets must be finite, or −inf"):
            Embedding(["a"], [[1.0]], offsets=[offset])
    assert Embedding(["a"], [[1.0]], offsets=[-np.inf]).offsets is not None
