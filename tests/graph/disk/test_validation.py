from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from hostile.cases import with_arrays
from hostile.seeds import disk
from residuum.errors import GraphFileError
from residuum.graph import Graph, read_graph, verify_graph, write_graph
from residuum.graph.disk.validation import check_matrix, check_strengths, check_transpose

FOLDER = Path("g.r2g")
RING = sparse.csr_array(np.roll(np.eye(4), 1, axis=1) + np.roll(np.eye(4), -1, axis=1))


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"indices": np.full(8, 10**9, np.int32)}, "the index 1000000000 is not between 0 and 3"),
        ({"indptr": np.array([0, 10**9, 2, 3, 8], np.int32)}, "indptr decreases at position 2"),
        ({"weights": np.full(8, np.nan, np.float32)}, "weights must be positive and finite"),
        ({"weights": -np.ones(8, np.float32)}, "weights must be positive and finite"),
        ({"weights": np.arange(1, 9, dtype=np.float32)}, "is not symmetric"),
        ({"out_strength": np.ones(4)}, "differs from the sums of the weights"),
    ],
)
def test_s3_damage_with_correct_checksums_is_found(tmp_path: Path, arrays: dict[str, Any], message: str) -> None:
    folder = tmp_path / "g.r2g"
    folder.mkdir()
    for name, content in with_arrays(disk(directed=False), arrays).items():
        (folder / name).write_bytes(content)
    for read in (read_graph, verify_graph):
        with pytest.raises(GraphFileError, match=message):
            read(folder)


def test_columns_must_increase_and_weights_be_positive() -> None:
    check_matrix(FOLDER, "", RING)
    for name, value in (("indices", RING.indices[::-1].copy()), ("data", RING.data * 0), ("data", RING.data * np.inf)):
        matrix = RING.copy()
        setattr(matrix, name, value)
        with pytest.raises(GraphFileError, match=r"the arrays of g\.r2g are damaged: entry \d has column"):
            check_matrix(FOLDER, "", matrix)


@pytest.mark.parametrize("many", [0, 10**9])
def test_a_matrix_differs_from_a_wrong_transpose(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("residuum.graph.disk.validation._MANY_ENTRIES", many)
    arcs = sparse.csr_array(np.triu(np.arange(16.0).reshape(4, 4)))
    check_transpose(FOLDER, arcs, sparse.csr_array(arcs.T))
    for wrong in (arcs.copy(), sparse.csr_array(arcs.T * 2), sparse.csr_array(arcs.T + RING)):
        with pytest.raises(GraphFileError, match="differs from its stored transpose"):
            check_transpose(FOLDER, arcs, wrong)


def test_many_entries_are_compared_in_order_without_looking_up_the_reverse_of_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("residuum.graph.disk.validation._MANY_ENTRIES", 0)
    monkeypatch.setattr("residuum.graph.disk.validation.asymmetric_entry", None)
    check_transpose(FOLDER, RING, RING)


@pytest.mark.parametrize("many", [0, 10**9])
def test_rounding_that_a_graph_allows_is_allowed_on_disk(
    tmp_path: Path, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("residuum.graph.disk.validation._MANY_ENTRIES", many)
    matrix = RING.toarray()
    matrix[0, 1] += 1e-7
    matrix[0, 2] = 1e-20
    ids = np.arange(len(matrix))
    graph = Graph.trusted(sparse.csr_array(matrix), ids, directed=False, node_attributes={}, known={})
    write_graph(graph, tmp_path / "g.r2g")
    assert read_graph(tmp_path / "g.r2g").adjacency[0, 2] == 1e-20


@pytest.mark.parametrize("changes", [{"n_edges": 5}, {"weighted": True}])
def test_counts_must_be_those_of_the_matrix(changes: dict[str, Any]) -> None:
    header = {"n_edges": 4, "weighted": False, "directed": False}
    check_strengths(FOLDER, RING, {"out_strength": np.full(4, 2.0)}, header)
    with pytest.raises(GraphFileError, match=f"{next(iter(changes))} is"):
        check_strengths(FOLDER, RING, {"out_strength": np.full(4, 2.0)}, header | changes)
