from pathlib import Path

import numpy as np
import pytest

from residuum.cli.node_names import NodeNames
from residuum.errors import InvalidParameterError


@pytest.fixture
def airports(tmp_path: Path) -> Path:
    file = tmp_path / "airports.csv"
    file.write_text("id,iata\n17,JFK\n18,LHR\n19,\n20,LHR\n")
    return file


def test_names_of_a_file_are_found_by_name_and_by_id(airports: Path) -> None:
    names = NodeNames.read(np.array([17, 18, 19]), f"{airports}:iata", quiet=True)
    assert [names.identity(text) for text in ("JFK", "18", "LHR", "SFO")] == [17, 18, 18, "SFO"]
    assert [names.name(node) for node in (17, 18, 19)] == ["JFK", "LHR", "19"]


def test_columns_have_names_only_if_there_are_any(airports: Path) -> None:
    ids = np.array([17, 18])
    assert NodeNames(ids).columns("node", [18]) == {"node": [18]}
    names = NodeNames.read(ids, f"{airports}:iata", quiet=True)
    assert names.columns("node", [18]) == {"node": [18], "node_name": ["LHR"]}


def test_a_name_of_two_nodes_is_an_error(airports: Path) -> None:
    names = NodeNames.read(np.array([18, 20]), f"{airports}:iata", quiet=True)
    with pytest.raises(InvalidParameterError, match="2 nodes have the name 'LHR'; use the id"):
        names.identity("LHR")


def test_a_text_id_wins_over_the_integer_it_spells() -> None:
    assert NodeNames(np.array(["7", 8], dtype=object)).identity("7") == "7"


def test_a_value_without_a_column_is_an_error() -> None:
    with pytest.raises(InvalidParameterError, match="--names must be FILE:COLUMN; got 'airports'"):
        NodeNames.read(np.array([1]), "airports")
