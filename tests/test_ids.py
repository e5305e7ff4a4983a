import numpy as np

from residuum._ids import id_array, python_value


def test_ids_are_integers_or_python_objects():
    assert id_array([np.int64(7), 2]).dtype.kind == "i"
    mixed = id_array(np.array([np.int64(7), np.str_("a"), (1, 2)], dtype=object))
    assert [type(value) for value in mixed.tolist()] == [int, str, tuple]
    assert id_array(np.array(["a", "b"])).dtype == object
    day = np.datetime64("2020-01-01", "ns")
    assert python_value(day) is day
