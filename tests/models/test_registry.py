import pytest

from residuum import Residual2Vec
from residuum.baselines import FairWalk
from residuum.errors import InvalidParameterError
from residuum.models import describe_methods, method_from_name, method_names
from residuum.models.estimator import Estimator


def test_every_name_has_an_estimator_and_a_summary():
    for name in method_names():
        assert issubclass(method_from_name(name), Estimator)
        assert describe_methods()[name]
    assert method_from_name("residual2vec") is Residual2Vec
    assert method_from_name("fairwalk") is FairWalk


def test_an_unknown_name_is_refused_with_a_list_of_all_names():
    with pytest.raises(InvalidParameterError, match=r"one of 'residual2vec', 'crosswalk', .*; got 'magic'"):
        method_from_name("magic")
