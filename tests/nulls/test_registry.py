import pytest

from residuum.errors import InvalidParameterError
from residuum.nulls import Configuration, null_model_from_name, null_model_names


def test_every_name_creates_a_null_model():
    for name in null_model_names():
        assert hasattr(null_model_from_name(name), "fit")


def test_parameters_are_passed_to_the_null_model():
    null = null_model_from_name("configuration", exponent=0.5)
    assert isinstance(null, Configuration)
    assert null.exponent == 0.5


def test_unknown_name_raises_and_lists_all_names():
    with pytest.raises(InvalidParameterError, match=r"'configuration', 'bipartite', 'dcsbm'.*got 'nosuch'"):
        null_model_from_name("nosuch")
