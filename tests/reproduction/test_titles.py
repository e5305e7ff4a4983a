from residuum.reproduction import TARGETS
from residuum.reproduction.titles import target_titles


def test_titles_are_those_of_the_targets() -> None:
    assert target_titles() == {name: target.title for name, target in TARGETS.items()}
