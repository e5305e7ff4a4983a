"""A few examples of each property, the same in every run; ``make fuzz`` tries more."""

import pytest

from fuzzing.names import NAMES, READERS
from fuzzing.properties import PROPERTIES
from fuzzing.targets import TARGETS


@pytest.mark.parametrize("name", PROPERTIES)
def test_an_entry_point_gives_a_finite_result_or_a_documented_error(name):
    PROPERTIES[name]()


def test_all_targets_are_fuzzed():
    assert list(TARGETS) == list(READERS)
    assert list(NAMES) == [*TARGETS, *PROPERTIES]
