import pytest

from residuum.errors import InvalidParameterError
from residuum.reproduction.ledger import Ledger, read_rows
from residuum.reproduction.target import Row

MEASURES = ("AUC, full", "seconds")
ROW = Row("planted", "node2vec, q = 2", 3, {"AUC, full": 0.75, "seconds": 1.5})
OTHER = Row("karate", "GCN", 0, {"AUC, full": 0.5, "seconds": 2.0})


@pytest.fixture
def file(tmp_path):
    return tmp_path / "scores.csv"


def test_appended_rows_are_read_again(file):
    written = Ledger(file, MEASURES)
    assert written.rows == []
    written.append(ROW)
    written.append(OTHER)
    ledger = Ledger(file, MEASURES)
    assert ledger.rows == [ROW, OTHER]
    assert ("planted", "node2vec, q = 2", 3) in ledger
    assert ("planted", "node2vec, q = 2", 4) not in ledger


@pytest.mark.parametrize("cut", [1, 5, 12])
def test_an_incomplete_line_is_dropped_and_can_be_appended_again(file, cut):
    ledger = Ledger(file, MEASURES)
    ledger.append(ROW)
    ledger.append(OTHER)
    file.write_bytes(file.read_bytes()[:-cut])
    again = Ledger(file, MEASURES)
    assert again.rows == [ROW]
    again.append(OTHER)
    assert Ledger(file, MEASURES).rows == [ROW, OTHER]


def test_reading_does_not_change_an_incomplete_line(file):
    Ledger(file, MEASURES).append(ROW)
    content = file.read_bytes() + b"karate,GC"
    file.write_bytes(content)
    assert read_rows(file, MEASURES) == Ledger(file, MEASURES).rows == [ROW]
    assert file.read_bytes() == content
    with file.open("ab") as stream:
        stream.write(b"N,0,0.5,2\n")
    assert read_rows(file, MEASURES) == [ROW, OTHER]


def test_a_missing_file_has_no_rows_and_reading_does_not_create_it(file):
    assert read_rows(file, MEASURES) == Ledger(file, MEASURES).rows == []
    assert not file.exists()


def test_an_incomplete_header_is_written_again(file):
    file.write_text("graph,meth")
    Ledger(file, MEASURES).append(ROW)
    assert Ledger(file, MEASURES).rows == [ROW]


def test_a_file_with_other_columns_is_refused(file):
    Ledger(file, MEASURES).append(ROW)
    with pytest.raises(
        InvalidParameterError, match=r"must have the columns graph, method, run, AUC; got .*from another version"
    ):
        Ledger(file, ("AUC",))


def test_large_counts_are_stored_exactly(file):
    row = Row("ego-twitter", "residuum", 0, dict.fromkeys(MEASURES, 1_342_296.0))
    Ledger(file, MEASURES).append(row)
    assert Ledger(file, MEASURES).rows == [row]
