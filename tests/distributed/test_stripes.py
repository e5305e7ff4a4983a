import numpy as np
import pytest
from scipy import sparse

from residuum._kernels.alias import alias_of
from residuum.distributed import stripes as module
from residuum.distributed.stripes import build_stripes


@pytest.mark.parametrize("n_stripes", [1, 2, 3])
def test_stripes_are_the_rows_of_the_graph_with_their_alias_tables(build, directed_graph, n_stripes, monkeypatch):
    monkeypatch.setattr(module, "_count", lambda *_: n_stripes)
    weighted = type(directed_graph)(
        directed_graph.adjacency @ sparse.diags_array(1.0 + np.arange(400) % 3), directed=True
    )
    graph = weighted.subgraph((weighted.in_strength > 0) | (weighted.out_strength > 0))
    stripes = build_stripes(build(graph))
    assert stripes.count == n_stripes
    tables = alias_of(graph.adjacency.indptr, graph.adjacency.data)
    parts = [stripes.load(number) for number in range(n_stripes)]
    for which, expected in ((1, graph.adjacency.indices), (2, tables[0]), (3, tables[1])):
        np.testing.assert_array_equal(np.concatenate([part[which] for part in parts]), expected)
    lengths = np.concatenate([np.diff(part[0]) for part in parts])
    np.testing.assert_array_equal(lengths, np.diff(graph.adjacency.indptr))


def test_equal_weights_need_no_alias_tables(build, graph):
    assert all(len(table) == 0 for table in build_stripes(build(graph)).load(0)[2:])


def test_there_are_as_few_stripes_as_the_memory_allows(build, graph, monkeypatch):
    partitioned = build(graph)
    needed = 12 * partitioned.n_entries
    for share, expected in ((10.0, 1), (0.5, 2), (0.1, 3)):
        memory = property(lambda _, share=share: int(share * needed / module._STRIPE_SHARE))
        monkeypatch.setattr(type(partitioned.cluster), "thread_bytes", memory)
        assert module._count(partitioned.cluster, partitioned.grid, partitioned.n_entries) == expected
