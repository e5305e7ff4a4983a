import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.io
from scipy import sparse

from residuum.errors import GraphFileError
from residuum.graph.files import matrix_market
from residuum.graph.files.matrix_market import read_matrix_market

MATRIX = sparse.random_array((30, 30), density=0.2, rng=np.random.default_rng(0))


@pytest.mark.parametrize("chunk_bytes", [64, 1 << 20])
@pytest.mark.parametrize("symmetry", ["general", "symmetric"])
@pytest.mark.parametrize("field", ["real", "integer", "pattern", "array"])
def test_matrices_are_those_of_scipy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, field: str, symmetry: str, chunk_bytes: int
) -> None:
    monkeypatch.setattr(matrix_market, "_CHUNK_BYTES", chunk_bytes)
    matrix = sparse.coo_array(MATRIX + MATRIX.T if symmetry == "symmetric" else MATRIX)
    if field == "integer":
        matrix = sparse.coo_array((matrix * 1000).astype(int))
    stored = matrix.toarray() if field == "array" else matrix
    kind = None if field == "array" else field
    scipy.io.mmwrite(tmp_path / "x.mtx", stored, field=kind, symmetry=symmetry, precision=17)
    expected = scipy.io.mmread(tmp_path / "x.mtx")
    np.testing.assert_array_equal(
        read_matrix_market(tmp_path / "x.mtx").toarray(),
        expected if field == "array" else expected.toarray(),
    )


def test_blank_lines_comments_and_tabs_are_ignored(tmp_path: Path) -> None:
    text = "%%MatrixMarket matrix coordinate real general\n% a\n\n 2 2\t2\n1\t2  1.5\r\n\n% b\n  2 1 1 \n"
    (tmp_path / "x.mtx").write_text(text)
    assert read_matrix_market(tmp_path / "x.mtx").toarray().tolist() == [[0, 1.5], [1, 0]]


def test_s1_a_cut_value_is_an_error_and_does_not_kill_the_process(tmp_path: Path) -> None:
    file = tmp_path / "c.mtx"
    file.write_bytes(b"%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 1.5\n2 1 2f")
    command = "import sys; from residuum.graph import read_graph; read_graph(sys.argv[1])"
    run = subprocess.run([sys.executable, "-c", command, str(file)], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "c.mtx, line 4: the value is not a number; got '2 1 2f'" in run.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2 2 1\n3 1 1\n", "line 3: the row is not an integer between 1 and 2"),
        ("2 2 1\n1 0 1\n", "line 3: the column is not an integer between 1 and 2"),
        ("2 2 1\n1 2\n", "line 3: expected 3 columns, got 2"),
        ("2 2 3\n1 2 1\n", "is truncated: the size line announces 3 entries; got 1"),
        ("2 2 1\n1 2 1\n2 1 1\n", "the size line announces 1 entries; got more"),
        ("% a\n2 2\n1 2 1\n", "line 3: the size line must have 3 integers"),
        ("% a\n", "is truncated: the size line is missing"),
    ],
)
def test_errors_name_the_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "x.mtx").write_text(f"%%MatrixMarket matrix coordinate real general\n{text}")
    with pytest.raises(GraphFileError, match=message):
        read_matrix_market(tmp_path / "x.mtx")


def test_other_kinds_of_matrices_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.mtx").write_text("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n")
    with pytest.raises(GraphFileError, match=r"line 1: a graph needs .* got 'coordinate complex general'"):
        read_matrix_market(tmp_path / "x.mtx")


def test_s7_a_shape_beyond_the_size_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2000000000 2000000000 1\n1 2 1\n")
    with pytest.raises(ValueError, match="expands to"):
        read_matrix_market(tmp_path / "x.mtx")
