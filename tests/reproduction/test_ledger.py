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


def test_rows_come_back(file):
    first = Ledger(file, MEASURES)
    assert first.rows == []
    first.append(ROW)
    first.append(OTHER)
    again = Ledger(file, MEASURES)
    assert again.rows == [ROW, OTHER]
    assert ("planted", "node2vec, q = 2", 3) in again
    assert ("planted", "node2vec, q = 2", 4) not in again


@pytest.mark.parametrize("cut", [1, 5, 12])
def test_a_line_that_was_cut_off_is_dropped_and_measured_again(file, cut):
    ledger = Ledger(file, MEASURES)
    ledger.append(ROW)
    ledger.append(OTHER)
    file.write_bytes(file.read_bytes()[:-cut])
    again = Ledger(file, MEASURES)
    assert again.rows == [ROW]
    again.append(OTHER)
    assert Ledger(file, MEASURES).rows == [ROW, OTHER]


def test_whoever_reads_leaves_a_line_that_is_being_written_as_it_is(file):
    Ledger(file, MEASURES).append(ROW)
    begun = file.read_bytes() + b"karate,GC"
    file.write_bytes(begun)
    assert read_rows(file, MEASURES) == Ledger(file, MEASURES).rows == [ROW]
    assert file.read_bytes() == begun
    with file.open("ab") as stream:
        stream.write(b"N,0,0.5,2\n")
    assert read_rows(file, MEASURES) == [ROW, OTHER]


def test_a_file_that_is_not_there_has_no_rows_and_is_not_made_by_reading(file):
    assert read_rows(file, MEASURES) == Ledger(file, MEASURES).rows == []
    assert not file.exists()


def test_a_header_that_was_cut_off_is_written_again(file):
    file.write_text("graph,meth")
    Ledger(file, MEASURES).append(ROW)
    assert Ledger(file, MEASURES).rows == [ROW]


def test_a_file_with_other_columns_is_refused(file):
    Ledger(file, MEASURES).append(ROW)
    with pytest.raises(InvalidParameterError, match="another version wrote it"):
        Ledger(file, ("AUC",))


def test_large_counts_are_read_back_as_they_were(file):
    row = Row("ego-twitter", "residuum", 0, dict.fromkeys(MEASURES, 1_342_296.0))
    Ledger(file, MEASURES).append(row)
    assert Ledger(file, MEASURES).rows == [row]
