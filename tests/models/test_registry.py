import pytest

import residuum
from residuum.errors import InvalidParameterError
from residuum.models import describe_methods, method_from_name, method_names


def test_every_name_is_an_estimator_with_a_line():
    for name in method_names():
        assert getattr(residuum, method_from_name(name).__name__) is method_from_name(name)
        assert describe_methods()[name]


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(InvalidParameterError, match=r"one of 'residual2vec', 'netmf', .*; got 'magic'"):
        method_from_name("magic")
