import numpy as np
import pytest

from residuum._ids import id_array, python_value
from residuum.errors import InvalidParameterError


def test_ids_are_integers_or_python_objects():
    assert id_array([np.int64(7), 2]).dtype.kind == "i"
    mixed = id_array(np.array([np.int64(7), np.str_("a"), (1, 2)], dtype=object))
    assert [type(value) for value in mixed.tolist()] == [int, str, tuple]
    assert id_array(np.array(["a", "b"])).dtype == object
    day = np.datetime64("2020-01-01", "ns")
    assert python_value(day) is day


def test_integers_beyond_64_bits_stay_distinct():
    ids = [2**63, 2**63 + 1, -1]
    assert id_array(ids).tolist() == ids


@pytest.mark.parametrize("ids", [True, 3, None, np.array(1), [[1], [[2]]], [{}]])
def test_ids_that_are_no_sequence_or_not_hashable_are_refused(ids):
    with pytest.raises(InvalidParameterError, match=r"^node ids must be"):
        id_array(ids)
