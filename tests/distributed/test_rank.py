import pytest

from residuum import walks
from residuum.distributed.matrix import PartitionedWindow
from residuum.distributed.rank import effective_rank
from residuum.walks import WindowProbabilities


def test_the_rank_is_that_of_one_machine(build, graph):
    expected = walks.effective_rank(WindowProbabilities(graph, 5))
    window = PartitionedWindow(build(graph), 5)
    assert effective_rank(window) == pytest.approx(expected, rel=1e-4)
    assert expected > 0.5
