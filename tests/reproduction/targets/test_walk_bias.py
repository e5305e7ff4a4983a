import numpy as np
import pytest

from residuum import datasets
from residuum.reproduction import reproduce
from residuum.reproduction.targets.walk_bias import visits


def test_walkers_visit_nodes_in_proportion_to_degree():
    graph = datasets.core_periphery(random_state=0)
    share = visits(graph, 0)
    assert share.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(share, graph.out_strength / graph.out_strength.sum(), atol=0.003)


def test_the_core_has_few_nodes_and_many_visits(tmp_path):
    pytest.importorskip("matplotlib")
    scores = reproduce("figure-1", tmp_path, runs=2)[0].read_text(encoding="utf-8").splitlines()[1:]
    core = {method: float(line.split(",")[-2]) for line in scores for method in [line.split(",")[1]]}
    assert core["each node once"] == pytest.approx(0.1)
    assert core["random walkers"] > 0.35
    assert core["random walkers"] == pytest.approx(core["degree / sum of degrees"], abs=0.02)
