from pathlib import Path

import pytest

from residuum import Graph
from residuum.cli.held_out import hidden_pairs
from residuum.errors import InvalidParameterError, ResiduumWarning

GRAPH = Graph([[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]], ["a", "b", "c", "d"])
READING = dict.fromkeys(("directed", "source", "target", "weight", "header", "delimiter"))
OPTIONS = {**READING, "explain": False, "quiet": True}


def test_edges_are_positions_in_the_graph(tmp_path: Path) -> None:
    file = tmp_path / "hidden.csv"
    file.write_text("source,target\nd,a\nb,d\n")
    pairs = {frozenset(pair) for pair in hidden_pairs(GRAPH, file, OPTIONS).tolist()}
    assert pairs == {frozenset((0, 3)), frozenset((1, 3))}


def test_edges_of_other_nodes_are_left_out_with_a_warning(tmp_path: Path) -> None:
    file = tmp_path / "hidden.csv"
    file.write_text("source,target\nd,a\nb,z\n")
    with pytest.warns(ResiduumWarning, match="1 of 2 edges have a node without edges in the graph"):
        assert len(hidden_pairs(GRAPH, file, OPTIONS)) == 1


def test_no_usable_edge_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "hidden.csv"
    file.write_text("source,target\ny,z\n")
    with pytest.raises(InvalidParameterError, match="no edge is left to predict"):
        hidden_pairs(GRAPH, file, OPTIONS)
