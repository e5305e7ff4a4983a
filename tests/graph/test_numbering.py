import numpy as np
import pyarrow as pa
import pytest

from residuum.errors import InvalidGraphError
from residuum.graph.numbering import NodeNumbering


def numbered(tables):
    """Return the edges of all tables by the ids that their numbers stand for, and all ids."""
    numbering, edges = NodeNumbering(), []
    for table in tables:
        rows, columns, _ = numbering.add(pa.table({"source": table[0], "target": table[1]}))
        edges.append((rows, columns))
    ids = numbering.node_ids()
    return [(ids[rows].tolist(), ids[columns].tolist()) for rows, columns in edges], ids.tolist()


@pytest.mark.parametrize(
    "spread",
    [
        lambda rng: rng.integers(0, 300, size=(5, 2, 100)),  # compact
        lambda rng: rng.integers(0, 300, size=(5, 2, 100)) - np.arange(5)[:, None, None] * 200,  # grows to both sides
        lambda rng: rng.integers(-(2**62), 2**62, size=(5, 2, 100)),  # wide
        lambda rng: (
            rng.integers(0, 300, size=(5, 2, 100)) * 10 ** (3 * np.arange(5))[:, None, None]
        ),  # compact, then wide
    ],
    ids=["compact", "to both sides", "wide", "compact, then wide"],
)
def test_integers_are_numbered_by_first_appearance(spread):
    tables = spread(np.random.default_rng(0))
    edges, ids = numbered(tables)
    assert edges == [(source.tolist(), target.tolist()) for source, target in tables]
    assert len(set(ids)) == len(ids) == len(np.unique(tables))
    first = {}
    for source, target in tables:
        for node in [*source.tolist(), *target.tolist()]:
            first.setdefault(node, len(first))
    assert set(ids) == set(first)


def test_integers_and_later_strings_become_strings():
    edges, ids = numbered([([1, 2], [2, 3]), (["2", "a"], ["b", "1"])])
    assert edges == [(["1", "2"], ["2", "3"]), (["2", "a"], ["b", "1"])]
    assert sorted(ids) == ["1", "2", "3", "a", "b"]


def test_compact_integers_do_not_need_a_hash_table_of_all_ids(monkeypatch):
    monkeypatch.setattr("residuum.graph.numbering.pc.index_in", None)
    assert numbered([([7, 9], [9, 8]), ([5, 9], [7, 12])])[1] == [7, 9, 8, 5, 12]


def test_no_edges_are_an_error():
    with pytest.raises(InvalidGraphError, match="no rows"):
        NodeNumbering().node_ids()
