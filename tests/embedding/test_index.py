import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from residuum import Embedding
from residuum.embedding import index as module
from residuum.errors import InvalidParameterError, MissingExtraError

EMBEDDING = Embedding(["a", "b", "c"], [[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])


class Exact:
    """Stands for the index of a library: exact neighbors by cosine."""

    def __init__(self, data: Any = None, **_: Any) -> None:
        self.data = data

    def add(self, _: Any, vectors: Any) -> None:
        self.data = vectors

    def prepare(self) -> None:
        pass

    def query(self, queries: Any, n: int) -> tuple[Any, Any]:
        norms = np.maximum(np.linalg.norm(queries, axis=1), 1e-9)
        distance = 1 - queries @ self.data.T / norms[:, None]
        rows = np.argsort(distance, axis=1)[:, :n]
        return rows, np.take_along_axis(distance, rows, axis=1)

    def search(self, queries: Any, n: int) -> Any:
        rows, distances = self.query(queries, n)
        squeeze = len(queries) == 1  # as usearch does
        return SimpleNamespace(keys=rows[0] if squeeze else rows, distances=distances[0] if squeeze else distances)


@pytest.fixture(params=["usearch", "pynndescent"])
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    stand_in = SimpleNamespace(Index=Exact, NNDescent=Exact)
    monkeypatch.setattr(module, "import_extra", lambda name, extra: stand_in)
    return str(request.param)


@pytest.mark.parametrize("m", [1, 2])
def test_answers_are_node_ids_and_cosines(library: str, m: int) -> None:
    answers = EMBEDDING.index(library).query(np.array([[2.0, 0.0], [0.0, 1.0]])[:m], 2)
    expected = [[("a", 1.0), ("b", 0.8)], [("c", 1.0), ("b", 0.6)]][:m]
    assert [[node for node, _ in answer] for answer in answers] == [[node for node, _ in row] for row in expected]
    np.testing.assert_allclose([[s for _, s in a] for a in answers], [[s for _, s in r] for r in expected], rtol=1e-6)


def test_zero_vectors_are_not_found_and_find_nothing(library: str) -> None:
    embedding = Embedding(["zero", "a", "b"], [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    first, second = embedding.index(library).query(np.array([[0.0, 0.0], [1.0, 0.0]]), 3)
    assert first == []
    assert second == [("a", 1.0), ("b", 0.0)]


def test_queries_of_another_length_are_an_error(library: str) -> None:
    with pytest.raises(InvalidParameterError, match=r"vectors must have shape \(m, 2\); got \(1, 3\)"):
        EMBEDDING.index(library).query(np.ones((1, 3)))


def test_missing_libraries_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"needs usearch or pynndescent.*residuum\[index\]"):
        EMBEDDING.index()
    for name in ("usearch", "usearch.index", "pynndescent"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtraError, match=r"this needs pynndescent.*residuum\[index\]"):
        EMBEDDING.index("pynndescent")
    with pytest.raises(InvalidParameterError, match="library must be one of 'usearch', 'pynndescent'; got 'x'"):
        EMBEDDING.index("x")


@pytest.mark.parametrize("name", ["usearch", "pynndescent"])
def test_installed_libraries_find_exact_neighbors(name: str) -> None:
    pytest.importorskip(name)
    vectors = np.asfortranarray(np.random.default_rng(0).normal(size=(200, 8)), dtype=np.float32)
    embedding = Embedding(np.arange(200), vectors)
    found = [[node for node, _ in answer] for answer in embedding.index(name).query(embedding.vectors, 5)]
    exact = [[node, *(other for other, _ in embedding.neighbors(node, 4))] for node in range(200)]
    assert np.mean([len(set(a) & set(b)) / 5 for a, b in zip(found, exact, strict=True)]) > 0.95
    (near,) = embedding.index(name).query(vectors[:1], 5)
    assert dict(near[1:]) == pytest.approx(dict(embedding.neighbors(0, 4)), abs=1e-5)
