import numpy as np
import pytest

from residuum.distributed import stripes as module
from residuum.distributed.stripes import build_stripes
from residuum.distributed.walkers import PairFiles, WalkBatch
from residuum.residual.contexts import WalkContexts
from residuum.walks import WindowProbabilities

WINDOW = np.array([0.4, 0.3, 0.2, 0.1])


@pytest.mark.parametrize("n_stripes", [1, 3])
@pytest.mark.parametrize("transposed", [False, True])
def test_walks_on_stripes_sample_the_contexts_of_one_machine(build, graph, n_stripes, transposed, monkeypatch):
    monkeypatch.setattr(module, "_count", lambda *_: n_stripes)
    partitioned = build(graph)
    contexts = WalkContexts(WindowProbabilities(graph, WINDOW), graph.out_strength > 0, n_contexts=30)
    plan, grid = contexts.plan, partitioned.grid
    grid.stages.save("n-walks", plan.n_walks)
    nodes = np.array([3, 7, 150, 280, 399])
    files = PairFiles(build_stripes(partitioned), "pairs")
    batch = WalkBatch(files, nodes, 11, plan.keep, plan.last, plan.stride, transposed)
    assert not files.is_complete
    partitioned.cluster.compute("walks", [batch.tasks])
    assert files.is_complete
    found = set()
    for part in range(3):
        borders, others = files.load(part)
        rows = np.repeat(np.arange(len(borders) - 1), np.diff(borders))
        numbers, here = (others, rows) if transposed else (rows, others)
        found |= set(zip(nodes[numbers].tolist(), (here + grid.bounds[part]).tolist(), strict=True))
    pairs = contexts.sample(nodes, 11)
    rows = np.repeat(nodes, np.diff(pairs.borders))
    assert found == set(zip(rows.tolist(), pairs.others.tolist(), strict=True))


def test_pairs_are_grouped_by_row(build, graph):
    files = PairFiles(build_stripes(build(graph)), "pairs")
    files.save(1, np.array([2, 0, 2, 1]), np.array([5, 6, 7, 8]), 4)
    borders, others = files.load(1)
    assert (borders.tolist(), others.tolist()) == ([0, 1, 2, 4, 4], [6, 8, 5, 7])
    borders, others = files.load(1, slice(1, 3))
    assert (borders.tolist(), others.tolist()) == ([0, 1, 3], [8, 5, 7])
